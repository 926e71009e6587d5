import type { TapFact } from '../../../src/base/tap.ts';
import type { WireEntry } from '../../../src/wire/wireEntry.ts';
import { recorded } from '../wire/recordedConversation.ts';

const demo = { connection: 'demo#1', server: 'demo', peer: 'mcp' } as const;

/** A tool, its result and a note that try to be more than text. */
export function hostileRecord(text: string): readonly WireEntry[] {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: '<b>x</b>', arguments: {} } };
  const answer = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }], isError: false } };
  return record([
    { ...demo, kind: 'message', direction: 'out', message: call, bytes: 80 },
    { ...demo, kind: 'message', direction: 'in', message: answer, bytes: 200 },
    { ...demo, kind: 'note', level: 'warning', text },
  ]);
}

/** A model stream that holds nothing but an error, and one that is cut inside an event. */
export function brokenStreams(): readonly WireEntry[] {
  const model = { connection: 'lm#1', server: 'lm', peer: 'model' } as const;
  const start = (exchange: number): TapFact[] => [
    {
      ...model,
      kind: 'http-request',
      exchange,
      method: 'POST',
      url: 'http://127.0.0.1/v1/chat/completions',
      headers: {},
      body: '{}',
    },
    {
      ...model,
      kind: 'http-response',
      exchange,
      status: 200,
      statusText: 'OK',
      headers: { 'content-type': 'text/event-stream' },
    },
  ];
  return record([
    ...start(1),
    { ...model, kind: 'sse-event', exchange: 1, data: '{"error":{"message":"the model is overloaded"}}', bytes: 40 },
    { ...model, kind: 'http-end', exchange: 1, outcome: 'complete' },
    ...start(2),
    { ...model, kind: 'sse-event', exchange: 2, data: 'data: {"cho', bytes: 11, incomplete: true },
    { ...model, kind: 'http-end', exchange: 2, outcome: 'error', error: 'aborted' },
  ]);
}

function record(facts: readonly TapFact[]): readonly WireEntry[] {
  return recorded(facts.map((fact, at) => ({ at, fact })));
}
