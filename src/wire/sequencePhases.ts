import { PROBE, type Row } from './row.ts';

/** The part of a session that something belongs to. */
export type Phase = 'connect' | 'initialize' | 'operate' | 'end';

/** True for the POST that finds out how a server speaks. */
export function isProbe(row: Row): boolean {
  return row.kind === 'rpc' && row.status === PROBE;
}

/** Which phase each row of a server belongs to: what comes before `initialize` connects, what comes after `initialized` operates. */
export function phasesOf(rows: readonly Row[]): Map<string, Phase> {
  const now = new Map<string, Phase>();
  const begun = connectionsThatBegan(rows);
  const result = new Map<string, Phase>();
  for (const row of rows) {
    if (row.peer !== 'mcp' || isProbe(row)) continue;
    const before = now.get(row.connection) ?? (begun.has(row.connection) ? 'connect' : 'operate');
    const carriesStart = row.method === 'initialize' || row.method === 'server/discover';
    const phase = carriesStart && row.kind === 'rpc' ? 'initialize' : row.method === 'DELETE' ? 'end' : before;
    now.set(row.connection, phase);
    result.set(row.key, phase);
    if (row.method === 'notifications/initialized') now.set(row.connection, 'operate');
  }
  return result;
}

/** Connections whose beginning is among the rows; of the others these are a part from the middle. */
function connectionsThatBegan(rows: readonly Row[]): Set<string> {
  const began = new Set(rows.map(({ connection }) => connection));
  for (const row of rows) if (row.kind === 'rpc' && row.direction === 'out') began.delete(row.connection);
  for (const row of rows) if (row.method === 'initialize') began.add(row.connection);
  return began;
}

const PHASES: readonly Phase[] = ['connect', 'initialize', 'operate', 'end'];

/** A session goes on only: what still comes of an earlier phase does not bring it back. */
export function isLater(phase: Phase, now: Phase | undefined): boolean {
  return now === undefined || PHASES.indexOf(phase) > PHASES.indexOf(now);
}
