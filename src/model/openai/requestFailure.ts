import type { HttpResponseHead } from '../../base/httpExchange.ts';
import { parseJson } from '../../base/json.ts';
import { AnswerFault, faultIn } from './answerFault.ts';

/** The endpoint answered with a status that is no success. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly head: HttpResponseHead;
  /** The body as it came. */
  readonly text: string;
  /** The provider's own words. */
  readonly fault: AnswerFault;

  constructor(head: HttpResponseHead, text: string) {
    const fault = faultOf(text);
    super(fault.message);
    this.head = head;
    this.text = text;
    this.fault = fault;
  }
}

/** A success without an answer in it. */
export class EmptyAnswer extends Error {
  override readonly name = 'EmptyAnswer';
}

/** A web page where an answer should be: the address is not the endpoint's. */
export class WebPageAnswer extends Error {
  override readonly name = 'WebPageAnswer';
  /** The page's title, or an empty string. */
  readonly title: string;

  constructor(html: string) {
    super('a web page');
    this.title = titleOf(html);
  }
}

/** No sign of life for `limitMs`. */
export class SilentEndpoint extends Error {
  override readonly name = 'SilentEndpoint';
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`silent for ${limitMs} ms`);
    this.limitMs = limitMs;
  }
}

/** A refusal says why as JSON, as a web page, or in its first line of text. */
function faultOf(text: string): AnswerFault {
  const parsed = parseJson(text);
  const fault = parsed.ok ? faultIn(parsed.value) : undefined;
  if (fault !== undefined) return fault;
  if (parsed.ok && typeof parsed.value === 'string') return new AnswerFault(parsed.value);
  const words = /^\s*</.test(text) ? titleOf(text) : (text.trim().split('\n')[0] ?? '');
  return new AnswerFault(words.length > 500 ? `${words.slice(0, 500)}…` : words);
}

function titleOf(html: string): string {
  const title = /<title[^>]*>([^<]*)</i.exec(html) ?? /<h1[^>]*>([^<]*)</i.exec(html);
  return (title?.[1] ?? '').trim();
}
