import { WireLog } from '../../../src/wire/wireLog.ts';
import type { WireEntry } from '../../../src/wire/wireEntry.ts';
import { capturedConversation } from './capturedConversation.ts';
import { SERVER } from './capturedServer.ts';
import type { TimedFact } from './story.ts';

/** When the captured conversation began, in milliseconds since 1970. */
export const STARTED = Date.UTC(2025, 3, 26, 7, 33, 16);

/** Entries as a log keeps them when it is told these facts. */
export function recorded(facts: readonly TimedFact[]): readonly WireEntry[] {
  let now = STARTED;
  const log = new WireLog({ now: () => now, serverOfTool: (tool) => (tool.startsWith('bb7_') ? SERVER : undefined) });
  for (const { at, fact } of facts) {
    now = STARTED + at;
    log.tap(fact);
  }
  const entries = log.entries();
  log.dispose();
  return entries;
}

/** The captured conversation as the record keeps it. */
export function recordedConversation(): readonly WireEntry[] {
  return recorded(capturedConversation());
}
