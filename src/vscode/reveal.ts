import { asString, isRecord } from '../base/json.ts';
import type { ToPage } from '../wire/inspectorProtocol.ts';
import type { WireSession } from '../wire/wireSession.ts';

/**
 * What to show when the inspector opens, as its command is told: a chat turn, a call of the agent's by its id, a server by its name.
 */
export interface Reveal {
  readonly turn?: string;
  readonly callId?: string;
  readonly server?: string;
}

/** Reads the argument of the command, which links in the chat carry. Anything else opens the inspector as it is. */
export function readReveal(argument: unknown): Reveal {
  if (!isRecord(argument)) return {};
  const turn = asString(argument.turn);
  const callId = asString(argument.callId);
  const server = asString(argument.server);
  return {
    ...(turn === undefined ? {} : { turn }),
    ...(callId === undefined ? {} : { callId }),
    ...(server === undefined ? {} : { server }),
  };
}

/** The message to the page, where there is something to show. A call that is not kept any more has no `key`. */
export function revealMessage(
  reveal: Reveal,
  session: Pick<WireSession, 'rows'>,
): Extract<ToPage, { kind: 'reveal' }> | undefined {
  const { turn, callId, server } = reveal;
  if (turn === undefined && callId === undefined && server === undefined) return undefined;
  const row = callId === undefined ? undefined : session.rows().findLast((other) => other.callId === callId);
  return {
    kind: 'reveal',
    ...(turn === undefined ? {} : { turn }),
    ...(row ? { key: row.key } : {}),
    ...(server === undefined ? {} : { filter: `server:"${server.replaceAll('"', '')}"` }),
  };
}
