import type { Disposable } from '../base/disposables.ts';
import type { CallToolResult, Implementation, Progress, Tool } from '../mcp/schema.ts';

/** What a server says of itself in its handshake. */
export interface ServerFacts {
  readonly serverInfo: Implementation;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
}

/** How a call is ended, and who is told of its progress. */
export interface PublishedCallOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** A server of ours as the gateway passes it on: everything goes through the session that is open already. */
export interface PublishedServer {
  /** Letters and digits; stands in the address. */
  readonly id: string;
  readonly label: string;
  /** Connects where needed. Rejects when the server cannot be reached. */
  facts(signal: AbortSignal): Promise<ServerFacts>;
  /** The tools that are offered, as the server lists them. */
  tools(): readonly Tool[];
  /** Rejects as the session does; also for a tool that is not offered. */
  call(name: string, args: Record<string, unknown>, options: PublishedCallOptions): Promise<CallToolResult>;
  /** Any other request that only reads. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  onDidChangeTools(listener: () => void): Disposable;
}
