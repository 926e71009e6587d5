import type { Tap } from '../../base/tap.ts';

/** Where sign-ins are kept: strings under keys, safe from other programs (the editor's secret storage). */
export interface OauthStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Waits until no other process changes what is under `key`, and keeps others out until the result is called. */
  lock?(key: string): Promise<() => Promise<void>>;
}

/** A place that the browser comes back to. */
export interface Redirect {
  /** As the browser reaches it. */
  readonly uri: string;
  /** The parameters of the answer that carries this `state`; anything else that comes is turned away. Rejects when `signal` is aborted. */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

/** Opens a place that the browser can come back to, if possible on the port that was used before. */
export type OpenRedirect = (preferredPort: number | undefined) => Promise<Redirect>;

/** What the `oauth` object of a server's entry says, checked by `readOauthSettings`. */
export interface OauthSettings {
  /** Which grant: by default a person signs in. */
  readonly grant: 'authorization_code' | 'client_credentials' | 'jwt_bearer' | 'enterprise';
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The authorization server that `clientId` belongs to; another one is refused. */
  readonly issuer?: string;
  /** Asked for in place of what the server names. */
  readonly scopes?: readonly string[];
  /** The resource that the server may name in place of its address. */
  readonly resource?: string;
  /** Port of the address that the browser comes back to, where the client is registered with one. */
  readonly callbackPort?: number;
  /** An https address where a document describes this client (client ID metadata document). */
  readonly clientMetadataUrl?: string;
  /** Binds tokens to a key (DPoP), also where the server does not ask for it. */
  readonly dpop: boolean;
  /** PEM text of the key that the client authenticates with (`private_key_jwt`). */
  readonly privateKey?: string;
  readonly keyId?: string;
  /** Of the key; by default what fits it. */
  readonly algorithm?: string;
  /** A workload's own token, or the file that holds it. */
  readonly assertion?: string;
  readonly assertionFile?: string;
  readonly identityProvider?: IdentityProvider;
}

/** Where enterprise-managed authorization begins: the company's own sign-in. */
export interface IdentityProvider {
  readonly tokenEndpoint?: string;
  readonly issuer?: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly idToken: string;
}

/** A server to sign in to, and what of this side that takes. */
export interface OauthOptions {
  /** The server's name, for errors. */
  readonly server: string;
  /** Its configured address. */
  readonly url: string;
  /** Sign-ins of the same address under another name are kept apart. Default: none. */
  readonly account?: string;
  /** The `oauth` object of its entry. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly store: OauthStore;
  /** True while a person waits for the sign-in: the browser may be opened. */
  readonly interactive: boolean;
  readonly openBrowser: (url: string) => Promise<void>;
  /** Default: a listener on 127.0.0.1. */
  readonly redirect?: OpenRedirect;
  /** What the authorization server shows to the person. */
  readonly clientName?: string;
  /** As in {@link OauthSettings}, for all servers. */
  readonly clientMetadataUrl?: string;
  /** The revision that is spoken, for discovery as in 2025-03-26. */
  readonly protocolVersion?: string;
  /** Ends the error that says that a person has to sign in: what to do. */
  readonly howToSignIn?: string;
  /** Certificates (PEM) to trust besides the others. */
  readonly ca?: readonly string[];
  readonly tap?: Tap;
  /** Told each token and secret as soon as it is known, so that records hide it. */
  readonly onSecret?: (value: string) => void;
  /** Told when nothing but a person's sign-in helps. */
  readonly onNeeded?: () => void;
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Under which the sign-in to one server is kept. An address that changes finds nothing, so no token goes elsewhere. */
export function sessionKey({ url, account }: Pick<OauthOptions, 'url' | 'account'>): string {
  const { origin, pathname } = new URL(url);
  return `oauth.session:${account ?? ''}:${origin}${pathname}`;
}

/** Under which is kept what the server asked for when it refused us last, until somebody signs in. */
export function challengeKey(options: Pick<OauthOptions, 'url' | 'account'>): string {
  return sessionKey(options).replace('oauth.session:', 'oauth.challenge:');
}
