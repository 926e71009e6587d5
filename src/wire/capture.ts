import type { TapFact } from '../base/tap.ts';
import { keepBody } from './keepBody.ts';
import type { Redactor } from './redactor.ts';
import { promptOf } from './promptOf.ts';
import { requestSizes } from './requestSizes.ts';
import { rpcHead } from './rpcHead.ts';
import type { RpcHead, WireBody, WireEntry, WireFact } from './wireEntry.ts';

/** What a record is made with. */
export interface CaptureOptions {
  readonly redactor: Redactor;
  /** Characters of a body that are kept; 0 keeps none. */
  readonly bodyCap: () => number;
  readonly serverOfTool: (tool: string) => string | undefined;
}

type FactOf<K extends TapFact['kind']> = Extract<TapFact, { kind: K }>;

/** Characters that are kept of a prompt as the title of its turn. */
const PROMPT_LENGTH = 300;

/** The last text of a channel that may have carried a message, to keep each text once. */
interface Carrier {
  readonly seq: number;
  readonly batch: boolean;
  used: boolean;
}

/** Turns facts into what is kept of them: redacted, capped, each text once. */
export class Capture {
  readonly #options: CaptureOptions;
  readonly #carriers = new Map<string, Carrier>();
  readonly #contentTypes = new Map<number, string>();

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  /** `seq` and `at` (milliseconds since 1970) are given to the entry. */
  entry(fact: TapFact, seq: number, at: number): WireEntry {
    return { seq, at, connection: fact.connection, server: fact.server, peer: fact.peer, ...this.#keep(fact, seq) };
  }

  #keep(fact: TapFact, seq: number): WireFact {
    switch (fact.kind) {
      case 'http-request':
        return this.#request(fact, seq);
      case 'http-response':
        return this.#response(fact);
      case 'http-body':
        return this.#answerBody(fact, seq);
      case 'sse-event':
        return this.#event(fact, seq);
      case 'http-end':
        return this.#end(fact);
      case 'stdio-line':
        this.#carry(`${fact.connection} ${fact.direction}`, seq, fact.text);
        return {
          kind: fact.kind,
          direction: fact.direction,
          body: this.#body(fact.text, Buffer.byteLength(fact.text)),
        };
      case 'message':
        return this.#message(fact);
      case 'model-request':
        return this.#modelRequest(fact);
      case 'model-answer':
        return this.#modelAnswer(fact);
      default:
        return this.#small(fact);
    }
  }

  #request(fact: FactOf<'http-request'>, seq: number): WireFact {
    const { redactor } = this.#options;
    const url = redactor.url(fact.url);
    const headers = redactor.headers(fact.headers, 'request');
    const type = Object.entries(fact.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    if (fact.body !== undefined) this.#carry(`${fact.exchange} out`, seq, fact.body);
    return {
      kind: 'http-request',
      exchange: fact.exchange,
      method: fact.method,
      url,
      headers: flat(headers),
      ...(fact.body === undefined ? {} : { body: this.#body(fact.body, Buffer.byteLength(fact.body), type) }),
      ...(fact.redirectOf === undefined ? {} : { redirectOf: fact.redirectOf }),
    };
  }

  #response(fact: FactOf<'http-response'>): WireFact {
    const type = fact.headers['content-type'];
    if (typeof type === 'string') this.#contentTypes.set(fact.exchange, type);
    const { kind, exchange, status, statusText } = fact;
    const headers = this.#options.redactor.headers(fact.headers, 'response');
    return { kind, exchange, status, statusText, headers };
  }

  #answerBody(fact: FactOf<'http-body'>, seq: number): WireFact {
    this.#carry(`${fact.exchange} in`, seq, fact.text);
    const { kind, exchange } = fact;
    return { kind, exchange, body: this.#body(fact.text, fact.bytes, this.#contentTypes.get(exchange)) };
  }

  #event(fact: FactOf<'sse-event'>, seq: number): WireFact {
    const { redactor } = this.#options;
    this.#carry(`${fact.exchange} in`, seq, fact.data);
    const endpoint = fact.event === 'endpoint';
    if (endpoint) redactor.url(fact.data);
    const body = endpoint ? { text: redactor.url(fact.data), bytes: fact.bytes } : this.#body(fact.data, fact.bytes);
    return {
      kind: fact.kind,
      exchange: fact.exchange,
      ...(fact.event === undefined ? {} : { event: redactor.text(fact.event) }),
      ...(fact.id === undefined ? {} : { id: redactor.text(fact.id) }),
      body,
      ...(fact.incomplete === true ? { incomplete: true } : {}),
    };
  }

