import { HttpError } from '../../base/httpExchange.ts';
import { AnswerFault } from './answerFault.ts';
import { isQuota } from './explainFailure.ts';
import { EmptyAnswer, RefusedRequest } from './requestFailure.ts';

/** How often and how long to try again, where nothing of an answer has come. */
export interface RetryPolicy {
  /** Attempts after the first. Default 3. */
  readonly retries?: number;
  /** The first pause is up to this long, each further one up to twice as long. Milliseconds; default 500. */
  readonly baseMs?: number;
  /** No pause is longer; an endpoint that asks for more is not waited for. Milliseconds; default 60,000. */
  readonly capMs?: number;
  /** How long to wait for a model that is being loaded, in milliseconds. Default 120,000. */
  readonly loadingMs?: number;
  /** From 0 to 1; for tests. */
  readonly random?: () => number;
  /** Rejects when `signal` is aborted; for tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** What has been tried for one request. */
export interface Tries {
  /** Attempts so far, from 1. */
  readonly count: number;
  /** Milliseconds since the first. */
  readonly elapsedMs: number;
}

/** The pause before the next attempt in milliseconds, or undefined where there should be none. */
export function pauseBefore(failure: unknown, tries: Tries, policy: RetryPolicy): number | undefined {
  const { retries = 3, baseMs = 500, capMs = 60_000, loadingMs = 120_000, random = Math.random } = policy;
  const asked = askedPause(failure, policy);
  if (asked !== undefined && asked > capMs) return undefined;
  if (isLoading(failure)) return tries.elapsedMs < loadingMs ? Math.max(asked ?? 0, 1000) : undefined;
  if (tries.count > Math.min(retries, mostRetries(failure))) return undefined;
  const jitter = random() * Math.min(capMs, baseMs * 2 ** (tries.count - 1));
  return asked === undefined ? jitter : asked;
}

/** How often an attempt that failed like this may be repeated. */
function mostRetries(failure: unknown): number {
  if (failure instanceof EmptyAnswer) return 1;
  if (failure instanceof HttpError) return failure.code === 'unreachable' || failure.code === 'broken' ? 2 : 0;
  if (failure instanceof RefusedRequest) return isPassing(failure.head.status, failure.fault) ? Infinity : 0;
  if (failure instanceof AnswerFault) return isPassingFault(failure) ? Infinity : 0;
  return 0;
}

const passingStatus: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

function isPassing(status: number, fault: AnswerFault): boolean {
  return passingStatus.has(status) && !isQuota(fault);
}

function isPassingFault(fault: AnswerFault): boolean {
  if (fault.status !== undefined) return isPassing(fault.status, fault);
  return /overloaded|rate_limit|unavailable|server_error|timeout/.test(fault.providerCode) && !isQuota(fault);
}

/** llama.cpp and others answer 503 while they load a model. */
function isLoading(failure: unknown): boolean {
  return failure instanceof RefusedRequest && failure.head.status === 503 && /\bloading\b/i.test(failure.fault.message);
}

/** The pause that the endpoint asks for: `Retry-After` in seconds or as a date, `retry-after-ms`, or a `retryDelay` in the body. */
function askedPause(failure: unknown, policy: RetryPolicy): number | undefined {
  if (!(failure instanceof RefusedRequest)) return undefined;
  const { headers } = failure.head;
  const inMs = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(inMs) && inMs >= 0) return inMs;
  const after = headers['retry-after'];
  if (typeof after === 'string' && after.trim() !== '') return readRetryAfter(after.trim(), (policy.now ?? Date.now)());
  const delay = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(failure.text)?.[1];
  return delay === undefined ? undefined : Number(delay) * 1000;
}

/** RFC 9110, section 10.2.3. */
function readRetryAfter(value: string, now: number): number | undefined {
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
