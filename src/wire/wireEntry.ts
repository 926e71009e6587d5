import type { TapSource } from '../base/tap.ts';

/** A text of the wire as it is kept: redacted, images summarised, at most the body cap long. */
export interface WireBody {
  readonly text: string;
  /** Size on the wire in bytes, whatever is kept of it. */
  readonly bytes: number;
  /** The text is the beginning only. */
  readonly cut?: true;
  /** Bodies were not to be kept. */
  readonly omitted?: true;
}

/** An id of JSON-RPC; 1 and "1" are two. */
export type RpcId = number | string;

/** What the record needs to know of a JSON-RPC message; the message itself is in the body that carried it. */
export type RpcHead =
  | {
      readonly kind: 'request';
      readonly id: RpcId;
      readonly method: string;
      readonly progressToken?: RpcId;
      /** Name of the tool, prompt or resource that the request is about. */
      readonly target?: string;
    }
  | {
      readonly kind: 'notification';
      readonly method: string;
      /** Of `notifications/cancelled`. */
      readonly requestId?: RpcId;
      readonly reason?: string;
      /** Of `notifications/progress`. */
      readonly progressToken?: RpcId;
    }
  | {
      readonly kind: 'response';
      readonly id: RpcId;
      /** The result of a tool that says that it failed. */
      readonly toolError: boolean;
    }
  | { readonly kind: 'error'; readonly id: RpcId | null; readonly code: number; readonly message: string }
  | { readonly kind: 'other' };

/** Bytes of the parts of one model request. */
export interface RequestSizes {
  readonly instructions: number;
  /** Each tool definition that was offered. */
  readonly tools: readonly { readonly name: string; readonly server: string; readonly bytes: number }[];
  /** Messages of earlier turns and of the assistant. */
  readonly history: number;
  readonly results: readonly { readonly callId: string; readonly name: string; readonly bytes: number }[];
  /** The text of the person in this turn. */
  readonly user: number;
  /** Everything else: names of members, settings of the request. */
  readonly other: number;
  readonly messages: number;
}

/** One fact of the wire as it is kept. `seq` counts up from 1; `at` is in milliseconds since 1970, with fractions. */
export type WireEntry = TapSource & { readonly seq: number; readonly at: number } & WireFact;

/** The facts of the tap as they are kept: redacted, and bodies as texts of bounded size. */
export type WireFact =
  | { readonly kind: 'connection-open'; readonly transport: string; readonly protocolVersion?: string }
  | { readonly kind: 'connection-close'; readonly error?: string }
  | {
      readonly kind: 'http-request';
      readonly exchange: number;
      readonly method: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: WireBody;
      readonly redirectOf?: number;
    }
  | {
      readonly kind: 'http-response';
      readonly exchange: number;
      readonly status: number;
      readonly statusText: string;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
    }
  | { readonly kind: 'http-body'; readonly exchange: number; readonly body: WireBody }
  | {
      readonly kind: 'sse-event';
      readonly exchange: number;
      readonly event?: string;
      readonly id?: string;
      readonly body: WireBody;
      readonly incomplete?: true;
    }
  | {
      readonly kind: 'http-end';
      readonly exchange: number;
      readonly outcome: 'complete' | 'aborted' | 'error';
      readonly error?: string;
    }
  | { readonly kind: 'stdio-line'; readonly direction: 'in' | 'out' | 'err'; readonly body: WireBody }
  | {
      readonly kind: 'process-start';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      readonly pid?: number;
    }
  | { readonly kind: 'process-exit'; readonly code: number | null; readonly signal: string | null }
  | {
      readonly kind: 'message';
      readonly direction: 'in' | 'out';
      readonly head: RpcHead;
      readonly bytes: number;
      readonly exchange?: number;
      /** `seq` of the entry whose body carried it; absent, `body` holds it. */
      readonly carrier?: number;
      readonly body?: WireBody;
    }
  | { readonly kind: 'request-end'; readonly requestId: RpcId; readonly outcome: 'cancelled' | 'timeout' }
  | { readonly kind: 'tool-call'; readonly callId: string; readonly tool: string; readonly requestId: RpcId }
  | {
      readonly kind: 'model-request';
      readonly turn: string;
      readonly step: number;
      readonly model: string;
      readonly logical: boolean;
      readonly exchange?: number;
      readonly maxInputTokens?: number;
      /** The beginning of what the person asked. */
      readonly prompt?: string;
      readonly bytes: number;
      readonly sizes: RequestSizes;
      /** Where no exchange of ours holds it. */
      readonly body?: WireBody;
    }
  | {
      readonly kind: 'model-answer';
      readonly turn: string;
      readonly step: number;
      readonly text: WireBody;
      readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
      readonly finish: string;
      readonly inputTokens?: number;
      readonly outputTokens?: number;
    }
  | {
      readonly kind: 'note';
      readonly level: 'debug' | 'info' | 'warning' | 'error';
      readonly text: string;
      readonly exchange?: number;
    }
  /** What a person added to a row: the latest one of a row holds. */
  | {
      readonly kind: 'annotation';
      readonly row: string;
      readonly pinned?: boolean;
      readonly note?: string;
      /** The row that this one repeats. */
      readonly replayOf?: string;
    };

/** The entry of one kind. */
export type EntryOf<K extends WireFact['kind']> = Extract<WireEntry, { kind: K }>;

/** The body that an entry keeps, if it has one. */
export function bodyOf(entry: WireEntry): WireBody | undefined {
  if (entry.kind === 'model-answer') return entry.text;
  return 'body' in entry ? entry.body : undefined;
}

/** True where an entry begins a row of the list; answers and ends belong to a row that is there already. */
export function startsRow(entry: WireEntry): boolean {
  switch (entry.kind) {
    case 'http-request':
    case 'sse-event':
    case 'stdio-line':
    case 'model-request':
    case 'note':
    case 'connection-open':
    case 'process-start':
      return true;
    case 'message':
      return entry.head.kind === 'request' || entry.head.kind === 'notification';
    default:
      return false;
  }
}
