import { fill, formatBytes, formatDuration, formatNumber } from '../../src/wire/format.ts';
import { segmentsOf } from '../../src/wire/sizes.ts';
import { element, icon } from './dom.ts';
import { JsonView } from './jsonView.ts';
import { directionName, stateLook, whatOf } from './rowLook.ts';
import { segmentNode } from './sizeBars.ts';
import type { TabContext } from './tabContext.ts';
import { marked, parsed } from './texts.ts';

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
  const { row, strings } = context;
  const main = element('section', { class: 'section' }, mainFacts(context));
  if (row.sizes) main.append(section(strings.fieldSizes, segmentNode(segmentsOf(row.sizes), row.up, row.up, strings)));
  const answers = answerOf(context);
  return element(
    'div',
    { class: 'overview' },
    ...bannersOf(context),
    answers.length === 0
      ? main
      : element('div', { class: 'columns' }, main, element('div', { class: 'section' }, ...answers)),
  );
}

/** What stands above everything else: errors, and the person's note. */
function bannersOf({ row, parts }: TabContext): HTMLElement[] {
  const banner = (look: string, name: string, text: string): HTMLElement =>
    element('div', { class: look, role: 'note' }, icon(name), element('span', {}, text));
  return [
    ...(parts.errors.length > 0 ? [banner('banner', 'error', parts.errors.join(' · '))] : []),
    ...(row.note === undefined ? [] : [banner('banner note-banner', 'note', row.note)]),
  ];
}

function mainFacts(context: TabContext): HTMLElement {
  const { row, strings } = context;
  const { strong, rest } = whatOf(row, strings);
  return facts([
    [strings.columnWhat, [strong, rest].filter(Boolean).join('  ')],
    [strings.fieldState, stateOf(context)],
    [strings.fieldServer, row.server],
    [
      strings.fieldModel,
      row.model !== undefined && row.logical === true ? `${row.model} (${strings.logical})` : row.model,
    ],
    [strings.fieldTool, row.tool],
    [strings.fieldId, row.id],
    [strings.fieldTurn, turnOf(context)],
    [strings.duration, row.end === undefined ? undefined : formatDuration(row.end - row.at)],
    [strings.fieldSizes, `↑ ${formatBytes(row.up)}   ↓ ${formatBytes(row.down)}`],
    [strings.fieldTokens, tokensOf(context)],
    [strings.direction, directionName(row, strings)],
    [strings.connection, row.connection],
    [strings.fieldTime, new Date(row.at).toISOString().replace('T', ' ').replace('Z', '')],
  ]);
}

function stateOf({ row, strings }: TabContext): HTMLElement {
  const look = stateLook(row, strings);
  const before = look.icon === '' ? [] : [icon(look.icon), ' '];
  return element('span', { class: `tone-${look.tone}` }, ...before, look.text || row.status || '–');
}

function turnOf({ row, strings, store }: TabContext): string | undefined {
  const turn = row.turn === undefined ? undefined : store.turns.get(row.turn);
  if (!turn) return undefined;
  const step = row.step === undefined ? '' : ` · ${fill(strings.step, row.step)}`;
  return `${fill(strings.turn, turn.number)}${step}`;
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
