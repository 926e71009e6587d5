import type {
  Authorization,
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizationRequest,
} from './authorization.ts';
import { sessionKey, type OauthOptions } from './oauth/oauthOptions.ts';

/**
 * The sign-in of one server whose code is read when it is needed: at once where a sign-in is kept already, else with the first
 * refusal. Resolves without having asked anybody anything.
 */
export async function oauthOnDemand(options: OauthOptions): Promise<Authorization> {
  const lazy = new LazyAuthorization(options);
  if ((await options.store.get(sessionKey(options))) !== undefined) await lazy.load();
  return lazy;
}

class LazyAuthorization implements Authorization {
  readonly #options: OauthOptions;
  #real: Authorization | undefined;

  constructor(options: OauthOptions) {
    this.#options = options;
  }

  async load(): Promise<Authorization> {
    const { oauthAuthorization } = await import('./oauth/authorization.ts');
    return (this.#real ??= oauthAuthorization(this.#options));
  }

  headers(request: AuthorizationRequest): AuthorizationHeaders | Promise<AuthorizationHeaders> {
    return this.#real?.headers(request) ?? {};
  }

  async challenge(challenge: AuthorizationChallenge): Promise<boolean> {
    return (await this.load()).challenge(challenge);
  }

  onNonce(url: string, nonce: string): void {
    this.#real?.onNonce?.(url, nonce);
  }
}
