import { getLocation, parseTree } from 'jsonc-parser';
import { serverPlaces, serverRoots, type TextSpan } from './serverPlaces.ts';
import type { DocumentKind } from './settingsPlaces.ts';

/** What a person may be about to write at a place of a settings file, and the span that it would take the place of. */
export type SettingsCursor =
  /** The name of a server. `hasValue`: its entry is there already. */
  | { readonly kind: 'server-name'; readonly span: TextSpan; readonly hasValue: boolean }
  /** A variable in a string; the span begins at its `$`. */
  | { readonly kind: 'variable'; readonly span: TextSpan; readonly server: string }
  /** The name of a tool of this server. */
  | { readonly kind: 'tool-name'; readonly span: TextSpan; readonly server: string };

/** Members of an entry that list tools. */
const toolLists: ReadonlySet<string | number | undefined> = new Set(['tools', 'autoApprove', 'alwaysAllow']);

/** Reads what stands at `offset` of a text. Undefined where nothing of servers can stand. */
export function settingsCursor(text: string, kind: DocumentKind, offset: number): SettingsCursor | undefined {
  const location = getLocation(text, offset);
  const previous = location.previousNode;
  const isInside = previous !== undefined && previous.offset <= offset && offset <= previous.offset + previous.length;
  const span = isInside ? { offset: previous.offset, length: previous.length } : { offset, length: 0 };
  if (location.isAtPropertyKey && isServersObject(text, kind, offset)) {
    return { kind: 'server-name', span, hasValue: isInside && /^\s*:/.test(text.slice(span.offset + span.length)) };
  }
  const place = serverPlaces(text, kind).find(
    ({ value }) => value.offset < offset && offset < value.offset + value.length,
  );
  if (place === undefined || location.isAtPropertyKey) return undefined;
  if (isInside && previous.type === 'string') {
    const variable = variableAt(text, previous.offset + 1, offset);
    if (variable !== undefined) return { kind: 'variable', span: variable, server: place.name };
  }
  const [list] = location.path.slice(-2);
  const isItem = typeof location.path.at(-1) === 'number';
  const inFilter = location.path.at(-3) === 'tools' && (list === 'allow' || list === 'deny');
  if (isItem && (inFilter || toolLists.has(list))) return { kind: 'tool-name', span, server: place.name };
  return undefined;
}

/** Whether a key at `offset` names a server: it stands directly in an object of servers. */
function isServersObject(text: string, kind: DocumentKind, offset: number): boolean {
  const tree = parseTree(text);
  const servers = tree === undefined ? [] : serverRoots(tree, kind);
  return servers.some((root) => {
    if (root.type !== 'object' || offset <= root.offset || offset >= root.offset + root.length) return false;
    const values = (root.children ?? []).flatMap(({ children }) => children?.[1] ?? []);
    return !values.some((value) => value.offset < offset && offset < value.offset + value.length);
  });
}

/** The variable that is being written before `offset`: from its `$` on, with the rest of its name behind the cursor. */
function variableAt(text: string, from: number, offset: number): TextSpan | undefined {
  const written = /\$(?:\{[^{}"]*)?$/.exec(text.slice(from, offset))?.[0];
  if (written === undefined) return undefined;
  const start = offset - written.length;
  const rest = written.startsWith('${') ? (/^[\w:.-]*\}?/.exec(text.slice(offset))?.[0] ?? '') : '';
  return { offset: start, length: written.length + rest.length };
}
