import * as oauth from 'oauth4webapi';
import { messageOf } from '../../base/caught.ts';
import { HttpError } from '../../base/httpContract.ts';
import { asString } from '../../base/json.ts';
import { SignInError } from '../signInError.ts';

/** An authorization server's refusal of a request. `error` is its code (RFC 6749 §5.2). */
export class OauthRefusal extends SignInError {
  readonly error: string;

  constructor(error: string, message: string) {
    super('failed', message);
    this.error = error;
  }
}

/**
 * An error of a sign-in in words that hold no secret: bodies, codes and tokens that the library keeps in `cause` are left
 * behind. Failures of the network stay what they are.
 */
export function explainOauthFailure(failure: unknown, what: string): Error {
  if (failure instanceof SignInError || failure instanceof HttpError) return failure;
  if (failure instanceof oauth.ResponseBodyError || failure instanceof oauth.AuthorizationResponseError) {
    const { error, error_description: description } = failure;
    const said = description === undefined ? '' : ` (${plain(description)})`;
    return new OauthRefusal(error, `${what} was refused: ${plain(error)}${said}`);
  }
  if (failure instanceof oauth.OperationProcessingError) return explainAnswer(failure, what);
  const text = messageOf(failure);
  return new SignInError('failed', `${what} failed: ${plain(text)}`);
}

function explainAnswer(failure: oauth.OperationProcessingError, what: string): SignInError {
  const response = failure.cause instanceof Response ? failure.cause : undefined;
  const status = response ? ` (HTTP ${response.status})` : '';
  const text = asString(failure.message) ?? '';
  return new SignInError('failed', `${what} failed: ${plain(text.replaceAll('"', ''))}${status}`);
}

/** One line of a stranger's text. */
function plain(text: string): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
