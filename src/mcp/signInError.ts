/**
 * Why there are no credentials that the server accepts:
 * `needed` a person has to sign in first · `cancelled` the person, or the time limit, ended the sign-in · `failed` the
 * authorization server, or what it says, does not allow it · `unsupported` the server does not say how to sign in.
 */
export type SignInErrorCode = 'needed' | 'cancelled' | 'failed' | 'unsupported';

/**
 * There are no credentials that the server accepts. The message is fit for a person and holds no secret; there is no `cause`,
 * since what libraries throw here may carry tokens, codes and keys.
 */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly code: SignInErrorCode;

  constructor(code: SignInErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
