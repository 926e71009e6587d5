import type { ClientCredentials } from './clientAuth.ts';
import { DpopKey } from './dpop.ts';
import { OauthRefusal } from './oauthFailure.ts';
import type { OauthStore } from './oauthOptions.ts';
import type { AuthorizationServer } from './serverMetadata.ts';
import { endsSoon, parseSession, sessionFrom, type Session } from './session.ts';
import type { TokenRequests } from './tokenRequests.ts';

/** A session to renew, and where it is kept. */
export interface Refresh {
  readonly store: OauthStore;
  /** Under which the session is kept. */
  readonly key: string;
  readonly session: Session;
  readonly server: AuthorizationServer;
  readonly client: ClientCredentials;
  readonly requests: TokenRequests;
  readonly now: () => number;
}

/** How often and how long, in milliseconds, is waited for another window that may be refreshing at this moment. */
const LOOKS = 4;
const LOOK_MS = 250;

const running = new WeakMap<OauthStore, Map<string, Promise<Session>>>();

/**
 * Renews a session by its refresh token, once for all who ask at the same time: a refresh token often works only once. What
 * another window has stored meanwhile is taken instead. Rejects with an {@link OauthRefusal} when the refresh token is not
 * accepted any more.
 */
export function refreshSession(refresh: Refresh): Promise<Session> {
  const { store, key } = refresh;
  const ofStore = running.get(store) ?? new Map<string, Promise<Session>>();
  running.set(store, ofStore);
  const present = ofStore.get(key);
  if (present) return present;
  const started = refreshOnce(refresh).finally(() => ofStore.delete(key));
  ofStore.set(key, started);
  return started;
}

/** One window at a time where the store can keep others out: who spends a refresh token twice is signed out by many a server. */
async function refreshOnce(refresh: Refresh): Promise<Session> {
  const unlock = await refresh.store.lock?.(refresh.key);
  try {
    return await refreshUnlessNewer(refresh);
  } finally {
    await unlock?.();
  }
}

async function refreshUnlessNewer(refresh: Refresh): Promise<Session> {
  const newer = await readNewer(refresh);
  if (newer) return newer;
  try {
    return await request(refresh);
  } catch (error) {
    if (!(error instanceof OauthRefusal)) throw error;
    for (let look = 0; look < LOOKS && error.error === 'invalid_grant'; look++) {
      const newer = await readNewer(refresh);
      if (newer) return newer;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw error;
  }
}

async function readNewer({ store, key, session, now }: Refresh): Promise<Session | undefined> {
  const stored = parseSession(await store.get(key));
  if (!stored || stored.accessToken === session.accessToken || endsSoon(stored, now())) return undefined;
  return stored;
}

async function request({ store, key, session, server, client, requests, now }: Refresh): Promise<Session> {
  const { refreshToken = '', resource, dpopKey } = session;
  const answer = await requests.token({
    server: server.metadata,
    client,
    grantType: 'refresh_token',
    parameters: { refresh_token: refreshToken, resource },
    dpop: dpopKey === undefined ? undefined : await DpopKey.restore(dpopKey),
  });
  const renewed = sessionFrom(answer, session, { now: now(), before: session });
  await store.set(key, JSON.stringify(renewed));
  return renewed;
}
