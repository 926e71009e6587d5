import { messageOf } from '../base/caught.ts';
import type { CallToolResult, Progress } from '../mcp/schema.ts';
import { ProtocolError, RpcError, TransportError } from '../mcp/errors.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import { failedOutcome, type ToolAnnotations, type ToolCallOptions, type ToolOutcome } from './tool.ts';
import { readResult } from './toolResult.ts';

/** One call of a tool. */
export interface CallToMake {
  readonly connection: ServerConnection;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly annotations: ToolAnnotations;
  /** What the tool says of its structured results. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly options: ToolCallOptions;
  /** Told the session and the JSON-RPC id that carry the call, for the wire record. */
  readonly onRequestId: (connection: string, id: number | string) => void;
  /** For the log. */
  readonly onNote?: (connection: string, text: string) => void;
}

/**
 * Carries one call to its server. Connects first where needed. Never throws: every failure is an outcome that says whether the tool may have
 * run. A call that broke with the connection is made once more only when it certainly did not run, or when nothing of an answer was received
 * and the tool calls itself read-only or idempotent.
 */
export async function callTool(call: CallToMake): Promise<ToolOutcome> {
  const first = await attempt(call);
  if (!first.isWorthAnother) return first.outcome;
  const second = await attempt(call);
  // That the second attempt did not run says nothing of the first.
  return first.mayHaveRun && !second.mayHaveRun ? first.outcome : second.outcome;
}

interface Attempt {
  readonly outcome: ToolOutcome;
  readonly mayHaveRun: boolean;
  /** Another attempt is allowed and may do better. */
  readonly isWorthAnother?: boolean;
}

async function attempt(call: CallToMake): Promise<Attempt> {
  const { connection, tool, options } = call;
  const progress = { left: false, received: false };
  const gone = (): Attempt => ({ outcome: noLongerOffered(call), mayHaveRun: false });
  if (!isOffered(connection, tool)) return gone();
  try {
    return await connection.use(options.signal, async (client) => {
      if (!isOffered(connection, tool)) return gone();
      progress.left = true;
      const onProgress = (told: Progress): void => {
        progress.received = true;
        options.onProgress?.(progressText(told));
      };
      const { signal } = options;
      const onRequestId = (id: number | string): void => call.onRequestId(client.connection ?? '', id);
      const result = await client.callTool(tool, { ...call.args }, { signal, onProgress, onRequestId });
      const outcome = await withDoubts(readResult(result), result, call, client.connection ?? '');
      return { outcome, mayHaveRun: true };
    });
  } catch (error) {
    const isUnknown = progress.left && leftTraces(error) && !(error instanceof RpcError);
    const outcome = { ...failedOutcome(explain(call, error, progress.left)), ...(isUnknown && { mayHaveRun: true }) };
    const isWorthAnother = progress.left && !progress.received && mayRepeat(call, error);
    return { outcome, mayHaveRun: progress.left && leftTraces(error), isWorthAnother };
  }
}

/** Whether a call that left and failed so may have run. */
function leftTraces(error: unknown): boolean {
  return error instanceof TransportError ? error.mayHaveRun : true;
}

/** What is wrong with a result stands beside it: the model may make something of it all the same. The library is read when first needed. */
async function withDoubts(
  outcome: ToolOutcome,
  result: CallToolResult,
  { tool, outputSchema: schema, onNote }: CallToMake,
  connection: string,
): Promise<ToolOutcome> {
  if (schema === undefined || outcome.isError) return outcome;
  const { doubtAbout, whyUnchecked } = await import('./outputSchema.ts');
  const unchecked = whyUnchecked(schema);
  if (unchecked !== undefined) onNote?.(connection, `results of ${tool} are not checked by its schema: ${unchecked}`);
  const doubt = doubtAbout(result.structuredContent, schema);
  if (doubt === undefined) return outcome;
  return { ...outcome, parts: [...outcome.parts, { kind: 'text', text: `[Note of the client: ${doubt}]` }] };
}

function isOffered(connection: ServerConnection, tool: string): boolean {
  return connection.tools.some(({ name }) => name === tool) && connection.spec.allows?.(tool) !== false;
}

function noLongerOffered({ connection, tool }: CallToMake): ToolOutcome {
  const server = `server "${connection.spec.name}"`;
  const why =
    connection.state.kind === 'stopped' ? `${server} is stopped or was removed` : `${server} has no such tool now`;
  return failedOutcome(`The tool ${tool} is no longer offered: ${why}. It was not run.`);
}

function mayRepeat({ annotations, options }: CallToMake, error: unknown): boolean {
  if (!(error instanceof TransportError) || options.signal.aborted) return false;
  if (!['closed', 'session-lost', 'unreachable'].includes(error.code)) return false;
  return !error.mayHaveRun || annotations.readOnlyHint === true || annotations.idempotentHint === true;
}

/** What to tell the model: whose fault it was and whether the tool may have run. */
function explain({ connection, tool, options }: CallToMake, error: unknown, left: boolean): string {
  const server = `server "${connection.spec.name}"`;
  const message = messageOf(error);
  if (error instanceof RpcError) return `The ${server} refused the call of ${tool}: ${message} (code ${error.code})`;
  if (options.signal.aborted || (error instanceof TransportError && error.code === 'cancelled')) {
    return `The call of ${tool} was cancelled. ${left ? 'It may have run all the same.' : 'It was not run.'}`;
  }
  if (!left) return `${tool} was not run, because ${server} cannot be reached now: ${message}`;
  const whose =
    error instanceof ProtocolError
      ? `The ${server} gave an answer to ${tool} that breaks the protocol`
      : `The call of ${tool} failed`;
  return `${whose}: ${asSentence(message)} ${leftTraces(error) ? 'It may have run: find out before you call it again.' : 'It was not run.'}`;
}

function asSentence(text: string): string {
  return /[.!?。]$/.test(text) ? text : `${text}.`;
}

function progressText({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined || message === '' ? count : message;
}
