import { parseTree, type Node } from 'jsonc-parser';

import { membersOf } from './settingsTree.ts';

/** `settings`: a settings.json; `workspace`: a .code-workspace file; `mcp`: an mcp.json of the editor. */
export type DocumentKind = 'settings' | 'workspace' | 'mcp';

/** The keys and places that lead to a value. */
export type JsonPath = readonly (string | number)[];

/** Where the servers stand in a text of this kind, or would stand: the dotted key, unless only the nested one is there. */
export function serversPath(text: string, kind: DocumentKind): JsonPath {
  return settingPath(text, kind, 'servers');
}

/** Where the inputs stand, or would stand. */
export function inputsPath(text: string, kind: DocumentKind): JsonPath {
  return settingPath(text, kind, 'inputs');
}

function settingPath(text: string, kind: DocumentKind, name: 'servers' | 'inputs'): JsonPath {
  if (kind === 'mcp') return [name];
  const above = kind === 'workspace' ? ['settings'] : [];
  const root = parseTree(text, [], { allowTrailingComma: true });
  const settings = above.reduce<Node | undefined>((node, step) => membersOf(node).get(step)?.value, root);
  const members = membersOf(settings);
  const nested = membersOf(members.get('mcp')?.value).has(name) && !members.has(`mcp.${name}`);
  return nested ? [...above, 'mcp', name] : [...above, `mcp.${name}`];
}
