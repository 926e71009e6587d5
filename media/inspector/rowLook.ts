import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { Row, RowState } from '../../src/wire/row.ts';
import { fill } from '../../src/wire/format.ts';

/** How a state is shown: icon, text and colour class. */
export interface StateLook {
  readonly icon: string;
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'warn' | 'quiet' | 'live';
}

const kindIcons: Readonly<Record<Row['kind'], string>> = {
  http: 'globe',
  sse: 'broadcast',
  rpc: 'symbol-method',
  model: 'sparkle',
  line: 'terminal',
  session: 'plug',
  note: 'info',
};

/** The name of the icon for the kind of a row. */
export function kindIcon(row: Row): string {
  return kindIcons[row.kind];
}

/** The kind of a row in words. */
export function kindName(row: Row, strings: InspectorStrings): string {
  if (row.kind === 'rpc' && row.id !== undefined) return `${strings.rpc} #${row.id.replaceAll('"', '')}`;
  return strings[row.kind];
}

/** The name of the icon for the direction of a row; empty where it has none. */
export function directionIcon(row: Row): string {
  return { out: 'arrow-right', in: 'arrow-left', both: 'arrow-swap', none: '' }[row.direction];
}

/** The direction of a row in words. */
export function directionName(row: Row, strings: InspectorStrings): string {
  return {
    out: strings.directionOut,
    in: strings.directionIn,
    both: strings.directionBoth,
    none: strings.directionNone,
  }[row.direction];
}

const stateLooks: Readonly<Record<RowState, readonly [string, keyof InspectorStrings, StateLook['tone']]>> = {
  pending: ['loading', 'pending', 'live'],
  open: ['circle-filled', 'open', 'live'],
  ok: ['check', 'ok', 'good'],
  info: ['', 'info', 'quiet'],
  closed: ['circle-outline', 'closed', 'quiet'],
  error: ['error', 'error', 'bad'],
  'tool-error': ['error', 'toolError', 'bad'],
  'http-error': ['error', 'httpError', 'bad'],
  'stream-error': ['error', 'streamError', 'bad'],
  failed: ['error', 'failed', 'bad'],
  lost: ['debug-disconnect', 'lost', 'bad'],
  incomplete: ['warning', 'incomplete', 'bad'],
  timeout: ['watch', 'timeout', 'bad'],
  cancelled: ['circle-slash', 'cancelled', 'quiet'],
  'no-reply': ['question', 'noReply', 'warn'],
  orphan: ['question', 'orphan', 'warn'],
  warning: ['warning', 'warning', 'warn'],
};

/** The name of a state. */
export function stateName(state: Row['state'], strings: InspectorStrings): string {
  return strings[stateLooks[state][1]];
}

/** The state of a row, with the status where that says more. */
export function stateLook(row: Row, strings: InspectorStrings): StateLook {
  const [icon, name, tone] = stateLooks[row.state];
  const text = strings[name];
  const status = row.status === text || row.kind === 'note' || row.kind === 'line' ? '' : row.status;
  if (row.kind === 'note') return { icon, text: row.status, tone };
  if (row.kind === 'line') return { icon, text: row.status, tone: row.state === 'warning' ? 'warn' : 'quiet' };
  if (row.kind === 'session') return { icon, text, tone };
  if (row.state === 'ok' || row.state === 'closed') return { icon, text: status || text, tone };
  if (row.state === 'http-error') return { icon, text: status || text, tone };
  if (row.state === 'failed') return { icon, text, tone };
  return { icon, text: status === '' || row.state === 'tool-error' ? text : `${status} ${text}`.trim(), tone };
}

/** What a row is about, in one line: the strong part, then the rest. */
export function whatOf(row: Row, strings: InspectorStrings): { readonly strong: string; readonly rest: string } {
  if (row.kind === 'model') {
    const offer = row.sizes ? fill(strings.offer, row.sizes.messages, row.sizes.tools.length) : row.what;
    return { strong: offer, rest: row.calls ? `→ ${row.calls.join(', ')}` : (row.answer ?? '') };
  }
  if (row.kind === 'http') return { strong: row.method ?? '', rest: row.what };
  if (row.kind === 'rpc' && row.tool !== undefined) return { strong: row.tool, rest: row.method ?? '' };
  if (row.kind === 'sse') return { strong: '', rest: `event: ${row.what}` };
  if (row.kind === 'session')
    return { strong: '', rest: [row.what, row.status && `MCP ${row.status}`].filter(Boolean).join(' · ') };
  return { strong: row.kind === 'rpc' ? row.what : '', rest: row.kind === 'rpc' ? '' : row.what };
}

/** What a screen reader says of a row. */
export function spoken(row: Row, strings: InspectorStrings): string {
  const { strong, rest } = whatOf(row, strings);
  return [
    row.number,
    kindName(row, strings),
    directionName(row, strings),
    row.model ?? row.server,
    strong,
    rest,
    stateLook(row, strings).text,
    row.note,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}
