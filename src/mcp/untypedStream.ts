import { isSuccess, mediaType } from './httpRefusal.ts';
import type { HttpResponseHead } from '../base/httpExchange.ts';

/** Types that servers and gateways give to what they know nothing about. */
const UNTYPED: ReadonlySet<string> = new Set(['', 'text/plain', 'application/octet-stream', 'binary/octet-stream']);
/** So many bytes tell an event stream from something else: the longest name of a field, a blank and the colon. */
const ENOUGH = 8;

/** Whether an answer may be an event stream although its content type says nothing of the kind. */
export function mayBeEvents(head: HttpResponseHead): boolean {
  return isSuccess(head) && UNTYPED.has(mediaType(head));
}

/** Whether bytes begin as an event stream does, with a field or a comment; undefined while there are too few of them to tell. */
export function looksLikeEvents(bytes: Uint8Array): boolean | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64)).toString('utf8');
  const text = start.replace(/^\uFEFF?[\r\n]*/, '');
  if (/^(?:event|data|id|retry)?:/.test(text)) return true;
  return text.length < ENOUGH && !/[^a-z]/.test(text) ? undefined : false;
}
