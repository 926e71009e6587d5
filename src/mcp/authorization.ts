/** What a server asked for when it refused a request for want of authorization. */
export interface AuthorizationChallenge {
  readonly status: 401 | 403;
  /** The value of `WWW-Authenticate`, where there was one. */
  readonly wwwAuthenticate: string | undefined;
  readonly url: string;
}

/** How to get past a server's sign-in. One object serves one server; it may be asked by several exchanges. */
export interface Authorization {
  /** Headers for a request to `url`: none as long as there is no token. */
  headers(url: string): Promise<Readonly<Record<string, string>>>;
  /** Deals with a refusal, with a person's help if need be. True when the request should be sent once more. */
  challenge(challenge: AuthorizationChallenge): Promise<boolean>;
}
