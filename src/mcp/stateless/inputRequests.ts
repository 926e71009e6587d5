import { isRecord, type JsonObject } from '../../base/json.ts';
import { ProtocolError, RpcError } from '../errors.ts';
import type { RequestAnswer } from '../inboundRequests.ts';
import { errorCode } from '../jsonrpc.ts';
import { unlessAborted } from './pause.ts';

/** What a server may ask for by a result (2026-07-28, "Multi Round-Trip Requests"). */
const askable = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);
/** More questions than this in one result are not answered. */
const MOST_QUESTIONS = 100;

/**
 * Answers the questions of one result by those who answer a server's own requests in the revisions with a session: one
 * after the other, because most of them end before a person. Rejects with a ProtocolError for questions that may not be
 * asked, and as the answer does: there is no way to send a refusal back, so that what asked has failed.
 */
export async function answerInputRequests(
  requests: unknown,
  context: {
    readonly server: string;
    readonly answers: ReadonlyMap<string, RequestAnswer>;
    readonly signal: AbortSignal;
    /** Keys that have been answered before and are passed over. */
    readonly answered?: ReadonlySet<string>;
  },
): Promise<JsonObject> {
  const { server, answers, signal, answered } = context;
  if (!isRecord(requests)) throw new ProtocolError('result', `${server}: the result asks for input in no known way`);
  const open = Object.entries(requests).filter(([key]) => !answered?.has(key));
  if (open.length > MOST_QUESTIONS)
    throw new ProtocolError('result', `${server}: the result asks ${open.length} questions`);
  const responses: [string, unknown][] = [];
  for (const [key, request] of open) {
    signal.throwIfAborted();
    const answer = answerTo(request, answers, server);
    const params = isRecord(request) ? request['params'] : undefined;
    responses.push([key, (await unlessAborted(answer(params ?? {}, signal), signal)) ?? {}]);
  }
  return Object.fromEntries(responses);
}

function answerTo(request: unknown, answers: ReadonlyMap<string, RequestAnswer>, server: string): RequestAnswer {
  const method = isRecord(request) ? request['method'] : undefined;
  if (typeof method !== 'string')
    throw new ProtocolError('result', `${server}: a question of the server names no method`);
  const answer = askable.has(method) ? answers.get(method) : undefined;
  if (answer) return answer;
  throw new RpcError(errorCode.methodNotFound, `${server}: the server asks for ${method}, which is not offered to it`);
}
