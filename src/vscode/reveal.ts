import { asString, isRecord } from '../base/json.ts';
import type { ToPage } from '../wire/inspectorProtocol.ts';
import type { Row } from '../wire/row.ts';
import type { WireSession } from '../wire/wireSession.ts';

/**
 * What to show when the inspector opens, as its command is told: a chat turn, a call of the agent's by its id, a server by its name.
 */
export interface Reveal {
  readonly turn?: string;
  readonly callId?: string;
  /** Milliseconds since 1970: when the call was about to be made. Some models number their calls anew in each turn. */
  readonly since?: number;
  readonly server?: string;
}

/** Reads the argument of the command, which links in the chat carry. Anything else opens the inspector as it is. */
export function readReveal(argument: unknown): Reveal {
  if (!isRecord(argument)) return {};
  const turn = asString(argument.turn);
  const callId = asString(argument.callId);
  const server = asString(argument.server);
  const { since } = argument;
  return {
    ...(turn === undefined ? {} : { turn }),
    ...(callId === undefined ? {} : { callId }),
    ...(typeof since === 'number' ? { since } : {}),
    ...(server === undefined ? {} : { server }),
  };
}

/** The message to the page, where there is something to show. A call that is not kept any more has no `key`. */
export function revealMessage(
  reveal: Reveal,
  session: Pick<WireSession, 'rows'>,
): Extract<ToPage, { kind: 'reveal' }> | undefined {
  const { turn, callId, since, server } = reveal;
  if (turn === undefined && callId === undefined && server === undefined) return undefined;
  const row = callId === undefined ? undefined : rowOfCall(session.rows(), callId, since);
  return {
    kind: 'reveal',
    ...(turn === undefined ? {} : { turn }),
    ...(row ? { key: row.key } : {}),
    ...(server === undefined ? {} : { filter: `server:"${server.replaceAll('"', '')}"` }),
  };
}

/** The clocks of the record and of the link may differ by so much, in milliseconds. */
const CLOCKS_MS = 1000;

/** The first call with this id from then on; without a time the latest. */
function rowOfCall(rows: readonly Row[], callId: string, since: number | undefined): Row | undefined {
  const calls = rows.filter((row) => row.callId === callId);
  return since === undefined ? calls.at(-1) : calls.find(({ at }) => at >= since - CLOCKS_MS);
}
