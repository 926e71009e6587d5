import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { LinkRole, Row } from '../../src/wire/row.ts';
import { segmentsOf } from '../../src/wire/sizes.ts';
import type { WireBody, WireEntry } from '../../src/wire/wireEntry.ts';
import type { DetailParts } from './detailParts.ts';
import { element, icon, textButton } from './dom.ts';
import { fill, formatBytes, formatDuration, formatNumber } from '../../src/wire/format.ts';
import { JsonView } from './jsonView.ts';
import { directionName, kindIcon, kindName, stateLook, whatOf } from './rowLook.ts';
import { segmentNode } from './sizeBars.ts';
import type { Store } from './store.ts';

export interface TabContext {
  readonly strings: InspectorStrings;
  readonly store: Store;
  readonly row: Row;
  readonly parts: DetailParts;
  readonly raw: boolean;
  readonly go: (key: string) => void;
  readonly copy: (text: string) => void;
}

function facts(rows: readonly (readonly [string, string | HTMLElement | undefined])[]): HTMLElement {
  const list = element('dl', { class: 'facts' });
  for (const [name, value] of rows)
    if (value !== undefined && value !== '') list.append(element('dt', {}, name), element('dd', {}, value));
  return list;
}

function section(title: string, ...children: readonly (HTMLElement | undefined)[]): HTMLElement {
  return element('section', { class: 'section' }, element('h3', {}, title), ...children);
}

function tokensOf({ row, strings }: TabContext): string | undefined {
  if (row.inputTokens === undefined && row.outputTokens === undefined) return undefined;
  return fill(strings.tokensInOut, formatNumber(row.inputTokens ?? 0), formatNumber(row.outputTokens ?? 0));
}

/** The main facts of a row, its error if there is one, and what a person reads first: the answer. */
export function overview(context: TabContext): HTMLElement {
  const { row, strings, parts, store } = context;
  const look = stateLook(row, strings);
  const state = element(
    'span',
    { class: `tone-${look.tone}` },
    ...(look.icon === '' ? [] : [icon(look.icon), ' ']),
    look.text || row.status || '–',
  );
  const turn = row.turn === undefined ? undefined : store.turns.get(row.turn);
  const { strong, rest } = whatOf(row, strings);
  const node = element('div', { class: 'overview' });
  if (parts.errors.length > 0)
    node.append(
      element('div', { class: 'banner', role: 'note' }, icon('error'), element('span', {}, parts.errors.join(' · '))),
    );
  if (row.note !== undefined)
    node.append(element('div', { class: 'banner note-banner' }, icon('note'), element('span', {}, row.note)));
  const main = element('section', { class: 'section' });
  main.append(
    facts([
      [strings.columnWhat, [strong, rest].filter(Boolean).join('  ')],
      [strings.fieldState, state],
      [strings.fieldServer, row.server],
      [
        strings.fieldModel,
        row.model === undefined ? undefined : row.logical === true ? `${row.model} (${strings.logical})` : row.model,
      ],
      [strings.fieldTool, row.tool],
      [strings.fieldId, row.id],
      [
        strings.fieldTurn,
        turn &&
          `${fill(strings.turn, turn.number)}${row.step === undefined ? '' : ` · ${fill(strings.step, row.step)}`}`,
      ],
      [strings.duration, row.end === undefined ? undefined : formatDuration(row.end - row.at)],
      [strings.fieldSizes, `↑ ${formatBytes(row.up)}   ↓ ${formatBytes(row.down)}`],
      [strings.fieldTokens, tokensOf(context)],
      [strings.direction, directionName(row, strings)],
      [strings.connection, row.connection],
      [strings.fieldTime, new Date(row.at).toISOString().replace('T', ' ').replace('Z', '')],
    ]),
  );
  if (row.sizes) main.append(section(strings.fieldSizes, segmentNode(segmentsOf(row.sizes), row.up, row.up, strings)));
  const answers = answerOf(context);
  node.append(
    answers.length === 0
      ? main
      : element('div', { class: 'columns' }, main, element('div', { class: 'section' }, ...answers)),
  );
  return node;
}

/** What a person reads first: a model's text and calls, a tool's arguments and result. */
function answerOf(context: TabContext): HTMLElement[] {
  const { parts, strings, row } = context;
  const { answer } = parts;
  if (row.kind === 'rpc') return callOf(context);
  if (!answer) return [];
  const calls = answer.toolCalls.map(({ id, name, arguments: args }) =>
    element(
      'div',
      { class: 'call' },
      element('span', { class: 'call-name' }, icon('symbol-method'), ' ', name),
      element('code', {}, args),
      element('span', { class: 'quiet' }, id),
    ),
  );
  return [
    ...(answer.text.text === '' ? [] : [section(strings.answer, element('div', { class: 'prose' }, answer.text.text))]),
    ...(calls.length === 0 ? [] : [section(strings.toolCalls, ...calls)]),
  ];
}

function callOf({ parts, strings }: TabContext): HTMLElement[] {
  const view = new JsonView(strings);
  const params = memberOf(parsed(parts.sent?.text ?? ''), 'params');
  const reply = parsed(parts.received?.text ?? '');
  const result = memberOf(reply, 'result') ?? memberOf(reply, 'error');
  const asked = memberOf(params, 'arguments') ?? params;
  return [
    ...(asked === undefined ? [] : [section(strings.arguments, view.draw(asked))]),
    ...(result === undefined ? [] : [section(strings.resultOf, ...contentOf(result, view))]),
  ];
}

/** The texts of a tool's result one by one; anything else as it is. */
function contentOf(result: unknown, view: JsonView): HTMLElement[] {
  const content = memberOf(result, 'content');
  if (!Array.isArray(content)) return [view.draw(result)];
  return content.map((block: unknown) => {
    const text = memberOf(block, 'text');
    if (typeof text !== 'string') return view.draw(block);
    const value = parsed(text);
    return typeof value === 'object' && value !== null ? view.draw(value) : element('div', { class: 'prose' }, text);
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

function headerTable(
  title: string,
  first: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
): HTMLElement {
  const rows = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => [name, one] as const),
  );
  const list = element('dl', { class: 'facts mono' });
  for (const [name, value] of rows) list.append(element('dt', {}, name), element('dd', {}, ...marked(value)));
  return section(title, element('div', { class: 'start-line' }, first), list);
}

/** A text with what was hidden set apart. */
function marked(text: string): (string | HTMLElement)[] {
  return text
    .split(/(\[(?:redacted \d+ chars?|session(?: [^\s\]]{1,4}…)?) #[0-9a-f]{4}\])/)
    .map((part, index) => (index % 2 === 1 ? element('span', { class: 'redacted' }, part) : part));
}

/** Start lines and headers of the exchange. */
export function headers({ parts, strings, row }: TabContext): HTMLElement {
  const { request, response } = parts;
  const node = element('div', {});
  if (request) node.append(headerTable(strings.requestHeaders, `${request.method} ${request.url}`, request.headers));
  if (response)
    node.append(headerTable(strings.responseHeaders, `${response.status} ${response.statusText}`, response.headers));
  if (!request && !response)
    node.append(element('p', { class: 'quiet' }, row.logical === true ? strings.headersLogical : strings.headersNone));
  return node;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** One text of the wire, as a tree where it is JSON, with what was left out of it told. */
export function bodyNode(body: WireBody, raw: boolean, strings: InspectorStrings): HTMLElement {
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
