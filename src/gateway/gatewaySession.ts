import { messageOf } from '../base/caught.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import { RpcError } from '../mcp/errors.ts';
import { errorCode, type RequestId } from '../mcp/jsonrpc.ts';
import { SESSION_REVISIONS } from '../mcp/schema.ts';
import type { PublishedServer } from './publishedServer.ts';

/** Requests that are passed on as they are, by the capability that a server must have for them. */
const passedOn: ReadonlyMap<string, string> = new Map([
  ['prompts/list', 'prompts'],
  ['prompts/get', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/read', 'resources'],
  ['resources/templates/list', 'resources'],
  ['completion/complete', 'completions'],
]);

/** A request of a client. */
export interface GatewayRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

/** One client of the gateway in conversation with one server. */
export class GatewaySession {
  readonly #server: PublishedServer;
  readonly #running = new Map<RequestId, AbortController>();
  readonly #end = new AbortController();

  constructor(server: PublishedServer) {
    this.#server = server;
  }

  get server(): PublishedServer {
    return this.#server;
  }

  /** The answer to a request; never rejects. `notify` is given what has to reach the client before the answer. */
  async answer({ id, method, params }: GatewayRequest, notify: (message: JsonObject) => void): Promise<JsonObject> {
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, this.#end.signal]);
    this.#running.set(id, abort);
    try {
      return { jsonrpc: '2.0', id, result: await this.#result(method, params, { signal, notify }) };
    } catch (error) {
      return { jsonrpc: '2.0', id, error: errorOf(error) };
    } finally {
      this.#running.delete(id);
    }
  }

  /** A notification of the client. Only a cancellation means something here. */
  take(method: string, params: JsonObject): void {
    const { requestId } = params;
    if (method !== 'notifications/cancelled') return;
    if (typeof requestId === 'string' || typeof requestId === 'number') this.#running.get(requestId)?.abort();
  }

  /** Ends what still runs. */
  close(): void {
    this.#end.abort();
  }

  async #result(method: string, params: JsonObject, call: Call): Promise<unknown> {
    switch (method) {
      case 'initialize':
        return this.#welcome(params['protocolVersion'], call.signal);
      case 'ping':
        return {};
      case 'tools/list':
        await this.#server.facts(call.signal);
        return { tools: this.#server.tools() };
      case 'tools/call':
        return this.#call(params, call);
      default:
        return this.#passOn(method, params, call.signal);
    }
  }

  /** Only what is passed on is declared. */
  async #welcome(asked: unknown, signal: AbortSignal): Promise<JsonObject> {
    const { serverInfo, capabilities, instructions } = await this.#server.facts(signal);
    const passed = new Set(passedOn.values());
    const kept = Object.keys(capabilities).filter((name) => passed.has(name));
    return {
      protocolVersion: SESSION_REVISIONS.find((revision) => revision === asked) ?? SESSION_REVISIONS[0],
      capabilities: { ...Object.fromEntries(kept.map((name) => [name, {}])), tools: { listChanged: true } },
      serverInfo,
      ...(instructions !== undefined && { instructions }),
    };
  }

  async #call(params: JsonObject, { signal, notify }: Call): Promise<unknown> {
    const { name, arguments: args = {}, _meta: meta } = params;
    if (typeof name !== 'string' || !isRecord(args))
      throw new RpcError(errorCode.invalidParams, 'tools/call needs a name and arguments.');
    const progressToken = isRecord(meta) ? meta['progressToken'] : undefined;
    return this.#server.call(name, args, {
      signal,
      onProgress: (progress) => {
        if (progressToken === undefined) return;
        notify({ jsonrpc: '2.0', method: 'notifications/progress', params: { ...progress, progressToken } });
      },
    });
  }

  async #passOn(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const capability = passedOn.get(method);
    const { capabilities } = await this.#server.facts(signal);
    if (capability === undefined || capabilities[capability] === undefined) {
      throw new RpcError(errorCode.methodNotFound, `${method} is not passed on.`);
    }
    const { _meta: _, ...rest } = params;
    return this.#server.request(method, rest, signal);
  }
}

interface Call {
  readonly signal: AbortSignal;
  readonly notify: (message: JsonObject) => void;
}

function errorOf(error: unknown): JsonObject {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data !== undefined && { data }) };
  }
  return { code: errorCode.internalError, message: messageOf(error) };
}
