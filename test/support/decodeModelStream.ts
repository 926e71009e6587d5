import { EventStreamDecoder } from '../../src/base/sse.ts';
import type { ModelEvent } from '../../src/model/chatModel.ts';
import { StreamDecoder } from '../../src/model/openai/decodeStream.ts';
import type { ToolCallPiecesOptions } from '../../src/model/openai/toolCallPieces.ts';

/** Decodes the bytes of a model stream, however they are cut, in the way of the model client. Ids made up are `made1`, `made2` … */
export function decodeBytes(chunks: readonly Uint8Array[], options: ToolCallPiecesOptions = {}): ModelEvent[] {
  const decoder = new StreamDecoder({ makeId: counter(), ...options });
  const events: ModelEvent[] = [];
  let isCut = false;
  const stream = new EventStreamDecoder({
    onEvent: ({ data, event }) => events.push(...decoder.push(data, event, isCut)),
  });
  for (const chunk of chunks) stream.write(chunk);
  isCut = true;
  stream.end({ flush: true });
  return joinDeltas([...events, ...decoder.end()]);
}

/** Decodes chunks given as values, with `[DONE]` at the end unless `done` is false. */
export function decodeChunks(
  chunks: readonly unknown[],
  options: ToolCallPiecesOptions & { readonly done?: boolean } = {},
): ModelEvent[] {
  const decoder = new StreamDecoder({ makeId: counter(), ...options });
  const events = chunks.flatMap((chunk) => decoder.push(typeof chunk === 'string' ? chunk : JSON.stringify(chunk)));
  if (options.done !== false) events.push(...decoder.push('[DONE]'));
  return joinDeltas([...events, ...decoder.end()]);
}

/** Joins neighbouring deltas of one kind: where they are cut is of no interest. */
function joinDeltas(events: readonly ModelEvent[]): ModelEvent[] {
  const joined: ModelEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (isDelta(event) && last?.kind === event.kind)
      joined[joined.length - 1] = { ...event, text: last.text + event.text };
    else joined.push(event);
  }
  return joined;
}

function isDelta(event: ModelEvent): event is Extract<ModelEvent, { kind: 'text-delta' | 'reasoning-delta' }> {
  return event.kind === 'text-delta' || event.kind === 'reasoning-delta';
}

function counter(): () => string {
  let made = 0;
  return () => `made${++made}`;
}
