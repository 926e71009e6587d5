import type { Disposable } from '../base/disposables.ts';
import type { CallToolResult, Implementation, Progress, Tool } from './schema.ts';

/** How long an answer is waited for: until `signal` is aborted, or so many milliseconds, counted anew at each progress. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** What a caller of a tool may be told while it runs. */
export interface CallToolOptions extends RequestOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Told the JSON-RPC id of the request as soon as it is known; for the wire record. */
  readonly onRequestId?: (id: number | string) => void;
}

/** One session with one server. The contract that `dist/core.mjs` publishes. */
export interface Client {
  readonly transport: 'sse' | 'http' | 'stdio';
  /** The name that the tap's facts of this session carry. */
  readonly connection?: string;
  readonly protocolVersion: string;
  readonly serverInfo: Implementation;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  /** All pages; kept until the server says that the list changed. */
  listTools(options?: RequestOptions): Promise<Tool[]>;
  callTool(name: string, args: Record<string, unknown>, options?: CallToolOptions): Promise<CallToolResult>;
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /** Sends a notification. */
  notify(method: string, params?: unknown): Promise<void>;
  onDidChangeTools(listener: () => void): Disposable;
  /** Every notification of the server that the client does not consume itself. */
  onDidReceiveNotification(listener: (notification: { method: string; params: unknown }) => void): Disposable;
  /** A quirk or loss that a person may want to read: a repeated cursor, a tool that was left out … */
  onDidWarn(listener: (text: string) => void): Disposable;
  onDidClose(listener: (error?: Error) => void): Disposable;
  close(): Promise<void>;
}
