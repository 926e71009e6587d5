/** What a run tells, in order. Every `tool-start` is followed by exactly one `tool-end` of the same `callId`, and the run by one `done`. */
export type AgentEvent =
  | { readonly kind: 'text-delta'; readonly text: string }
  | {
      readonly kind: 'tool-start';
      readonly callId: string;
      readonly name: string;
      readonly server: string;
      readonly tool: string;
      readonly arguments: Record<string, unknown>;
    }
  | { readonly kind: 'tool-progress'; readonly callId: string; readonly message: string }
  | {
      readonly kind: 'tool-end';
      readonly callId: string;
      readonly isError: boolean;
      readonly content: readonly unknown[];
    }
  /** What a person should know: a server is down, something was left out. */
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'usage'; readonly inputTokens?: number; readonly outputTokens?: number }
  | { readonly kind: 'done'; readonly reason: 'stop' | 'limit' | 'cancelled' | 'error'; readonly error?: string };

/** What a person is asked before a call leaves. */
export interface ApprovalQuestion {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** A person's answer; `deny` with what the model is told instead of a result. */
export type ApprovalAnswer = 'allow' | 'deny' | { readonly deny: string };
