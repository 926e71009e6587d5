/** A request that is about to be sent. */
export interface AuthorizationRequest {
  readonly method: string;
  readonly url: string;
}

/** Headers that authorize a request, by name. */
export type AuthorizationHeaders = Readonly<Record<string, string>>;

/** What a server asked for when it refused a request for want of authorization. */
export interface AuthorizationChallenge {
  readonly status: 401 | 403;
  /** The value of `WWW-Authenticate`, where there was one; several are joined with a comma. */
  readonly wwwAuthenticate: string | undefined;
  readonly url: string;
  /** How often this very request has been refused: 1 for the first time. */
  readonly attempt: number;
  /** What {@link Authorization.headers} had given for the request. */
  readonly sent: AuthorizationHeaders;
  /** The value of `DPoP-Nonce`, where there was one (RFC 9449 §9). */
  readonly nonce: string | undefined;
}

/** How to get past a server's sign-in. One object serves one server; it may be asked by several exchanges. */
export interface Authorization {
  /** Headers for a request: none as long as there is no token. Where they are at hand they come at once, without a promise. */
  headers(request: AuthorizationRequest): AuthorizationHeaders | Promise<AuthorizationHeaders>;
  /**
   * Deals with a refusal, with a person's help if need be. True when the request should be sent once more; false when the
   * refusal stands. Rejects when signing in is needed or has failed.
   */
  challenge(challenge: AuthorizationChallenge): Promise<boolean>;
  /** Told the `DPoP-Nonce` of an answer: the next proof has to carry it. */
  onNonce?(url: string, nonce: string): void;
}
