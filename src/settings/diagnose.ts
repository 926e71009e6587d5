/** Everything that can be told about a settings file from its text alone, at its place, with edits that mend it. Pure. */
import { getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';

import { findClearText } from './clearText.ts';
import { removeValue, renameKey, setValue } from './editSettings.ts';
import { findVariableFaults } from './variableFaults.ts';
import { spanOf, inSteps, type Finding, type Fix } from './finding.ts';
import { hoistMember } from './hoistMember.ts';
import { parseInputs } from './inputs.ts';
import { parseServers } from './parseSettings.ts';
import type { Problem, ProblemFix } from './problem.ts';
import type { DocumentKind, JsonPath } from './settingsPlaces.ts';
import { membersOf, nodeAt } from './settingsTree.ts';

export type { Finding, Fix } from './finding.ts';

export interface DiagnoseOptions {
  /** Ids of inputs that other files define for the servers of this one. */
  readonly otherInputs?: ReadonlySet<string>;
}

/** Undefined where the text is no JSON with comments: the editor tells of that itself, and nothing else is sure. */
export function diagnose(text: string, kind: DocumentKind, options: DiagnoseOptions = {}): Finding[] | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) return undefined;
  if (root === undefined) return [];
  const above: JsonPath = kind === 'workspace' ? ['settings'] : [];
  const findings = kind === 'mcp' ? [] : nestedFindings(text, root, above);
  findings.push(...foreignRoot(text, root, kind, above));
  const servers = rootsOf(kind, above, 'servers').filter((path) => nodeAt(root, path));
  const inputs = rootsOf(kind, above, 'inputs').filter((path) => nodeAt(root, path));
  for (const path of servers) {
    const value: unknown = getNodeValueAt(root, path);
    findings.push(...problemFindings(text, root, path, parseServers(value, '').problems));
  }
  for (const path of inputs)
    findings.push(...problemFindings(text, root, path, parseInputs(getNodeValueAt(root, path)).problems));
  for (const path of servers) {
    findings.push(...typeHints(text, root, path), ...findClearText(text, root, path, kind));
    findings.push(...findVariableFaults(text, root, path, kind, options.otherInputs));
  }
  return findings.toSorted((a, b) => a.offset - b.offset);
}

function rootsOf(kind: DocumentKind, above: JsonPath, name: 'servers' | 'inputs'): JsonPath[] {
  return kind === 'mcp'
    ? [[name]]
    : [
        [...above, `mcp.${name}`],
        [...above, 'mcp', name],
      ];
}

function getNodeValueAt(root: Node, path: JsonPath): unknown {
  const node = nodeAt(root, path);
  return node === undefined ? undefined : getNodeValue(node);
}

/** `"mcp": { "servers": … }`: the editor moves it into a file of its own, or stumbles over it. */
function nestedFindings(text: string, root: Node, above: JsonPath): Finding[] {
  const nested = nodeAt(root, [...above, 'mcp']);
  const inside = membersOf(nested);
  if (nested === undefined || (!inside.has('servers') && !inside.has('inputs'))) return [];
  const settings = membersOf(nodeAt(root, above));
  const both = [...inside.keys()].filter((name) => settings.has(`mcp.${name}`));
  const edit = both.length > 0 || nested.parent === undefined ? undefined : hoistMember(text, nested.parent, 'mcp.');
  const message =
    both.length > 0
      ? `"mcp": { "${both[0]}" } and "mcp.${both[0]}" are both there; only the later one counts. Put all into "mcp.${both[0]}".`
      : 'Write "mcp.servers" in one word: the editor moves the nested form into another file.';
  return [
    {
      ...spanOf(nested, true),
      severity: both.length > 0 ? 'warning' : 'hint',
      message,
      fixes: edit === undefined ? [] : [{ title: { kind: 'dotted' }, edits: [edit] }],
    },
  ];
}

/** `mcpServers` as other products call it, which nothing reads here. */
function foreignRoot(text: string, root: Node, kind: DocumentKind, above: JsonPath): Finding[] {
  const node = nodeAt(root, [...above, 'mcpServers']);
  if (node === undefined) return [];
  const name = kind === 'mcp' ? 'servers' : 'mcp.servers';
  const isFree = !membersOf(nodeAt(root, above)).has(name);
  const edits = isFree ? renameKey(text, [...above, 'mcpServers'], name) : [];
  return [
    {
      ...spanOf(node, true),
      severity: 'warning',
      message: `"mcpServers" is not read here; the servers stand in "${name}".`,
      fixes: isFree ? [{ title: { kind: 'rename', name }, edits }] : [],
    },
  ];
}

