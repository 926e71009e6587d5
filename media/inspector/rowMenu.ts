import type { CopyForm, ToHost } from '../../src/wire/inspectorProtocol.ts';
import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { Row } from '../../src/wire/row.ts';
import type { MenuItem } from './menu.ts';
import type { Store } from './store.ts';

/** What a menu can do with its row. */
export interface RowMenuContext {
  readonly strings: InspectorStrings;
  /** The traffic is this window's own: calls can be repeated, rows can be pinned and noted. */
  readonly live: boolean;
  /** The exchange that stands behind the row. */
  readonly hasExchange: boolean;
  readonly send: (message: ToHost) => void;
  readonly compare: (key: string) => void;
}

/** What can be done with a row. */
export function rowMenu(row: Row, { strings, live, hasExchange, send, compare }: RowMenuContext): MenuItem[] {
  const { key } = row;
  const copy = (form: CopyForm) => (): void => send({ kind: 'copy', key, form });
  const items: (MenuItem | undefined)[] = [
    { label: strings.copyBody, icon: 'copy', run: copy('value') },
    { label: strings.copyRow, run: copy('row') },
    { label: strings.copyJson, icon: 'json', run: copy('json') },
    ...(hasExchange
      ? [
          { label: strings.copyCurlSh, icon: 'terminal-bash', run: copy('curl-sh') },
          { label: strings.copyCurlCmd, icon: 'terminal-cmd', run: copy('curl-cmd') },
          { label: strings.copyCurlPowershell, icon: 'terminal-powershell', run: copy('curl-powershell') },
        ]
      : []),
    { label: '-' },
    { label: strings.openEditor, icon: 'go-to-file', run: () => send({ kind: 'open', key }) },
    { label: strings.compare, icon: 'diff', run: () => compare(key) },
    { label: '-' },
    live && row.kind === 'rpc' && row.tool !== undefined
      ? { label: strings.replay, icon: 'debug-rerun', run: () => send({ kind: 'replay', key }) }
      : undefined,
    ...(live ? marks(row, strings, send) : []),
    live && row.turn !== undefined
      ? { label: strings.showInChat, icon: 'comment-discussion', run: () => send({ kind: 'show-in-chat', key }) }
      : undefined,
    { label: strings.fixture, icon: 'beaker', run: () => send({ kind: 'fixture', key }) },
  ];
  return items.flatMap((item) => (item ? [item] : []));
}

/** What a person may add to a row. */
function marks({ key, pinned }: Row, strings: InspectorStrings, send: RowMenuContext['send']): MenuItem[] {
  const [label, icon] = pinned === true ? [strings.unpin, 'pinned'] : [strings.pin, 'pin'];
  return [
    { label, icon, run: () => send({ kind: 'pin', key }) },
    { label: strings.noteAdd, icon: 'note', run: () => send({ kind: 'note', key }) },
  ];
}

/** Whether an HTTP exchange stands behind a row: itself, or what carried its message. */
export function hasExchange(row: Row, store: Pick<Store, 'row'>): boolean {
  return (
    row.kind === 'http' || row.links.some(({ role, key }) => role === 'carrier' && store.row(key)?.kind === 'http')
  );
}
