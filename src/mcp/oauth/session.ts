import { asString, isRecord, parseJson } from '../../base/json.ts';
import type { TokenAnswer } from './tokenRequests.ts';

/** One sign-in at one server, as it is kept. */
export interface Session {
  /** Name of the authorization server that gave the tokens; they are shown to no other. */
  readonly issuer: string;
  readonly clientId: string;
  readonly resource: string;
  readonly accessToken: string;
  readonly tokenType: 'bearer' | 'dpop';
  readonly refreshToken?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Scopes that have been asked for so far. */
  readonly asked: readonly string[];
  /** The key that the token is bound to. */
  readonly dpopKey?: string;
}

/** A token that ends within so many milliseconds is renewed before it is used. */
const EARLY_MS = 30_000;

/** Reads what {@link JSON.stringify} made of a session; undefined for anything else. */
export function parseSession(text: string | undefined): Session | undefined {
  const parsed = parseJson(text ?? 'null');
  if (!parsed.ok || !isRecord(parsed.value)) return undefined;
  const { value } = parsed;
  const issuer = asString(value['issuer']);
  const accessToken = asString(value['accessToken']);
  if (issuer === undefined || accessToken === undefined) return undefined;
  const { asked, expiresAt } = value;
  return {
    issuer,
    accessToken,
    clientId: asString(value['clientId']) ?? '',
    resource: asString(value['resource']) ?? '',
    tokenType: value['tokenType'] === 'dpop' ? 'dpop' : 'bearer',
    refreshToken: asString(value['refreshToken']),
    expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
    asked: Array.isArray(asked) ? asked.filter((scope): scope is string => typeof scope === 'string') : [],
    dpopKey: asString(value['dpopKey']),
  };
}

/** What is the same in all sessions of one sign-in. */
export type SessionFrame = Pick<Session, 'issuer' | 'clientId' | 'resource' | 'asked' | 'dpopKey'>;

/** A refresh that brings no new refresh token leaves the old one (RFC 6749 §6). */
export function sessionFrom(
  answer: TokenAnswer,
  frame: SessionFrame,
  { now, before }: { readonly now: number; readonly before?: Session },
): Session {
  const { expires_in: seconds, refresh_token: refreshToken = before?.refreshToken } = answer;
  const { issuer, clientId, resource, asked, dpopKey } = frame;
  return {
    issuer,
    clientId,
    resource,
    asked,
    dpopKey,
    accessToken: answer.access_token,
    tokenType: answer.token_type === 'dpop' ? 'dpop' : 'bearer',
    refreshToken,
    expiresAt: seconds === undefined ? undefined : now + seconds * 1000,
  };
}

/** True when the token should be renewed before the next request. */
export function endsSoon({ expiresAt }: Session, now: number): boolean {
  return expiresAt !== undefined && expiresAt - EARLY_MS <= now;
}
