import type { Clock } from '../../base/clock.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { ProtocolError } from '../errors.ts';
import type { RequestAnswer } from '../inboundRequests.ts';
import { answerInputRequests } from './inputRequests.ts';
import { pause } from './pause.ts';

/** A request is sent again for want of input at most so many times. */
const MOST_ROUNDS = 32;
/** Milliseconds before a request is sent again when nothing was asked, then twice as long … */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

/** Only these may be answered with a question ("Supported Requests"). */
const mayAsk = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Who answers what the server asks inside a request. */
export interface RoundTripContext {
  readonly server: string;
  readonly clock: Clock;
  readonly answers: ReadonlyMap<string, RequestAnswer>;
  readonly signal: AbortSignal;
}

/** What a result is, by its `resultType`. */
export type ResultType = 'complete' | 'input_required' | 'task';

/** What a result is; one without a type is complete. Throws a ProtocolError for a type that is not known. */
export function resultType(result: unknown, server: string): ResultType {
  const type = isRecord(result) ? result['resultType'] : undefined;
  if (type === undefined || type === null || type === 'complete') return 'complete';
  if (type === 'input_required' || type === 'task') return type;
  throw new ProtocolError('result', `${server}: the result is of the unknown type ${JSON.stringify(type)}`);
}

/** A request that was sent once, its result, and how it is sent again with more members. */
export interface FirstRound {
  readonly method: string;
  readonly first: unknown;
  readonly send: (members: JsonObject) => Promise<unknown>;
}

/**
 * Goes on from the first result of a request until one asks for nothing any more (2026-07-28, "Multi Round-Trip Requests").
 * Each round is a request of its own, with what was asked for and with the server's state exactly as it came in the round
 * before; nothing of it is known to any other request. Resolves with a result that is complete or a task.
 */
export async function askInRounds({ method, first, send }: FirstRound, context: RoundTripContext): Promise<unknown> {
  const { server, clock, signal } = context;
  let result = first;
  let pauseMs = FIRST_PAUSE_MS;
  for (let round = 1; isRecord(result) && resultType(result, server) === 'input_required'; round++) {
    const { inputRequests, requestState } = result;
    const fault = faultOf(method, result, round);
    if (fault !== undefined) throw new ProtocolError('result', `${server}: ${method} ${fault}`);
    const inputResponses = isAbsent(inputRequests) ? undefined : await answerInputRequests(inputRequests, context);
    if (!inputResponses) {
      await pause(pauseMs, clock, signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
    result = await send({
      ...(inputResponses && { inputResponses }),
      ...(!isAbsent(requestState) && { requestState }),
    });
  }
  return result;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Why a question breaks the rules, or is one too many. */
function faultOf(method: string, { inputRequests, requestState }: JsonObject, round: number): string | undefined {
  if (!mayAsk.has(method)) return 'was answered with a question';
  if (isAbsent(inputRequests) && isAbsent(requestState)) return 'was answered with a question that asks nothing';
  return round > MOST_ROUNDS ? `asked for input more than ${MOST_ROUNDS} times` : undefined;
}
