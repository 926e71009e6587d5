/** One line of a difference: kept, taken away or added. */
export interface DiffLine {
  readonly kind: ' ' | '-' | '+';
  readonly text: string;
}

/** Beyond this many comparisons the middle is shown as taken away and added as a whole. */
const mostComparisons = 1_000_000;

/** The lines of two texts, with as many kept as possible. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [
    ...as(' ', a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...as(' ', a.slice(a.length - end)),
  ];
}

/** The changed lines with `context` lines around each; what is left out between shows as one line `…`. */
export function shortDiff(lines: readonly DiffLine[], context = 2): string {
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== ' '),
  );
  const texts: string[] = [];
  for (const [index, { kind, text }] of lines.entries()) {
    if (shown[index] === true) texts.push(`${kind} ${text}`);
    else if (texts.at(-1) !== '…') texts.push('…');
  }
  return texts.join('\n');
}

function as(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** The longest common subsequence, by lengths from the end. */
function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > mostComparisons) return [...as('-', a), ...as('+', b)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: ' ', text: a[i++] ?? '' });
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push({ kind: '-', text: a[i++] ?? '' });
    else lines.push({ kind: '+', text: b[j++] ?? '' });
  }
  return [...lines, ...as('-', a.slice(i)), ...as('+', b.slice(j))];
}
