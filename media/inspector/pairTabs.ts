import { formatDuration } from '../../src/wire/format.ts';
import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { LinkRole, Row } from '../../src/wire/row.ts';
import type { WireEntry } from '../../src/wire/wireEntry.ts';
import type { DetailParts } from './detailParts.ts';
import { element, icon } from './dom.ts';
import { kindIcon, kindName, stateLook, whatOf } from './rowLook.ts';
import type { TabContext } from './tabContext.ts';

const roleNames: Readonly<Record<LinkRole, keyof InspectorStrings>> = {
  'asked-by': 'askedBy',
  carrier: 'carriedBy',
  answer: 'answeredBy',
  message: 'carries',
  stream: 'stream',
  call: 'call',
  progress: 'progress',
  about: 'about',
  redirect: 'redirect',
};
const roleOrder: readonly LinkRole[] = [
  'asked-by',
  'carrier',
  'redirect',
  'message',
  'answer',
  'stream',
  'call',
  'progress',
  'about',
];

/** What belongs together: the model's turn, the call, the exchange that carried it, the event that answered. */
export function pair(context: TabContext): HTMLElement {
  const { row, store, strings } = context;
  const links = [...row.links].sort((a, b) => roleOrder.indexOf(a.role) - roleOrder.indexOf(b.role));
  const nodes = links.flatMap(({ role, key }) => {
    const other = store.row(key);
    return other ? [pairNode(strings[roleNames[role]], other, context)] : [];
  });
  if (nodes.length === 0) return element('p', { class: 'quiet' }, strings.pairNone);
  const own = element(
    'div',
    { class: 'pair-item own' },
    element('span', { class: 'pair-role' }, kindName(row, strings)),
    pairText(row, strings),
  );
  return element('div', { class: 'pair' }, own, ...nodes);
}

function pairText(row: Row, strings: InspectorStrings): HTMLElement {
  const { strong, rest } = whatOf(row, strings);
  const look = stateLook(row, strings);
  return element(
    'span',
    { class: 'pair-text' },
    icon(kindIcon(row), `kind-${row.kind}`),
    element('b', {}, `#${row.number}`),
    element('span', {}, [strong, rest].filter(Boolean).join(' ')),
    element('span', { class: `tone-${look.tone}` }, look.text),
  );
}

function pairNode(role: string, other: Row, { strings, go }: TabContext): HTMLElement {
  const button = element('button', { class: 'pair-link', type: 'button' }, pairText(other, strings));
  button.addEventListener('click', () => go(other.key));
  return element('div', { class: 'pair-item' }, element('span', { class: 'pair-role' }, role), button);
}

/** When each part happened, on one scale. */
export function timing({ parts, strings, row }: TabContext): HTMLElement {
  const points = timePoints(parts, strings);
  const end = Math.max(row.end ?? row.at, ...points.map(({ at }) => at));
  const span = Math.max(0.001, end - row.at);
  const rows = points.map(({ name, at }, index) => {
    const from = points[index - 1]?.at ?? row.at;
    const bar = element('span', { class: 'time-bar' });
    bar.style.setProperty('left', `${((from - row.at) / span) * 100}%`);
    bar.style.setProperty('width', `${((at - from) / span) * 100}%`);
    return element(
      'div',
      { class: 'time-row' },
      element('span', {}, name),
      element('span', { class: 'time-track' }, bar),
      element('span', { class: 'mono' }, `+${formatDuration(at - row.at)}`),
    );
  });
  return element('div', { class: 'timing' }, ...rows);
}

function timePoints({ entries, frames }: DetailParts, strings: InspectorStrings): { name: string; at: number }[] {
  const names: Partial<Record<WireEntry['kind'], string>> = {
    'http-request': strings.timingSent,
    'http-response': strings.timingHead,
    'http-end': strings.timingEnd,
    'model-answer': strings.answer,
  };
  const points = entries.flatMap((entry) => {
    const isAnswer = entry.kind === 'message' && (entry.head.kind === 'response' || entry.head.kind === 'error');
    const name = isAnswer ? strings.timingMessage : names[entry.kind];
    return name === undefined ? [] : [{ name, at: entry.at }];
  });
  const [firstFrame] = frames;
  const lastFrame = frames.at(-1);
  if (firstFrame) points.push({ name: strings.timingFirst, at: firstFrame.at });
  if (lastFrame && lastFrame !== firstFrame) points.push({ name: strings.timingLast, at: lastFrame.at });
  return points.sort((a, b) => a.at - b.at);
}
