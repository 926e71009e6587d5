import { fill, formatBytes, formatDuration } from '../../src/wire/format.ts';
import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { WireBody, WireEntry } from '../../src/wire/wireEntry.ts';
import { element, icon, textButton } from './dom.ts';
import { JsonView } from './jsonView.ts';
import { marked, parsed } from './texts.ts';
import type { TabContext } from './tabContext.ts';

/** One text of the wire, as a tree where it is JSON, with what was left out of it told. */
function bodyNode(body: WireBody, raw: boolean, strings: InspectorStrings): HTMLElement {
  if (body.omitted) return element('p', { class: 'quiet' }, fill(strings.bodyOmitted, formatBytes(body.bytes)));
  if (body.text === '') return element('p', { class: 'quiet' }, strings.bodyEmpty);
  const value = raw ? undefined : parsed(body.text);
  const shown =
    value === undefined ? element('pre', { class: 'raw' }, ...marked(body.text)) : new JsonView(strings).draw(value);
  if (!body.cut) return shown;
  const note = element(
    'p',
    { class: 'quiet' },
    icon('warning'),
    ' ',
    fill(strings.bodyCut, formatBytes(body.text.length), formatBytes(body.bytes)),
  );
  return element('div', {}, note, shown);
}

function bodySection(title: string, body: WireBody, { raw, strings, copy }: TabContext): HTMLElement {
  const button = textButton(strings.copy, () => copy(body.text), 'inline-button');
  const head = element(
    'div',
    { class: 'section-head' },
    element('h3', {}, title),
    element('span', { class: 'quiet' }, formatBytes(body.bytes)),
    button,
  );
  return element('section', { class: 'section' }, head, bodyNode(body, raw, strings));
}

/** What was sent and what came back. */
export function bodies(context: TabContext): HTMLElement {
  const { parts, strings, row } = context;
  const node = element('div', { class: 'columns' });
  const inward = row.direction === 'in' && row.kind === 'rpc';
  const [outTitle, inTitle] = inward
    ? [strings.request, strings.answer]
    : [strings.request, row.kind === 'http' ? strings.response : strings.answer];
  if (parts.sent) node.append(bodySection(outTitle, parts.sent, context));
  if (parts.received)
    node.append(
      bodySection(row.kind === 'sse' || row.kind === 'line' ? strings.body : inTitle, parts.received, context),
    );
  if (!parts.sent && !parts.received)
    node.append(element('p', { class: 'quiet' }, row.kind === 'note' ? row.what : strings.bodyEmpty));
  return node;
}

/** The events of a stream, as they arrived. */
export function frames({ parts, strings, row, raw }: TabContext): HTMLElement {
  if (parts.frames.length === 0) return element('p', { class: 'quiet' }, strings.framesNone);
  const node = element('div', { class: 'frames' });
  const draw = (from: number): void => {
    for (const frame of parts.frames.slice(from, from + FRAMES)) node.append(frameNode(frame, row.at, raw, strings));
    const left = parts.frames.length - from - FRAMES;
    if (left <= 0) return;
    const more = textButton(fill(strings.moreItems, left), () => {
      more.remove();
      draw(from + FRAMES);
    });
    node.append(more);
  };
  draw(0);
  return node;
}

const FRAMES = 200;

function frameNode(
  frame: Extract<WireEntry, { kind: 'sse-event' }>,
  start: number,
  raw: boolean,
  strings: InspectorStrings,
): HTMLElement {
  const head = element(
    'summary',
    {},
    element('span', { class: 'mono quiet' }, `+${formatDuration(frame.at - start)}`),
    element('span', { class: 'frame-event' }, frame.event ?? 'message'),
    frame.incomplete ? element('span', { class: 'tone-bad' }, icon('warning'), strings.incomplete) : undefined,
    element('span', { class: 'frame-text mono' }, frame.body.text.slice(0, 200)),
    element('span', { class: 'quiet' }, formatBytes(frame.body.bytes)),
  );
  const node = element('details', { class: 'frame' }, head);
  node.addEventListener(
    'toggle',
    () => node.open && node.childElementCount === 1 && node.append(bodyNode(frame.body, raw, strings)),
    { once: true },
  );
  return node;
}
