/**
 * The tap: one function that transports and the model client tell every plain fact of the wire to.
 * It is called with what the code has at hand anyway, so that recording costs no second parse; absent, it costs nothing.
 * Facts carry no time: the listener stamps them when they arrive. They are not redacted: the listener does that before it keeps anything.
 * A tap must not throw (one that does is not told anything more) and must not change what it is given.
 */
export type Tap = (fact: TapFact) => void;

/** Tells `tap` for as long as it does not throw: a record that fails must not break what it records. */
export function guardedTap(tap: Tap | undefined): Tap | undefined {
  let told = tap;
  const guarded: Tap = (fact) => {
    try {
      told?.(fact);
    } catch {
      told = undefined;
    }
  };
  return tap && guarded;
}

/** Who speaks: `connection` is unique for one connect (or one model client), `server` is the configured name (or the endpoint's). */
export interface TapSource {
  readonly connection: string;
  readonly server: string;
  readonly peer: 'mcp' | 'model' | 'authorization';
}

/** One thing that happened on a wire. */
export type TapFact = TapSource &
  (
    | {
        readonly kind: 'connection-open';
        readonly transport: 'sse' | 'http' | 'stdio';
        readonly protocolVersion?: string;
      }
    | { readonly kind: 'connection-close'; readonly error?: string }
    /** One HTTP exchange; `exchange` is unique in the process. `redirectOf` names the exchange that sent us here. */
    | {
        readonly kind: 'http-request';
        readonly exchange: number;
        readonly method: string;
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body?: string;
        readonly redirectOf?: number;
      }
    | {
        readonly kind: 'http-response';
        readonly exchange: number;
        readonly status: number;
        readonly statusText: string;
        readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
      }
    /** A body that is no event stream, when it is complete. `bytes` is the size on the wire after decompression. */
    | { readonly kind: 'http-body'; readonly exchange: number; readonly text: string; readonly bytes: number }
    /**
     * One event of an event stream, as it arrives. `bytes` counts the decoded data.
     * `incomplete`: the stream ended inside it; `data` is the raw text that was left over, and nobody was told of it.
     */
    | {
        readonly kind: 'sse-event';
        readonly exchange: number;
        readonly event?: string;
        readonly id?: string;
        readonly data: string;
        readonly bytes: number;
        readonly incomplete?: boolean;
      }
    | {
        readonly kind: 'http-end';
        readonly exchange: number;
        readonly outcome: 'complete' | 'aborted' | 'error';
        readonly error?: string;
      }
    /** One line of a stdio server; `in` is what the server writes to stdout, `out` what we write to its stdin, `err` its stderr. */
    | { readonly kind: 'stdio-line'; readonly direction: 'in' | 'out' | 'err'; readonly text: string }
    | {
        readonly kind: 'process-start';
        readonly command: string;
        readonly args: readonly string[];
        readonly cwd?: string;
        readonly pid?: number;
      }
    | { readonly kind: 'process-exit'; readonly code: number | null; readonly signal: string | null }
    /** One JSON-RPC message, parsed; told after the request, event, body or line that carried it. `exchange` is the HTTP exchange that carried it. */
    | {
        readonly kind: 'message';
        readonly direction: 'in' | 'out';
        readonly message: unknown;
        readonly bytes: number;
        readonly exchange?: number;
      }
    /** A request of ours that got no answer: we gave up on it, or its time ran out. */
    | { readonly kind: 'request-end'; readonly requestId: number | string; readonly outcome: 'cancelled' | 'timeout' }
    /** A call of the agent's: joins a model turn to the JSON-RPC request that carried it out. */
    | {
        readonly kind: 'tool-call';
        readonly callId: string;
        readonly tool: string;
        readonly requestId: number | string;
      }
    /** A model request as the agent sees it. `logical: true` where no HTTP of ours stands behind it. */
    | {
        readonly kind: 'model-request';
        readonly turn: string;
        readonly step: number;
        readonly model: string;
        readonly logical: boolean;
        readonly exchange?: number;
        /** Tokens that the model takes in one request, where they are known. */
        readonly maxInputTokens?: number;
        readonly body: unknown;
        readonly bytes: number;
      }
    | {
        readonly kind: 'model-answer';
        readonly turn: string;
        readonly step: number;
        readonly text: string;
        readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
        readonly finish: string;
        readonly inputTokens?: number;
        readonly outputTokens?: number;
      }
    /** Something worth a line in the log that is no message: a quirk, a skipped line, a refused stream, a retry. */
    | {
        readonly kind: 'note';
        readonly level: 'debug' | 'info' | 'warning' | 'error';
        readonly text: string;
        readonly exchange?: number;
      }
  );
