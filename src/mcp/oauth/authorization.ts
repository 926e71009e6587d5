import type {
  Authorization,
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizationRequest,
} from '../authorization.ts';
import { SignInError } from '../signInError.ts';
import { readOauthChallenge, type OauthChallenge } from './challenges.ts';
import { discover, notSaid, type Found } from './discovery.ts';
import { DpopKey } from './dpop.ts';
import { signInAlone } from './machineGrants.ts';
import { OauthFetch } from './oauthFetch.ts';
import { OauthRefusal } from './oauthFailure.ts';
import { challengeKey, sessionKey, type OauthOptions, type OauthSettings } from './oauthOptions.ts';
import { readOauthSettings } from './oauthSettings.ts';
import { refreshSession } from './refresh.ts';
import { clientOfSession } from './registration.ts';
import { asksForMore, chooseScopes } from './scopes.ts';
import { endsSoon, parseSession, type Session } from './session.ts';
import { signInWithBrowser, type SignInFlow } from './signInFlow.ts';
import { TokenRequests } from './tokenRequests.ts';

/** Signs in at one server by OAuth 2.1 as MCP uses it ("Authorization", 2025-03-26 to 2026-07-28). Throws a {@link SignInError} for bad settings. */
export function oauthAuthorization(options: OauthOptions): OauthAuthorization {
  return new OauthAuthorization(options);
}

/** The sign-in at one server: its token, its renewal, and what to do when the server refuses it. */
class OauthAuthorization implements Authorization {
  readonly #options: OauthOptions;
  readonly #settings: OauthSettings;
  readonly #fetch: OauthFetch;
  readonly #requests: TokenRequests;
  readonly #key: string;
  readonly #origin: string;
  #session: Session | undefined;
  #dpop: DpopKey | undefined;
  #isRead = false;
  /** The newest token that we got ourselves, and how. */
  #gained: { readonly token: string; readonly by: 'refresh' | 'sign-in' } | undefined;
  /** A token that was refused right after we had got it: asking again would go round in circles. */
  #refused: string | undefined;

