import { quantile, type Figures } from './measures.ts';
import type { PeerName } from './target.ts';

/** All that was measured: case → peer → one set of figures a round. */
export type Results = Map<string, Map<PeerName, Figures[]>>;

/** Figures of which more is better. */
const MORE_IS_BETTER = new Set(['callsPerS', 'mbPerS']);

/** One row a figure: the median of each peer, its ratio to the floor, and whether a rival is ahead of ours. */
export function printTable(results: Results, peers: readonly PeerName[]): void {
  const heads = peers.map((peer) => peer.padStart(18)).join('');
  console.log(`\n${'median, ratio to floor'.padEnd(38)}${heads}`);
  for (const [name, byPeer] of results) {
    for (const figure of figureNames(byPeer)) {
      const medians = new Map(peers.map((peer) => [peer, medianOf(byPeer.get(peer), figure)]));
      console.log(
        `${`${name} ${figure}`.padEnd(38)}${peers.map((peer) => cell(medians, peer)).join('')}${remark(medians, figure)}`,
      );
    }
  }
}

function figureNames(byPeer: ReadonlyMap<PeerName, readonly Figures[]>): string[] {
  return Object.keys([...byPeer.values()].find((rounds) => rounds.length > 0)?.[0] ?? {});
}

function medianOf(rounds: readonly Figures[] | undefined, figure: string): number | undefined {
  const values = (rounds ?? []).map((figures) => figures[figure]).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : quantile(values, 0.5);
}

function cell(medians: ReadonlyMap<PeerName, number | undefined>, peer: PeerName): string {
  const value = medians.get(peer);
  const floor = medians.get('floor');
  if (value === undefined) return '–'.padStart(18);
  const ratio = floor === undefined || peer === 'floor' || floor === 0 ? '' : ` ×${(value / floor).toFixed(2)}`;
  return `${shorten(value)}${ratio}`.padStart(18);
}

function shorten(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

/** Names the rivals that are better than ours by more than noise. */
function remark(medians: ReadonlyMap<PeerName, number | undefined>, figure: string): string {
  const ours = medians.get('ours');
  // More requests may save time: two that leave together wait for one answer.
  if (ours === undefined || figure === 'requests') return '';
  const ahead = [...medians].filter(([peer, value]) => {
    if (value === undefined || peer === 'ours' || peer === 'floor') return false;
    return MORE_IS_BETTER.has(figure) ? value > ours * 1.02 : value < ours * 0.98;
  });
  return ahead.length === 0 ? '' : `  ← ${ahead.map(([peer]) => peer).join(', ')} ahead`;
}
