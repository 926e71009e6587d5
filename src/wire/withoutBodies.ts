import type { WireBody, WireEntry } from './wireEntry.ts';

function omitted(body: WireBody): WireBody {
  return { text: '', bytes: body.bytes, omitted: true };
}

/** The entry with the sizes of its texts only. */
export function withoutBodies(entry: WireEntry): WireEntry {
  if (entry.kind === 'model-answer') {
    const toolCalls = entry.toolCalls.map((call) => ({ ...call, arguments: '' }));
    return { ...entry, text: omitted(entry.text), toolCalls };
  }
  if (entry.kind === 'model-request') {
    const { prompt: _prompt, body, ...rest } = entry;
    return body === undefined ? rest : { ...rest, body: omitted(body) };
  }
  return 'body' in entry && entry.body !== undefined ? { ...entry, body: omitted(entry.body) } : entry;
}