  constructor(options: OauthOptions) {
    this.#options = options;
    this.#settings = readOauthSettings(options.settings);
    this.#fetch = new OauthFetch(options);
    this.#requests = new TokenRequests(this.#fetch);
    this.#key = sessionKey(options);
    this.#origin = new URL(options.url).origin;
    for (const secret of secretsOf(this.#settings)) this.#tellSecret(secret);
  }

  headers(request: AuthorizationRequest): AuthorizationHeaders | Promise<AuthorizationHeaders> {
    if (!this.#isOurs(request.url)) return {};
    const session = this.#session;
    const isAtHand = this.#isRead && session?.tokenType !== 'dpop' && !(session && this.#isDue(session));
    return isAtHand ? bearer(session) : this.#prepare(request);
  }

  async challenge(challenge: AuthorizationChallenge): Promise<boolean> {
    if (!this.#isOurs(challenge.url)) return false;
    return this.#guarded(() => this.#answer(challenge));
  }

  onNonce(url: string, nonce: string): void {
    // The next proof waits for it, since it is made on the same queue.
    if (this.#isOurs(url)) void this.#dpop?.learnNonce(url, nonce).catch(() => undefined);
  }

  /** Signs in although nothing was refused just now, because a person wants it. Rejects with a {@link SignInError}. */
  async signIn(): Promise<void> {
    await this.#guarded(async () => {
      await this.#read();
      const challenge = readOauthChallenge(await this.#options.store.get(challengeKey(this.#options)));
      await this.#signIn(await this.#discover(challenge), challenge);
    });
  }

  /** Forgets the tokens, and tells the authorization server so where it wants to know. */
  async signOut(): Promise<void> {
    await this.#read();
    const session = this.#session;
    const { store } = this.#options;
    this.#take(undefined);
    await store.delete(this.#key);
    await store.delete(challengeKey(this.#options));
    // Here the tokens are gone, whatever the server says to it.
    if (session) await this.#guarded(() => this.#revoke(session)).catch(() => undefined);
  }

  async #answer(refusal: AuthorizationChallenge): Promise<boolean> {
    const challenge = readOauthChallenge(refusal.wwwAuthenticate);
    if (challenge.dpopNonceNeeded && refusal.nonce !== undefined && this.#dpop) {
      await this.#dpop.learnNonce(refusal.url, refusal.nonce);
      return true;
    }
    if (refusal.status === 403 && challenge.error !== 'insufficient_scope') return false;
    await this.#read();
    const session = this.#session;
    if (session && !isTokenOf(session, refusal)) return true;
    await this.#remember(refusal);
    if (refusal.status === 403) return this.#stepUp(challenge, session);
    return this.#renew(challenge, session, refusal);
  }

  /** 403 `insufficient_scope`: asks once for what is missing besides what was asked before; what was asked for in vain stays refused. */
  async #stepUp(challenge: OauthChallenge, session: Session | undefined): Promise<boolean> {
    if (!session || !asksForMore(challenge.scopes, session.asked)) return false;
    await this.#signIn(await this.#discover(challenge), challenge);
    return true;
  }

  /** 401: renews the token, once; where that does not help, somebody has to sign in. */
  async #renew(
    challenge: OauthChallenge,
    session: Session | undefined,
    refusal: AuthorizationChallenge,
  ): Promise<boolean> {
    const gained = refusal.attempt > 1 && session?.accessToken === this.#gained?.token ? this.#gained : undefined;
    if (gained) this.#refused = gained.token;
    if (gained?.by === 'sign-in') throw refusedAnew();
    const found = await this.#discover(challenge);
    const mayRefresh = session?.refreshToken !== undefined && session.issuer === found.server.key;
    if (mayRefresh && session.accessToken !== this.#refused && (await this.#refresh(session, found))) return true;
    await this.#signIn(found, challenge);
    return true;
  }

  /** By a person or, where the settings say so, alone. */
  async #signIn(found: Found, challenge: OauthChallenge): Promise<void> {
    const isAlone = this.#settings.grant !== 'authorization_code';
    if (!isAlone && !this.#options.interactive) throw this.#needed(found, challenge);
    const flow = this.#flow(found, challenge);
    const session = isAlone ? await signInAlone(flow, this.#fetch) : await this.#byBrowser(flow, found);
    await this.#options.store.set(this.#key, JSON.stringify(session));
    await this.#options.store.delete(challengeKey(this.#options));
    await this.#adopt(session);
    this.#gained = { token: session.accessToken, by: 'sign-in' };
  }

  async #byBrowser(flow: SignInFlow, found: Found): Promise<Session> {
    try {
      return await signInWithBrowser(flow);
    } catch (error) {
      const isGuess = 'isDocumented' in found.server && found.server.isDocumented === false;
      throw isGuess && error instanceof SignInError && error.code === 'failed' ? notSaid() : error;
    }
  }

  /** Where a person has to begin the sign-in, what was asked for is kept, so that it asks for the same. */
  async #remember({ wwwAuthenticate }: AuthorizationChallenge): Promise<void> {
    if (this.#options.interactive || this.#settings.grant !== 'authorization_code') return;
    await this.#options.store.set(challengeKey(this.#options), wwwAuthenticate ?? '');
  }

  #needed({ server }: Found, challenge: OauthChallenge): SignInError {
    const { howToSignIn = 'Sign in to it', onNeeded } = this.#options;
    onNeeded?.();
    const { host } = new URL(server.metadata.issuer);
    const more = this.#session && challenge.error === 'insufficient_scope' ? challenge.scopes : undefined;
    const what = more ? `it asks for more permissions (${more.join(' ')})` : `it asks you to sign in at ${host}`;
    return new SignInError('needed', `${what}. ${howToSignIn}`);
  }

  #flow(found: Found, challenge: OauthChallenge): SignInFlow {
    const { server, resource, dpop } = found;
    const before = this.#session?.issuer === server.key ? this.#session.asked : [];
    const scopes = chooseScopes({
      configured: this.#settings.scopes,
      challenged: challenge.scopes,
      resource: found.scopes,
      before: challenge.error === 'insufficient_scope' ? before : [],
      authorizationServer: server.metadata.scopes_supported,
      offline: this.#settings.grant === 'authorization_code',
    });
    const [options, settings, requests, now] = [this.#options, this.#settings, this.#requests, this.#now()];
    return { options, settings, requests, server, resource, scopes, dpop, now };
  }

  /** False when the refresh token is not accepted any more; it is then forgotten. */
  async #refresh(session: Session, { server }: Found): Promise<boolean> {
    const { store } = this.#options;
    const client = await clientOfSession(session.clientId, { server, settings: this.#settings, store });
    const [key, requests, now] = [this.#key, this.#requests, (): number => this.#now()];
    try {
      const renewed = await refreshSession({ store, key, session, server, client, requests, now });
      await this.#adopt(renewed);
      this.#gained = { token: renewed.accessToken, by: 'refresh' };
      return true;
    } catch (error) {
      if (!(error instanceof OauthRefusal)) throw error;
      const { refreshToken: _spent, ...rest } = session;
      await store.set(key, JSON.stringify(rest));
      this.#session = rest;
      return false;
    }
  }

  /** The headers of a request for which something has to be done first. A renewal that fails lets the old token speak. */
  async #prepare(request: AuthorizationRequest): Promise<AuthorizationHeaders> {
    if (!this.#isRead) await this.#read();
    const session = this.#session;
    if (session && this.#isDue(session)) {
      await this.#guarded(async () =>
        this.#refresh(session, await this.#discover({ dpop: false, dpopNonceNeeded: false })),
      ).catch(() => undefined);
    }
    const current = this.#session;
    if (!current || current.tokenType !== 'dpop') return bearer(current);
    return this.#dpop ? this.#dpop.headers(current.accessToken, request.method, request.url) : {};
  }

  #isDue(session: Session): boolean {
    return session.refreshToken !== undefined && endsSoon(session, this.#now());
  }

  #discover(challenge: OauthChallenge): Promise<Found> {
    const [fetch, options, settings, before] = [this.#fetch, this.#options, this.#settings, this.#session?.issuer];
    return discover({ fetch, options, settings, challenge, before });
  }

  async #revoke(session: Session): Promise<void> {
    const { server } = await this.#discover({ dpop: false, dpopNonceNeeded: false });
    if (server.key !== session.issuer || server.metadata.revocation_endpoint === undefined) return;
    const { store } = this.#options;
    const client = await clientOfSession(session.clientId, { server, settings: this.#settings, store });
    for (const token of [session.refreshToken, session.accessToken]) {
      if (token !== undefined) await this.#requests.revoke(server.metadata, client, token);
    }
  }

  /** Takes what the store holds: another window may have signed in, renewed or signed out. */
  async #read(): Promise<void> {
    const stored = parseSession(await this.#options.store.get(this.#key));
    if (stored?.accessToken !== this.#session?.accessToken || !this.#isRead) await this.#adopt(stored);
    this.#isRead = true;
  }

  async #adopt(session: Session | undefined): Promise<void> {
    if (session?.dpopKey !== this.#session?.dpopKey) {
      this.#dpop = session?.dpopKey === undefined ? undefined : await DpopKey.restore(session.dpopKey);
    }
    this.#take(session);
  }

  #take(session: Session | undefined): void {
    this.#session = session;
    for (const secret of [session?.accessToken, session?.refreshToken]) this.#tellSecret(secret);
  }

  #tellSecret(secret: string | undefined): void {
    if (secret !== undefined) this.#options.onSecret?.(secret);
  }

  #isOurs(url: string): boolean {
    return new URL(url).origin === this.#origin;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  /** Errors leave without the secrets that a server may have put into them. */
  async #guarded<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw error instanceof SignInError ? new SignInError(error.code, this.#withoutSecrets(error.message)) : error;
    }
  }

  #withoutSecrets(text: string): string {
    const { accessToken, refreshToken } = this.#session ?? {};
    const secrets = [...secretsOf(this.#settings), accessToken, refreshToken];
    return secrets.reduce<string>((hidden, secret) => (secret ? hidden.replaceAll(secret, '…') : hidden), text);
  }
}

function secretsOf({ clientSecret, assertion, privateKey, identityProvider }: OauthSettings): (string | undefined)[] {
  return [clientSecret, assertion, privateKey, identityProvider?.idToken, identityProvider?.clientSecret];
}

function bearer(session: Session | undefined): AuthorizationHeaders {
  return session ? { Authorization: `Bearer ${session.accessToken}` } : {};
}

/** True when the refused request carried this very token. */
function isTokenOf(session: Session, { sent }: AuthorizationChallenge): boolean {
  return sent['Authorization']?.endsWith(` ${session.accessToken}`) === true;
}

function refusedAnew(): SignInError {
  return new SignInError('failed', 'it refuses the token that its authorization server has just given');
}
