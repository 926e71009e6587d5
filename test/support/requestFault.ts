import { isRecord, parseJson, type JsonObject } from '../../src/base/json.ts';

/** What every endpoint has against a request; undefined where it is sound: calls and results belong together, all is well formed. */
export function faultOf(body: JsonObject): string | undefined {
  const open: string[] = [];
  for (const message of messagesOf(body)) {
    const { role, tool_calls: calls, tool_call_id: id } = message;
    if (role === 'tool') {
      if (typeof id !== 'string' || id === '' || open.shift() !== id)
        return `a result answers ${String(id)}, which is not asked next`;
      continue;
    }
    if (open.length > 0) return `no result for ${open.join()}`;
    for (const call of Array.isArray(calls) ? calls.filter(isRecord) : []) {
      const fault = callFault(call);
      if (fault !== undefined) return fault;
      open.push(String(call['id']));
    }
    if (new Set(open).size !== open.length) return `an id stands twice in ${open.join()}`;
  }
  if (open.length > 0) return `no result for ${open.join()}`;
  const name = toolsOf(body).find((tool) => !/^[a-zA-Z0-9_-]{1,64}$/.test(String(tool['name'])));
  return name === undefined ? undefined : `a tool is called ${String(name['name'])}`;
}

function callFault({ id, function: called }: JsonObject): string | undefined {
  if (typeof id !== 'string' || id === '') return 'a call has no id';
  const args = isRecord(called) ? called['arguments'] : undefined;
  const parsed = typeof args === 'string' ? parseJson(args) : undefined;
  return parsed?.ok === true && isRecord(parsed.value) ? undefined : `the arguments of ${id} are no JSON object`;
}

/** The messages of a request. */
export function messagesOf({ messages }: JsonObject): JsonObject[] {
  return Array.isArray(messages) ? messages.filter(isRecord) : [];
}

/** The functions that a request offers. */
export function toolsOf({ tools }: JsonObject): JsonObject[] {
  const functions = Array.isArray(tools) ? tools.map((tool) => (isRecord(tool) ? tool['function'] : undefined)) : [];
  return functions.filter(isRecord);
}
