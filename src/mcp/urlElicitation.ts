import { isRecord } from '../base/json.ts';
import { RpcError } from './errors.ts';
import type { RequestAnswer } from './inboundRequests.ts';

/** The code by which a server refuses a request until the person has been to a page (2025-11-25, "URL Elicitation Required"). */
const URL_ELICITATION_REQUIRED = -32042;
/** More pages than this in one refusal are not opened. */
const MOST_PAGES = 10;

/**
 * Puts the pages that a refusal names to whoever answers `elicitation/create`, one after the other, each with `retry: true`
 * among its parameters: the answer should come when the person is through with the page. True when all were accepted, so
 * that the refused request may be sent once more. False for any other error, and where nobody answers.
 */
export async function mayTryAgain(
  error: unknown,
  answer: RequestAnswer | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(error instanceof RpcError) || error.code !== URL_ELICITATION_REQUIRED || !answer) return false;
  const pages = isRecord(error.data) ? error.data['elicitations'] : undefined;
  if (!Array.isArray(pages) || pages.length === 0 || pages.length > MOST_PAGES) return false;
  for (const page of pages) {
    if (!isRecord(page)) return false;
    const result = await answer({ message: error.message, ...page, mode: 'url', retry: true }, signal);
    if (!isRecord(result) || result['action'] !== 'accept') return false;
  }
  return true;
}
