import { Emitter } from '../../src/base/emitter.ts';
import type { CallToolOptions, Client, RequestOptions } from '../../src/mcp/client.ts';
import { TransportError } from '../../src/mcp/errors.ts';
import type { CallToolResult, Tool } from '../../src/mcp/schema.ts';

/** What a tool of the fake does when it is called. */
export type FakeCall = (
  args: Record<string, unknown>,
  options: CallToolOptions,
) => CallToolResult | Promise<CallToolResult>;

/** A session without a wire: tests set its tools, break it and see what it was asked. */
export class FakeClient implements Client {
  readonly transport = 'sse';
  readonly protocolVersion = '2025-06-18';
  readonly serverInfo = { name: 'fake', version: '1' };
  readonly capabilities = { tools: {} };
  instructions: string | undefined;
  /** What each tool does. Its names are what is listed, unless `listed` says otherwise. */
  readonly tools: Record<string, FakeCall>;
  listed: readonly Tool[] | undefined;
  /** Replaces `listTools`. */
  list: ((options?: RequestOptions) => Promise<Tool[]>) | undefined;
  /** Answers `request`; default an empty object. */
  answer: (method: string, options?: RequestOptions) => Promise<unknown> = async () => ({});
  readonly calls: { readonly name: string; readonly args: Record<string, unknown> }[] = [];
  readonly requests: string[] = [];
  isClosed = false;
  readonly #tools = new Emitter<void>();
  readonly #warn = new Emitter<string>();
  readonly #close = new Emitter<Error | undefined>();
  #nextId = 0;

  constructor(tools: Record<string, FakeCall> = {}) {
    this.tools = tools;
  }

  async listTools(options?: RequestOptions): Promise<Tool[]> {
    if (this.list) return await this.list(options);
    return [...(this.listed ?? Object.keys(this.tools).map((name) => listedTool(name)))];
  }

  async callTool(name: string, args: Record<string, unknown>, options: CallToolOptions = {}): Promise<CallToolResult> {
    this.calls.push({ name, args });
    options.onRequestId?.(++this.#nextId);
    const run = this.tools[name];
    const broken = new Promise<never>((_resolve, reject) => {
      this.#close.event(() =>
        reject(new TransportError('closed', 'the stream ended while a call was open', { mayHaveRun: true })),
      );
      options.signal?.addEventListener('abort', () =>
        reject(new TransportError('cancelled', 'cancelled', { mayHaveRun: true })),
      );
    });
    if (!run) throw new Error(`the fake has no tool ${name}`);
    return await Promise.race([run(args, options), broken]);
  }

  async request(method: string, _params?: unknown, options?: RequestOptions): Promise<unknown> {
    this.requests.push(method);
    return await this.answer(method, options);
  }

  async notify(): Promise<void> {}

  readonly onDidChangeTools = (listener: () => void) => this.#tools.event(listener);
  readonly onDidWarn = (listener: (text: string) => void) => this.#warn.event(listener);
  readonly onDidReceiveNotification = () => ({ dispose() {} });
  readonly onDidClose = (listener: (error?: Error) => void) => this.#close.event(listener);

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#close.fire(undefined);
  }

  /** As when the stream breaks. */
  break(message = 'the stream ended'): void {
    this.isClosed = true;
    this.#close.fire(new TransportError('closed', message));
  }

  changeTools(): void {
    this.#tools.fire();
  }

  warn(text: string): void {
    this.#warn.fire(text);
  }
}

/** A tool as a server lists it. */
export function listedTool(name: string, more: Partial<Tool> = {}): Tool {
  return { name, description: `Does ${name}`, inputSchema: { type: 'object' }, ...more };
}

/** A result of one text. */
export function textResult(text: string, more: Partial<CallToolResult> = {}): CallToolResult {
  return { content: [{ type: 'text', text }], ...more };
}
