import type { Row } from '../../src/wire/row.ts';
import { growthOf } from '../../src/wire/sizes.ts';
import { partsOf } from './detailParts.ts';
import type { Details } from './details.ts';
import type { TabContext } from './tabContext.ts';
import { element } from './dom.ts';
import { fill, formatBytes } from '../../src/wire/format.ts';
import { lineDiff, type DiffLine } from './lineDiff.ts';
import { partName } from './sizeBars.ts';
import type { Store } from './store.ts';

/** The model request before this one. */
function modelBefore(row: Row, store: Store): Row | undefined {
  return store.rows().findLast((other) => other.kind === 'model' && other.number < row.number);
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function lineNode({ kind, text }: DiffLine): HTMLElement {
  const sign = { same: ' ', added: '+', removed: '−', skipped: '⋯' }[kind];
  return element(
    'div',
    { class: `diff-line diff-${kind}` },
    element('span', { class: 'diff-sign', 'aria-hidden': 'true' }, sign),
    element('span', {}, text),
  );
}

/** What the request holds that the one before did not. */
export function diff(context: TabContext, details: Details): HTMLElement {
  const { row, store, strings, parts } = context;
  const before = modelBefore(row, store);
  if (!before) return element('p', { class: 'quiet' }, strings.diffNone);
  const entries = details.get(before.key);
  const old = entries && partsOf('model', entries).sent;
  if (!old || !parts.sent) return element('p', { class: 'quiet' }, '…');
  const lines = lineDiff(pretty(old.text), pretty(parts.sent.text));
  const grown = growthOf(row.sizes ?? noSizes, before.sizes).map(
    ({ label, part, bytes }) => `+${formatBytes(bytes)} ${label || partName({ part }, strings)}`,
  );
  return element(
    'div',
    {},
    element(
      'p',
      { class: 'quiet' },
      fill(strings.diffTitle, before.number),
      grown.length > 0 ? `:  ${grown.join('   ')}` : '',
    ),
    lines.every(({ kind }) => kind === 'same' || kind === 'skipped')
      ? element('p', {}, strings.diffSame)
      : element('div', { class: 'mono' }, ...lines.map(lineNode)),
  );
}

const noSizes = { instructions: 0, tools: [], history: 0, results: [], user: 0, other: 0, messages: 0 };
