/** One line of a difference. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
}

/** Lines of context around a change. */
const CONTEXT = 3;
/** Beyond so many differing lines the search for common ones would take too long. */
const MOST = 4000;

/** The difference of two texts by lines; long equal stretches are left out. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - end - 1] === b[b.length - end - 1]) end += 1;
  const middle = changes(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  return skipEqual([...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))]);
}

/** The longest common subsequence by the usual table; larger parts are told as removed and added. */
function changes(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = a.map((text) => ({ kind: 'removed', text }) as const);
  const added = b.map((text) => ({ kind: 'added', text }) as const);
  if (a.length === 0 || b.length === 0 || a.length > MOST || b.length > MOST || a.length * b.length > MOST * MOST)
    return [...removed, ...added];
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      table[i * width + j] =
        a[i] === b[j]
          ? at(table, (i + 1) * width + j + 1) + 1
          : Math.max(at(table, (i + 1) * width + j), at(table, i * width + j + 1));
  return walk(a, b, table);
}

function at(table: Uint16Array, index: number): number {
  return table[index] ?? 0;
}

function walk(a: readonly string[], b: readonly string[], table: Uint16Array): DiffLine[] {
  const width = b.length + 1;
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && j < b.length && a[i] === b[j];
    const isRemoved =
      !isSame && i < a.length && (j >= b.length || at(table, (i + 1) * width + j) >= at(table, i * width + j + 1));
    lines.push({
      kind: isSame ? 'same' : isRemoved ? 'removed' : 'added',
      text: (isSame || isRemoved ? a[i] : b[j]) ?? '',
    });
    if (isSame || isRemoved) i += 1;
    if (isSame || !isRemoved) j += 1;
  }
  return lines;
}

function skipEqual(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'same') continue;
    for (let other = index - CONTEXT; other <= index + CONTEXT; other += 1) near.add(other);
  }
  const result: DiffLine[] = [];
  let skipped = 0;
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) skipped += 1;
    if (near.has(index) || index === lines.length - 1) {
      if (skipped > 0) result.push({ kind: 'skipped', text: String(skipped) });
      skipped = 0;
    }
    if (near.has(index)) result.push(line);
  }
  return result;
}