function problemFindings(text: string, root: Node, path: JsonPath, problems: readonly Problem[]): Finding[] {
  return problems.flatMap((problem): Finding[] => {
    const place = [...path, ...problem.segments];
    const exact = nodeAt(root, place);
    const node = exact ?? nearest(root, path, problem.segments);
    if (node === undefined) return [];
    const { message, severity, fix } = problem;
    const isAboutName =
      node.type === 'object' ||
      node.type === 'array' ||
      fix?.kind === 'rename' ||
      fix?.kind === 'remove' ||
      fix?.kind === 'members';
    const fixes = exact === undefined || fix === undefined ? [] : fixesOf(text, exact, place, fix);
    return [{ ...spanOf(node, isAboutName), severity, message, fixes }];
  });
}

/** The innermost value on the way to a member that is not there. */
function nearest(root: Node, path: JsonPath, segments: readonly (string | number)[]): Node | undefined {
  for (let length = segments.length - 1; length >= 0; length--) {
    const node = nodeAt(root, [...path, ...segments.slice(0, length)]);
    if (node !== undefined) return node;
  }
  return undefined;
}

function fixesOf(text: string, node: Node, place: JsonPath, fix: ProblemFix): Fix[] {
  const parent = place.slice(0, -1);
  const siblings = membersOf(node.parent?.parent);
  const name = String(place.at(-1));
  switch (fix.kind) {
    case 'rename':
      return siblings.has(fix.to)
        ? []
        : [{ title: { kind: 'rename', name: fix.to }, edits: renameKey(text, place, fix.to) }];
    case 'replace':
      if (fix.was !== undefined && fix.was !== node.value) return [];
      return [{ title: { kind: 'write', value: fix.value }, edits: setValue(text, place, fix.value) }];
    case 'remove':
      return [{ title: { kind: 'remove', name }, edits: removeValue(text, place) }];
    case 'members': {
      const names = Object.keys(fix.members);
      if (names.some((each) => each !== name && siblings.has(each))) return [];
      return [
        { title: { kind: 'members', names }, edits: inSteps(text, memberSteps(place, parent, name, fix.members)) },
      ];
    }
    case 'unwrap': {
      const inside = [...membersOf(node).keys()];
      const edit =
        node.parent === undefined || inside.some((each) => siblings.has(each))
          ? undefined
          : hoistMember(text, node.parent);
      return edit === undefined ? [] : [{ title: { kind: 'hoist' }, edits: [edit] }];
    }
  }
}

/** The first member takes the place of the old one, the others follow at the end. */
function memberSteps(
  place: JsonPath,
  parent: JsonPath,
  name: string,
  members: Readonly<Record<string, unknown>>,
): ((text: string) => ReturnType<typeof setValue>)[] {
  const [[first, value] = [name, undefined], ...others] = Object.entries(members);
  return [
    (text) => setValue(text, place, value),
    (text) => (first === name ? [] : renameKey(text, place, first)),
    ...others.map(
      ([each, member]) =>
        (text: string) =>
          setValue(text, [...parent, each], member),
    ),
  ];
}

/** An address that ends like those of HTTP+SSE servers is tried with the newer transport first, unless the type says so. */
function typeHints(text: string, root: Node, path: JsonPath): Finding[] {
  const entries = [...membersOf(nodeAt(root, path))];
  return entries.flatMap(([name, { value: entry }]): Finding[] => {
    const fields = membersOf(entry);
    const url = fields.get('url')?.value;
    if (typeof url?.value !== 'string' || fields.has('type') || fields.has('transport')) return [];
    if (!/^https?:\/\/[^?#]*\/sse\/?(?:[?#]|$)/i.test(url.value)) return [];
    return [
      {
        ...spanOf(url, false),
        severity: 'hint',
        message:
          'This looks like the address of an HTTP+SSE server. With "type": "sse" it is connected without trying others first.',
        fixes: [{ title: { kind: 'members', names: ['type'] }, edits: setValue(text, [...path, name, 'type'], 'sse') }],
      },
    ];
  });
}
