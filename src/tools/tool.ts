/** The contract between the agent and any tool. It imports nothing. */

/** What the server claims of a tool. Claims, not permissions. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What a model reads of a result. Image `data` is Base64. */
export type ToolPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly data: string };

/** The end of a call. `content` is what the server sent, block by block; `parts` the same as a model can read it, never empty. */
export interface ToolOutcome {
  readonly isError: boolean;
  readonly content: readonly unknown[];
  readonly parts: readonly ToolPart[];
  /** True for a failure after which nobody knows whether the tool ran: the answer was lost, or the call was stopped on its way. */
  readonly mayHaveRun?: boolean;
}

/** What a call is made with besides its arguments. */
export interface ToolCallOptions {
  readonly signal: AbortSignal;
  /** The call's id in the conversation, for the wire record. */
  readonly callId: string;
  readonly onProgress?: (message: string) => void;
}

/** A tool of some server, under the name that models are offered. */
export interface Tool {
  /** The offered name, `bb7_getUsers`. */
  readonly name: string;
  /** The configured name of its server; empty for the agent's own tools. */
  readonly server: string;
  /** What tells its server from all others, also from one of the same name elsewhere; empty for the agent's own tools. */
  readonly serverIdentity: string;
  /** The server's own name of it, `getUsers`. */
  readonly tool: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations: ToolAnnotations;
  /** For remembered approvals: the server's identity with a hash of its target, the tool, a hash of its definition. */
  readonly approvalKey: { readonly server: string; readonly tool: string; readonly definition: string };
  /** Runs it. Never throws: a failure, a lost server and a cancelled call are outcomes with `isError`. */
  call(args: Readonly<Record<string, unknown>>, options: ToolCallOptions): Promise<ToolOutcome>;
}

/** The outcome of a call that failed: `text` says why, to the model and to the person. */
export function failedOutcome(text: string): ToolOutcome {
  return { isError: true, content: [{ type: 'text', text }], parts: [{ kind: 'text', text }] };
}
