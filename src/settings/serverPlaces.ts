import { getNodeValue, parseTree, type Node } from 'jsonc-parser';
import { Report } from './problem.ts';
import { unwrapServers } from './unwrapServers.ts';

/** Which kind of file a text is: settings.json, a .code-workspace file, or an mcp.json. */
export type SettingsKind = 'settings' | 'workspace' | 'mcp';

/** A piece of a text, in UTF-16 units. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** One server entry in a text: its name, the span of its name (in a list: of the whole entry) and that of its value. */
export interface ServerPlace {
  readonly name: string;
  readonly key: TextSpan;
  readonly value: TextSpan;
}

type Path = readonly (string | number)[];

/** Where the servers of each kind of file may stand. */
const roots: Readonly<Record<SettingsKind, readonly Path[]>> = {
  settings: [['mcp.servers'], ['mcp', 'servers']],
  workspace: [
    ['settings', 'mcp.servers'],
    ['settings', 'mcp', 'servers'],
  ],
  mcp: [['servers'], ['mcpServers']],
};

/** The kind of a settings file by its path; undefined for any other file. */
export function settingsKindOf(path: string): SettingsKind | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (file === 'settings.json') return 'settings';
  if (file === 'mcp.json') return 'mcp';
  return file.endsWith('.code-workspace') ? 'workspace' : undefined;
}

/** All server entries in a text, in the order of the text, in every spelling that the settings are read in. A broken text gives what can be read of it. */
export function serverPlaces(text: string, kind: SettingsKind): readonly ServerPlace[] {
  const tree = parseTree(text);
  if (tree === undefined) return [];
  return serverRoots(tree, kind)
    .flatMap((root) => placesIn(root))
    .toSorted((a, b) => a.key.offset - b.key.offset);
}

/** The place of one server; where a name stands twice, the last, which is the one that counts. */
export function findServerPlace(text: string, kind: SettingsKind, name: string): ServerPlace | undefined {
  return serverPlaces(text, kind).findLast((place) => place.name === name);
}

/** The objects in a text that hold servers. */
export function serverRoots(tree: Node, kind: SettingsKind): readonly Node[] {
  return roots[kind].flatMap((path) => nodeAt(tree, path) ?? []);
}

function placesIn(root: Node): ServerPlace[] {
  const { servers } = unwrapServers(getNodeValue(root), new Report('mcp.servers'));
  return servers.flatMap(({ name, report }): ServerPlace[] => {
    const value = nodeAt(root, report.segments);
    return value === undefined ? [] : [{ name, key: spanOf(keyOf(value) ?? value), value: spanOf(value) }];
  });
}

/** The node at a path. Of members of one name it is the last, whose value is the one that counts. */
function nodeAt(root: Node, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => {
    if (typeof step === 'number') return node?.type === 'array' ? node.children?.[step] : undefined;
    if (node?.type !== 'object') return undefined;
    return node.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1];
  }, root);
}

function keyOf({ parent }: Node): Node | undefined {
  return parent?.type === 'property' ? parent.children?.[0] : undefined;
}

function spanOf({ offset, length }: Node): TextSpan {
  return { offset, length };
}
