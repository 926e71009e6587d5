import { parseJson } from '../../base/json.ts';
import type { ModelEvent } from '../chatModel.ts';
import { AnswerFault } from './answerFault.ts';
import type { StreamDecoder } from './decodeStream.ts';

/**
 * Reads an answer that is no event stream: one JSON completion, a JSON list of chunks, or chunks line by line.
 * Throws `AnswerFault` where it is none of these or reports an error.
 */
export function decodeCompletion(text: string, decoder: StreamDecoder): ModelEvent[] {
  const parsed = parseJson(text);
  if (parsed.ok) {
    const values: unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
    const events = values.flatMap((value) => decoder.pushValue(value));
    if (decoder.hasBegun) decoder.complete();
    return events;
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 1 && lines.every((line) => /^[[{]/.test(line.trim())))
    return lines.flatMap((line) => decoder.push(line));
  throw new AnswerFault(`an answer that is neither an event stream nor valid JSON (${parsed.reason})`);
}
