import { isRecord, type JsonObject } from '../../base/json.ts';
import type { JsonRpcMessage } from '../jsonrpc.ts';
import { encodeHeaderValue } from './headerValue.ts';
import { paramHeadersOf, paramHeaderValues, type ParamHeader } from './paramHeaders.ts';

/** The member of `params` that names what a request is about (2026-07-28, "Standard Request Headers"; tasks, "Routing Headers"). */
const nameMember: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The headers that repeat parts of a message, for what stands between client and server and does not read bodies. */
export class MirroredHeaders {
  readonly #tools = new Map<string, readonly ParamHeader[]>();

  /** Takes note of a tool as listed. Gives the reason why it must not be offered, if there is one. */
  learn(tool: JsonObject): string | undefined {
    const { name, inputSchema } = tool;
    if (typeof name !== 'string' || !isRecord(inputSchema)) return undefined;
    const read = paramHeadersOf(inputSchema);
    if ('problem' in read || read.headers.length === 0) this.#tools.delete(name);
    else this.#tools.set(name, read.headers);
    return 'problem' in read ? read.problem : undefined;
  }

  /** Tells one state of a tool's headers from another. */
  stateOf(tool: string): string {
    return JSON.stringify(this.#tools.get(tool) ?? []);
  }

  of(message: JsonRpcMessage): Record<string, string> {
    if (!('method' in message)) return {};
    const { method } = message;
    const params = isRecord(message.params) ? message.params : {};
    const member = nameMember[method];
    const name = member === undefined ? undefined : params[member];
    const headers: Record<string, string> = { 'Mcp-Method': encodeHeaderValue(method) };
    if (typeof name !== 'string') return headers;
    headers['Mcp-Name'] = encodeHeaderValue(name);
    const known = method === 'tools/call' ? this.#tools.get(name) : undefined;
    return known ? { ...headers, ...paramHeaderValues(known, params['arguments']) } : headers;
  }
}