  #end(fact: FactOf<'http-end'>): WireFact {
    this.#carriers.delete(`${fact.exchange} in`);
    this.#carriers.delete(`${fact.exchange} out`);
    this.#contentTypes.delete(fact.exchange);
    const { kind, exchange, outcome } = fact;
    return { kind, exchange, outcome, ...this.#error(fact.error) };
  }

  #message(fact: FactOf<'message'>): WireFact {
    const head = this.#head(rpcHead(fact.message));
    const { kind, direction, bytes, exchange } = fact;
    const at = { kind, direction, head, bytes, ...(exchange === undefined ? {} : { exchange }) };
    const carrier = this.#carriers.get(`${exchange ?? fact.connection} ${direction}`);
    if (carrier && (!carrier.used || carrier.batch)) {
      carrier.used = true;
      return { ...at, carrier: carrier.seq };
    }
    return { ...at, body: this.#body(JSON.stringify(fact.message) ?? '', bytes) };
  }

  #head(head: RpcHead): RpcHead {
    const { redactor } = this.#options;
    if (head.kind === 'error') return { ...head, message: redactor.message(head.message) };
    if (head.kind === 'notification' && head.reason !== undefined)
      return { ...head, reason: redactor.message(head.reason) };
    if (head.kind === 'request' && head.target !== undefined) return { ...head, target: redactor.url(head.target) };
    return head;
  }

  #modelRequest(fact: FactOf<'model-request'>): WireFact {
    const { kind, turn, step, model, logical, exchange, maxInputTokens, bytes } = fact;
    const sizes = requestSizes(fact.body, bytes, this.#options.serverOfTool);
    const prompt = this.#options.bodyCap() === 0 ? undefined : promptOf(fact.body);
    const at = {
      ...(prompt === undefined ? {} : { prompt: this.#options.redactor.text(prompt).slice(0, PROMPT_LENGTH) }),
      ...{ kind, turn, step, model, logical, bytes, sizes },
      ...(exchange === undefined ? {} : { exchange }),
      ...(maxInputTokens === undefined ? {} : { maxInputTokens }),
    };
    if (exchange !== undefined && this.#carriers.has(`${exchange} out`)) return at;
    return { ...at, body: this.#body(JSON.stringify(fact.body) ?? '', bytes) };
  }

  #modelAnswer(fact: FactOf<'model-answer'>): WireFact {
    const { kind, turn, step, finish, inputTokens, outputTokens } = fact;
    const toolCalls = fact.toolCalls.map(({ id, name, arguments: args }) => ({
      id,
      name,
      arguments: this.#body(JSON.stringify(args) ?? '', 0).text,
    }));
    return {
      kind,
      turn,
      step,
      text: this.#body(fact.text, Buffer.byteLength(fact.text)),
      toolCalls,
      finish,
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    };
  }

  #small(
    fact: Exclude<
      TapFact,
      FactOf<
        | 'http-request'
        | 'http-response'
        | 'http-body'
        | 'sse-event'
        | 'http-end'
        | 'stdio-line'
        | 'message'
        | 'model-request'
        | 'model-answer'
      >
    >,
  ): WireFact {
    const { connection: _connection, server: _server, peer: _peer, ...kept } = fact;
    const { redactor } = this.#options;
    if (kept.kind === 'note') return { ...kept, text: redactor.message(kept.text) };
    if (kept.kind === 'connection-close') return { kind: kept.kind, ...this.#error(kept.error) };
    if (kept.kind === 'process-start') return { ...kept, ...this.#command(kept.command, kept.args) };
    return kept;
  }

  #command(command: string, args: readonly string[]): { command: string; args: readonly string[] } {
    const { redactor } = this.#options;
    const hidden = args.map((arg, index) => {
      const flagged = redactor.text(`${args[index - 1] ?? ''} ${arg}`);
      const flag = redactor.text(args[index - 1] ?? '');
      return flagged.startsWith(`${flag} `) ? flagged.slice(flag.length + 1) : redactor.text(arg);
    });
    return { command: redactor.text(command), args: hidden };
  }

  #error(error: string | undefined): { error?: string } {
    return error === undefined ? {} : { error: this.#options.redactor.message(error) };
  }

  #body(text: string, bytes: number, contentType?: string): WireBody {
    const { redactor, bodyCap } = this.#options;
    return keepBody(text, { bytes, cap: bodyCap() }, (part) => redactor.body(part, contentType));
  }

  #carry(channel: string, seq: number, text: string): void {
    this.#carriers.set(channel, { seq, batch: text.trimStart().startsWith('['), used: false });
  }
}

function flat(headers: Readonly<Record<string, string | readonly string[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );
}
