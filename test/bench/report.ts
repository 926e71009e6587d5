import { quantile, type Figures } from './measures.ts';
import type { PeerName } from './target.ts';

/** All that was measured: case → peer → one set of figures a round. */
export type Results = Map<string, Map<PeerName, Figures[]>>;

interface Unit {
  readonly title: string;
  /** More is better, or less. */
  readonly better: 'more' | 'less';
}

const units: Readonly<Record<string, Unit>> = {
  importMs: { title: 'import, ms', better: 'less' },
  connectMs: { title: 'connect and list, ms', better: 'less' },
  totalMs: { title: 'all of it, ms', better: 'less' },
  cpuMs: { title: 'CPU, ms', better: 'less' },
  p50Ms: { title: 'median, ms', better: 'less' },
  p99Ms: { title: '99th percentile, ms', better: 'less' },
  cpuUs: { title: 'CPU a call, µs', better: 'less' },
  callsPerS: { title: 'calls a second', better: 'more' },
  mbPerS: { title: 'MB a second', better: 'more' },
  rssMb: { title: 'memory at the peak, MB', better: 'less' },
  ms: { title: 'time, ms', better: 'less' },
  stallMs: { title: 'longest stall, ms', better: 'less' },
  heldMb: { title: 'memory held, MB', better: 'less' },
  requests: { title: 'requests', better: 'less' },
  trips: { title: 'round trips', better: 'less' },
};

/** What is wanted of a row as ratio to the floor: at most, where less is better, at least, where more is. */
function wantedRatio(name: string, figure: string): number | undefined {
  if (figure === 'callsPerS') return 0.87;
  if (figure === 'mbPerS') return name.endsWith('16 MB') ? 0.85 : undefined;
  if (figure === 'p50Ms' && name.endsWith('seq')) return 1.15;
  if (figure === 'cpuUs') return 1.15;
  if (figure === 'ms') return name.endsWith('servers') ? 1.2 : name.endsWith('list 1000') ? 1.15 : undefined;
  return undefined;
}

const rivals: readonly PeerName[] = ['sdk1', 'sdk2'];
const columns: readonly PeerName[] = ['floor', 'ours', ...rivals];
type Medians = ReadonlyMap<PeerName, number>;

/** One row a figure: the median of each peer with its ratio to the floor, what is wanted, and which rival is ahead of ours. */
export function printTable(results: Results): void {
  console.log(`\nMedians and ratios to the floor.\n`);
  console.log(`${'row'.padEnd(40)}${columns.map((peer) => peer.padStart(16)).join('')}  wanted`);
  const failed: string[] = [];
  for (const [name, byPeer] of results) {
    for (const figure of figureNames(byPeer)) {
      const medians = mediansOf(byPeer, figure);
      const row = `${name}: ${units[figure]?.title ?? figure}`;
      const remarks = remarksOn(name, figure, medians);
      if (remarks.some((remark) => remark.startsWith('✗'))) failed.push(row);
      console.log(`${row.padEnd(40)}${columns.map((peer) => cell(medians, peer)).join('')}  ${remarks.join('; ')}`);
    }
  }
  console.log(failed.length === 0 ? '\nAll that is wanted holds.' : `\nNot as wanted: ${failed.join(' · ')}`);
}

/** What recording costs: ours with and without it. */
export function printRecording(results: Results): void {
  const recorded = [...results].filter(([, byPeer]) => (byPeer.get('recorded') ?? []).length > 0);
  if (recorded.length === 0) return;
  console.log(`\n${'recording'.padEnd(40)}${'off'.padStart(16)}${'on'.padStart(16)}`);
  for (const [name, byPeer] of recorded) {
    for (const figure of figureNames(byPeer)) {
      const medians = mediansOf(byPeer, figure);
      const row = `${name}: ${units[figure]?.title ?? figure}`.padEnd(40);
      console.log(`${row}${cell(medians, 'ours', 'ours')}${cell(medians, 'recorded', 'ours')}`);
    }
  }
}

function figureNames(byPeer: ReadonlyMap<PeerName, readonly Figures[]>): string[] {
  return Object.keys([...byPeer.values()].find((rounds) => rounds.length > 0)?.[0] ?? {});
}

function mediansOf(byPeer: ReadonlyMap<PeerName, readonly Figures[]>, figure: string): Medians {
  const medians = new Map<PeerName, number>();
  for (const [peer, rounds] of byPeer) {
    const values = rounds.map((figures) => figures[figure]).filter((value) => value !== undefined);
    if (values.length > 0) medians.set(peer, quantile(values, 0.5));
  }
  return medians;
}

function cell(medians: Medians, peer: PeerName, base: PeerName = 'floor'): string {
  const value = medians.get(peer);
  const floor = medians.get(base);
  if (value === undefined) return '–'.padStart(16);
  const ratio = floor === undefined || peer === base || floor <= 0 ? '' : ` ×${(value / floor).toFixed(2)}`;
  return `${shorten(value)}${ratio}`.padStart(16);
}

function shorten(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

/** Whether the wanted ratio holds, and the rivals that are ahead by more than noise. */
function remarksOn(name: string, figure: string, medians: Medians): string[] {
  const [ours, floor] = [medians.get('ours'), medians.get('floor')];
  if (ours === undefined) return [];
  const more = units[figure]?.better === 'more';
  const remarks: string[] = [];
  const wanted = wantedRatio(name, figure);
  if (wanted !== undefined && floor !== undefined) {
    const holds = more ? ours / floor >= wanted : ours / floor <= wanted;
    remarks.push(`${holds ? '✓' : '✗'} ${more ? '≥' : '≤'} ×${wanted}`);
  }
  if (figure === 'heldMb') remarks.push(`${ours <= 20 ? '✓' : '✗'} ≤ 20`);
  // More requests may save time: two that leave together wait for one answer.
  const ahead = figure === 'requests' ? [] : rivals.filter((peer) => isAhead(medians.get(peer), ours, more));
  if (ahead.length > 0) remarks.push(`✗ ${ahead.join(', ')} ahead`);
  return remarks;
}

function isAhead(rival: number | undefined, ours: number, more: boolean): boolean {
  return rival !== undefined && (more ? rival > ours * 1.02 : rival < ours * 0.98);
}
