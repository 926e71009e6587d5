import type { CopyForm, ToHost } from '../../src/wire/inspectorProtocol.ts';
import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { Row } from '../../src/wire/row.ts';
import type { MenuItem } from './menu.ts';

export interface RowMenuContext {
  readonly strings: InspectorStrings;
  /** Calls can be repeated. */
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
    row.pinned === true
      ? { label: strings.unpin, icon: 'pinned', run: () => send({ kind: 'pin', key }) }
      : { label: strings.pin, icon: 'pin', run: () => send({ kind: 'pin', key }) },
    { label: strings.noteAdd, icon: 'note', run: () => send({ kind: 'note', key }) },
    live && row.turn !== undefined
      ? { label: strings.showInChat, icon: 'comment-discussion', run: () => send({ kind: 'show-in-chat', key }) }
      : undefined,
    { label: strings.fixture, icon: 'beaker', run: () => send({ kind: 'fixture', key }) },
  ];
  return items.flatMap((item) => (item ? [item] : []));
}
