import { BodyCollector } from '../../base/httpBody.ts';
import type { HttpError, HttpListener, HttpResponseHead } from '../../base/httpExchange.ts';
import { EventStreamDecoder, type ServerSentEvent } from '../../base/sse.ts';
import type { Tap, TapSource } from '../../base/tap.ts';
import type { ModelEvent } from '../chatModel.ts';
import { AnswerFault } from './answerFault.ts';
import { decodeCompletion } from './decodeCompletion.ts';
import type { StreamDecoder } from './decodeStream.ts';
import { EmptyAnswer, RefusedRequest, WebPageAnswer } from './requestFailure.ts';

/** Told as an answer comes in: any events, then one `onEnd` or one `onFailure`. `onSignOfLife` at every byte. */
export interface AnswerListener {
  /** The endpoint took the request: its answer begins. */
  onAccepted(): void;
  onSignOfLife(): void;
  onEvents(events: readonly ModelEvent[]): void;
  onEnd(): void;
  onFailure(failure: unknown): void;
}

/**
 * Reads the response of one model request. What kind of body it is, is told by its first character, not by its type:
 * endpoints send event streams typed as JSON and JSON typed as event streams.
 */
export class AnswerReader implements HttpListener {
  readonly #decoder: StreamDecoder;
  readonly #listener: AnswerListener;
  readonly #source: TapSource;
  readonly #tap: Tap | undefined;
  readonly #body = new BodyCollector();
  readonly #stream: EventStreamDecoder;
  #kind: 'unknown' | 'stream' | 'whole' = 'unknown';
  #head: HttpResponseHead | undefined;
  #start = '';
  #isFlushing = false;
  #over = false;

  constructor(
    decoder: StreamDecoder,
    listener: AnswerListener,
    { source, tap }: { readonly source: TapSource; readonly tap?: Tap },
  ) {
    this.#decoder = decoder;
    this.#listener = listener;
    this.#source = source;
    this.#tap = tap;
    this.#stream = new EventStreamDecoder({ onEvent: (event) => this.#onEvent(event) });
  }

  onResponse(head: HttpResponseHead): void {
    this.#head = head;
    if (isAccepted(head)) this.#listener.onAccepted();
    else this.#kind = 'whole';
    this.#listener.onSignOfLife();
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#over) return;
    this.#listener.onSignOfLife();
    this.#try(() => this.#take(chunk));
  }

  onEnd(): void {
    if (this.#over) return;
    this.#try(() => this.#finish());
  }

  /** A connection that breaks after the answer was complete has broken nothing. */
  onError(error: HttpError): void {
    if (this.#over) return;
    if (this.#decoder.hasFinished) this.#try(() => this.#complete());
    else this.#fail(error);
  }

  /** Ends an answer that was complete, though its endpoint keeps the connection. */
  finishEarly(): void {
    if (!this.#over) this.#try(() => this.#complete());
  }

  #take(chunk: Uint8Array): void {
    if (this.#kind === 'unknown') this.#kind = kindOf(chunk);
    if (this.#start.length < 200) this.#start += Buffer.from(chunk).toString('utf8', 0, 200);
    if (this.#kind === 'stream') this.#stream.write(chunk);
    else this.#body.add(chunk);
  }

  #onEvent(event: ServerSentEvent): void {
    const bytes = this.#tap === undefined ? 0 : Buffer.byteLength(event.data);
    this.#tap?.({ ...this.#source, kind: 'sse-event', exchange: this.#head?.exchange ?? 0, ...event, bytes });
    if (this.#over) return;
    this.#listener.onEvents(this.#decoder.push(event.data, event.event, this.#isFlushing));
    if (this.#decoder.isDone) this.#complete();
  }

  #finish(): void {
    this.#isFlushing = true;
    if (this.#kind === 'stream') this.#stream.end({ flush: true });
    else this.#finishWhole();
    if (!this.#over) this.#complete();
  }

  #finishWhole(): void {
    const text = this.#body.text();
    const exchange = this.#head?.exchange ?? 0;
    if (text !== '') this.#tap?.({ ...this.#source, kind: 'http-body', exchange, text, bytes: this.#body.bytes });
    if (this.#head !== undefined && !isAccepted(this.#head)) throw new RefusedRequest(this.#head, text);
    if (text.trim() === '') throw new EmptyAnswer();
    if (text.trimStart().startsWith('<')) throw new WebPageAnswer(text);
    this.#listener.onEvents(decodeCompletion(text, this.#decoder));
  }

  #complete(): void {
    if (!this.#decoder.hasBegun)
      throw isNoStream(this.#start) ? new AnswerFault(this.#start.trim().slice(0, 200)) : new EmptyAnswer();
    this.#listener.onEvents(this.#decoder.end());
    this.#over = true;
    this.#listener.onEnd();
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (failure) {
      this.#fail(failure);
    }
  }

  #fail(failure: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#listener.onFailure(failure);
  }
}

function isAccepted(head: HttpResponseHead): boolean {
  return head.status >= 200 && head.status < 300;
}

/** Words where an event stream should be. */
function isNoStream(start: string): boolean {
  return start.trim() !== '' && !/^\s*[[{]/.test(start) && !/^\uFEFF?(data|event|id|retry)?:/m.test(start);
}

/** A body that begins like JSON or like a web page is read whole; anything else can only be an event stream. */
function kindOf(chunk: Uint8Array): 'unknown' | 'stream' | 'whole' {
  const start = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, 64)).toString('latin1');
  const first = start
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
    .charAt(0);
  if (first === '') return 'unknown';
  return first === '{' || first === '[' || first === '<' ? 'whole' : 'stream';
}
