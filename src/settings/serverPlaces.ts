import { getNodeValue, parseTree, type Node } from 'jsonc-parser';
import { Report } from './problem.ts';
import type { DocumentKind } from './settingsPlaces.ts';
import { nodeAt } from './settingsTree.ts';
import { unwrapServers } from './unwrapServers.ts';

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
const roots: Readonly<Record<DocumentKind, readonly Path[]>> = {
  settings: [['mcp.servers'], ['mcp', 'servers']],
  workspace: [
    ['settings', 'mcp.servers'],
    ['settings', 'mcp', 'servers'],
  ],
  mcp: [['servers'], ['mcpServers']],
};

/** The kind of a settings file by its path; undefined for any other file. */
export function documentKindOf(path: string): DocumentKind | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (file === 'settings.json') return 'settings';
  if (file === 'mcp.json') return 'mcp';
  return file.endsWith('.code-workspace') ? 'workspace' : undefined;
}

/** All server entries in a text, in the order of the text, in every spelling that the settings are read in. A broken text gives what can be read of it. */
export function serverPlaces(text: string, kind: DocumentKind): readonly ServerPlace[] {
  const tree = parseTree(text);
  if (tree === undefined) return [];
  return serverRoots(tree, kind)
    .flatMap((root) => placesIn(root))
    .toSorted((a, b) => a.key.offset - b.key.offset);
}

/** The place of one server; where a name stands twice, the last, which is the one that counts. */
export function findServerPlace(text: string, kind: DocumentKind, name: string): ServerPlace | undefined {
  return serverPlaces(text, kind).findLast((place) => place.name === name);
}

/** The objects in a text that hold servers. */
export function serverRoots(tree: Node, kind: DocumentKind): readonly Node[] {
  return roots[kind].flatMap((path) => nodeAt(tree, path) ?? []);
}

function placesIn(root: Node): ServerPlace[] {
  const { servers } = unwrapServers(getNodeValue(root), new Report('mcp.servers'));
  return servers.flatMap(({ name, report }): ServerPlace[] => {
    const value = nodeAt(root, report.segments);
    return value === undefined ? [] : [{ name, key: spanOf(keyOf(value) ?? value), value: spanOf(value) }];
  });
}

function keyOf({ parent }: Node): Node | undefined {
  return parent?.type === 'property' ? parent.children?.[0] : undefined;
}

function spanOf({ offset, length }: Node): TextSpan {
  return { offset, length };
}
