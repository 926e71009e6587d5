import type {
  Authorization,
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizationRequest,
} from './authorization.ts';

/** One server's challenges: requests that are refused together are answered by one sign-in, also where that fails. */
export class SharedChallenge {
  readonly #authorization: Authorization;
  readonly #onHold: (held: boolean) => void;
  #running: Promise<boolean> | undefined;
  #last: Promise<boolean> = Promise.resolve(true);
  #round = 0;

  constructor(authorization: Authorization, onHold: (held: boolean) => void) {
    this.#authorization = authorization;
    this.#onHold = onHold;
  }

  /** Grows with every challenge that has been answered. */
  get round(): number {
    return this.#round;
  }

  headers(request: AuthorizationRequest): AuthorizationHeaders | Promise<AuthorizationHeaders> {
    return this.#authorization.headers(request);
  }

  onNonce(url: string, nonce: string): void {
    this.#authorization.onNonce?.(url, nonce);
  }

  /** `round` is the one in which the refused request was sent: what has been decided since holds for it too. */
  answer(challenge: AuthorizationChallenge, round: number): Promise<boolean> {
    if (round !== this.#round) return this.#last;
    return (this.#running ??= this.#ask(challenge));
  }

  async #ask(challenge: AuthorizationChallenge): Promise<boolean> {
    this.#onHold(true);
    const asked = this.#authorization.challenge(challenge);
    try {
      return await asked;
    } finally {
      this.#last = asked;
      this.#round++;
      this.#running = undefined;
      this.#onHold(false);
    }
  }
}
