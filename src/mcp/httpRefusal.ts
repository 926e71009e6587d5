import type { HttpError, HttpResponseHead } from '../base/httpExchange.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { TransportError, type TransportErrorCode } from './errors.ts';
import { SignInError } from './signInError.ts';

/** So much of a refusal's body is read, in bytes. */
export const REFUSAL_BODY_LIMIT = 64 * 1024;

/** Media type of an answer, in lower case and without parameters; empty when there is none. A gateway may have set it twice. */
export function mediaType(head: HttpResponseHead): string {
  const value = head.headers['content-type'];
  return typeof value === 'string' ? (value.split(/[;,]/, 1)[0] ?? '').trim().toLowerCase() : '';
}

export function isSuccess(head: HttpResponseHead): boolean {
  return head.status >= 200 && head.status < 300;
}

/** The error for an answer that refuses what `what` names: status, and what the body says. */
export function refusalError(server: string, what: string, head: HttpResponseHead, body: string): TransportError {
  const { status, statusText } = head;
  const said = gist(body);
  const text = `${server}: ${what} was answered with HTTP ${status}${statusText && ` ${statusText}`}${said && `: ${said}`}`;
  return new TransportError(refusalCode(status), text, {
    status,
    mayHaveRun: mayHaveRun(status),
    retryAfterMs: retryAfterMs(head),
    body: body.slice(0, 4096),
  });
}

function refusalCode(status: number): TransportErrorCode {
  if (status === 401) return 'unauthorized';
  return status === 403 ? 'forbidden' : 'http-status';
}

/** A server or gateway that fails (5xx) may have begun; 501 says that it did not. One that accepts (2xx) has, whatever it then says. */
function mayHaveRun(status: number): boolean {
  return (status >= 500 && status !== 501) || (status >= 200 && status < 300);
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterMs(head: HttpResponseHead): number | undefined {
  const value = head.headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** What a body says in at most 200 characters: the message of a JSON error, the title of a page, or the first line. */
export function gist(body: string): string {
  const json = parseJson(body);
  const text = (json.ok && messageIn(json.value)) || (/<html|<!doctype/i.test(body) ? pageText(body) : body);
  const line = text
    .split(/[\r\n]/)
    .map((part) => part.trim())
    .find((part) => part !== '');
  return line === undefined ? '' : line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return undefined;
  for (const name of ['error_description', 'message', 'detail', 'error', 'title']) {
    const found = messageIn(value[name]);
    if (found) return found;
  }
  return undefined;
}

function pageText(body: string): string {
  const match = /<pre[^>]*>([^<]+)/i.exec(body) ?? /<title[^>]*>([^<]+)/i.exec(body) ?? /<h1[^>]*>([^<]+)/i.exec(body);
  return match?.[1] ?? body.replaceAll(/<[^>]*>/g, ' ');
}

/** The error for an exchange that failed on the wire. */
export function wireError(server: string, what: string, error: HttpError): TransportError {
  const { cause } = error;
  if (cause instanceof SignInError) return new TransportError('unauthorized', `${server}: ${cause.message}`, { cause });
  const codes = {
    unreachable: 'unreachable',
    certificate: 'certificate',
    redirect: 'redirect',
    broken: 'closed',
    timeout: 'timeout',
  } as const;
  const text = `${server}: ${what} failed: ${error.message}${error.code === 'certificate' ? howToTrust(error) : ''}`;
  return new TransportError(codes[error.code], text, { mayHaveRun: error.sent, cause: error });
}

/** A certificate that is out of date, or somebody else's, is not cured by trusting its issuer. */
function howToTrust({ message }: HttpError): string {
  const isWrong = /it has expired|it is not valid yet|was revoked|was issued for/.test(message);
  const advice = isWrong
    ? 'Whoever runs the server has to renew it, or the "url" has to name the right host.'
    : 'If you know it, trust it for this server alone: name its PEM file, or that of its issuer, as "ca" beside the "url".';
  return `${message.endsWith('.') ? '' : '.'} ${advice}`;
}
