import { MARK_PATTERN } from './secretMarks.ts';
import type { EntryOf } from './wireEntry.ts';

/** One HTTP exchange: its request, and what came of it. */
export interface Exchange {
  readonly request: EntryOf<'http-request'>;
  readonly rest: readonly EntryOf<'http-response' | 'http-body' | 'sse-event' | 'http-end'>[];
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** HAR wants addresses; the marks of hidden secrets hold characters that these must not have. */
export function harUrl(url: string): string {
  return url.replace(MARK_PATTERN, (mark) => encodeURIComponent(mark));
}

/** Undoes {@link harUrl}. */
export function wireUrl(url: string): string {
  return url.replace(/%5B(?:redacted|session)(?:%20|%[0-9A-F]{2}|[\w.-])*?%5D/g, (mark) => decodeURIComponent(mark));
}

/** Headers as HAR writes them: one object for each value. */
export function harHeaders(headers: Headers): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => ({ name, value: one })),
  );
}

/** The value of `Content-Type`; empty where there is none. */
export function mimeTypeOf(headers: Headers): string {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return typeof type === 'string' ? type : '';
}

/** The fields of the query of an address, with their escapes resolved where they can be. */
export function queryOf(url: string): { name: string; value: string }[] {
  const query = /\?([^#]*)/.exec(harUrl(url))?.[1] ?? '';
  return query === ''
    ? []
    : query.split('&').map((field) => {
        const [name = '', ...value] = field.split('=');
        return { name, value: wireUrl(value.join('=')) };
      });
}

/** The events as a stream would have them (HTML standard, "Server-sent events"). */
export function streamText(events: readonly EntryOf<'sse-event'>[]): string {
  return events
    .map(({ event, id, body, incomplete }) => {
      if (incomplete === true) return body.text;
      const lines = [
        ...(event === undefined ? [] : [`event: ${event}`]),
        ...(id === undefined ? [] : [`id: ${id}`]),
        ...body.text.split('\n').map((line) => `data: ${line}`),
      ];
      return `${lines.join('\n')}\n\n`;
    })
    .join('');
}

/** Milliseconds as HAR has them; what is not known is −1. An open exchange has lasted until its last event. */
export function timesOf({ request, rest }: Exchange): { time: number; timings: Record<string, number> } {
  const head = rest.find((entry) => entry.kind === 'http-response');
  const last = rest.at(-1);
  const wait = Math.max(0, (head ?? last ?? request).at - request.at);
  const receive = Math.max(0, (last ?? request).at - (head ?? last ?? request).at);
  const timings = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait, receive };
  return { time: wait + receive, timings };
}
