import { asString, isRecord, type JsonObject } from '../base/json.ts';
import type { RequestSizes } from './wireEntry.ts';

function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The name of an offered tool: `{ type: 'function', function: { name } }` of the endpoints, `{ name }` elsewhere. */
function toolName(tool: unknown): string {
  if (!isRecord(tool)) return '?';
  const inner = isRecord(tool.function) ? tool.function : tool;
  return asString(inner.name) ?? '?';
}

function callId(message: JsonObject): string {
  return asString(message.tool_call_id) ?? asString(message.callId) ?? '?';
}

/** Names of the calls that assistant messages hold, by id. */
function callNames(messages: readonly unknown[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    if (!isRecord(message)) continue;
    for (const call of [...listOf(message.tool_calls), ...listOf(message.toolCalls)]) {
      const id = isRecord(call) ? asString(call.id) : undefined;
      if (id !== undefined) names.set(id, toolName(call));
    }
  }
  return names;
}

/** Sizes in bytes of UTF-8 of the parts of a model request, as JSON. `serverOf` names the server of an offered tool. */
export function requestSizes(
  body: unknown,
  bytes: number,
  serverOf: (tool: string) => string | undefined,
): RequestSizes {
  const request = isRecord(body) ? body : {};
  const messages = listOf(request.messages);
  const names = callNames(messages);
  const lastUser = messages.findLastIndex((message) => isRecord(message) && message.role === 'user');
  const sums = { instructions: bytesOf(request.instructions), history: 0, user: 0 };
  const results: { callId: string; name: string; bytes: number }[] = [];
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) continue;
    const size = bytesOf(message);
    if (message.role === 'system' || message.role === 'developer') sums.instructions += size;
    else if (message.role === 'tool') {
      const id = callId(message);
      results.push({ callId: id, name: asString(message.name) ?? names.get(id) ?? '?', bytes: size });
    } else if (index === lastUser) sums.user += size;
    else sums.history += size;
  }
  const tools = listOf(request.tools).map((tool) => {
    const name = toolName(tool);
    return { name, server: serverOf(name) ?? '', bytes: bytesOf(tool) };
  });
  const counted =
    sums.instructions + sums.history + sums.user + [...tools, ...results].reduce((sum, part) => sum + part.bytes, 0);
  return { ...sums, tools, results, other: Math.max(0, bytes - counted), messages: messages.length };
}
