import { isRecord, parseJson, type JsonObject } from '../../base/json.ts';
import type { ModelEvent } from '../chatModel.ts';
import { AnswerFault, faultIn, faultInChoice } from './answerFault.ts';
import { readChunk } from './readChunk.ts';
import { ThinkTags, type Stretch } from './thinkTags.ts';
import { ToolCallPieces, type Ending, type ToolCallPiecesOptions } from './toolCallPieces.ts';
import type { ReadChunk, WireUsage } from './wireTypes.ts';

/**
 * Turns an endpoint's answer, event by event, into `ModelEvent`s. A pure state machine: no clock, no network.
 * Tool calls come out at the end alone, since only the end tells a whole answer from a broken one.
 * `push` and `pushValue` throw `AnswerFault` where the endpoint reports an error or sends what cannot be read.
 */
export class StreamDecoder {
  readonly #calls: ToolCallPieces;
  readonly #onNote: (text: string) => void;
  readonly #toolNames: ReadonlySet<string>;
  readonly #think = new ThinkTags();
  #said = '';
  #usage: WireUsage | undefined;
  #sealed: readonly JsonObject[] = [];
  #finish = '';
  #isDone = false;
  #hasBegun = false;
  #spokeAfterFinish = false;

  constructor(options: ToolCallPiecesOptions = {}) {
    this.#calls = new ToolCallPieces(options);
    this.#toolNames = options.toolNames ?? new Set();
    this.#onNote = options.onNote ?? (() => undefined);
  }

  /** True as soon as the model has begun to answer: from then on the request must not be sent again. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The stream has said that it is over; nothing is to come. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The model has finished, though figures or the end mark may follow. Not true for an endpoint that says so in every chunk. */
  get hasFinished(): boolean {
    return this.#isDone || (this.#finish !== '' && !this.#spokeAfterFinish);
  }

  /** Takes the data of one event, and its name if it has one. `isCut`: the stream ended within this event. */
  push(data: string, event?: string, isCut = false): ModelEvent[] {
    const text = data.trim();
    if (text === '' || this.#isDone) return [];
    if (text === '[DONE]') {
      this.#isDone = true;
      return [];
    }
    const parsed = parseJson(text);
    if (parsed.ok) return this.pushValue(parsed.value, event);
    if (event === 'error') throw new AnswerFault(text);
    return this.#pushUnreadable(text, isCut);
  }

  /** Takes one chunk, or a whole completion, that is parsed already. */
  pushValue(value: unknown, event?: string): ModelEvent[] {
    const fault = faultIn(value) ?? (event === 'error' ? faultIn({ error: value }) : undefined);
    if (fault !== undefined) throw fault;
    if (!isRecord(value)) {
      this.#onNote(`skipped an event that is no chunk: ${excerpt(JSON.stringify(value))}`);
      return [];
    }
    const chunk = readChunk(value);
    if (chunk.finish.toLowerCase() === 'error')
      throw faultInChoice(value) ?? new AnswerFault('an error without a message');
    return this.#take(chunk);
  }

  /** Declares the answer whole: it came as one JSON document, which needs no end mark. */
  complete(): void {
    this.#isDone = true;
  }

  /** The answer is over. Gives out the rest of the text, the calls, the figures, and how it ended. */
  end(): ModelEvent[] {
    const ending = this.#ending();
    const events = [...this.#think.end().map(toDelta), ...sealWith(this.#sealed, this.#calls.finish(ending))];
    const asked = events.some((event) => event.kind === 'tool-call' || event.kind === 'invalid-tool-call');
    if (!asked && this.#wroteCall()) events.push({ kind: 'notice', text: writtenCall });
    if (this.#usage !== undefined) events.push({ kind: 'usage', ...this.#usage });
    events.push({ kind: 'finish', reason: ending === 'complete' ? (asked ? 'tool-calls' : 'stop') : ending });
    return events;
  }

  /** True where a call stands in the text, as a model writes it whose endpoint does not know its form. It is not run: it may be a quotation. */
  #wroteCall(): boolean {
    if (!/<tool_call>|<\|tool_call|\[TOOL_CALLS\]|<function=|<\|python_tag\|>|<function_call>/.test(this.#said))
      return false;
    return [...this.#toolNames].some((name) => this.#said.includes(name));
  }

  #take(chunk: ReadChunk): ModelEvent[] {
    this.#hasBegun ||= chunk.hasChoice;
    this.#usage = chunk.usage === undefined ? this.#usage : { ...this.#usage, ...chunk.usage };
    const text = chunk.isWhole ? this.#unsaid(chunk.text) : chunk.text;
    const calls = chunk.isWhole && !this.#calls.isEmpty ? [] : chunk.calls;
    if (this.#finish !== '' && (text !== '' || calls.length > 0)) this.#spokeAfterFinish = true;
    if (chunk.finish.trim() !== '') this.#finish = chunk.finish;
    this.#said += text;
    this.#sealed = [...this.#sealed, ...chunk.sealedThoughts];
    this.#calls.add(calls);
    const thought: Stretch[] = chunk.reasoning === '' ? [] : [{ kind: 'reasoning', text: chunk.reasoning }];
    return [...thought, ...this.#think.push(text)].map(toDelta);
  }

  /** What a repetition of the whole message adds to what was said. */
  #unsaid(whole: string): string {
    if (this.#said === '') return whole;
    return whole.startsWith(this.#said) ? whole.slice(this.#said.length) : '';
  }

  /** Several chunks in one event are told apart by their lines; words of a keep-alive are skipped; broken chunks break the answer. */
  #pushUnreadable(text: string, isCut: boolean): ModelEvent[] {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length > 1)
      return lines.flatMap((line, at) => this.push(line, undefined, isCut && at === lines.length - 1));
    if (/^[[{]/.test(text) && !isCut) throw new AnswerFault(`a piece that is not valid JSON: ${excerpt(text)}`);
    this.#onNote(`skipped an event that is no JSON: ${excerpt(text)}`);
    return [];
  }

  #ending(): Ending {
    const finish = this.#finish.toLowerCase();
    if (finish === '') return this.#isDone ? 'complete' : 'interrupted';
    if (
      /^(length|max_tokens|max_output_tokens|max_completion_tokens|model_length|model_context_window_exceeded)$/.test(
        finish,
      )
    )
      return 'length';
    if (/filter|safety|refusal|recitation|blocklist|prohibited|spii/.test(finish)) return 'content-filter';
    if (/^(abort|aborted|cancelled|canceled|interrupted|insufficient_system_resource|network_error)$/.test(finish))
      return 'interrupted';
    return 'complete';
  }
}

const writtenCall =
  'The model wrote a tool call as plain text, so it was not run: its endpoint does not read the calls of this model. Set its tool-call parser or chat template there, or choose another model.';

/** Attaches thoughts that the provider wants back to the first call that followed from them. */
function sealWith(thoughts: readonly JsonObject[], events: readonly ModelEvent[]): ModelEvent[] {
  const at = thoughts.length === 0 ? -1 : events.findIndex((event) => event.kind === 'tool-call');
  return events.map((event, index) =>
    index === at && event.kind === 'tool-call'
      ? { ...event, extra: { ...event.extra, reasoning_details: thoughts } }
      : event,
  );
}

function toDelta(stretch: Stretch): ModelEvent {
  return { kind: stretch.kind === 'text' ? 'text-delta' : 'reasoning-delta', text: stretch.text };
}

function excerpt(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
