import { getNodeValue, type Node } from 'jsonc-parser';

import { addInput, setValue } from './editSettings.ts';
import { inSteps, spanOf, type Finding, type Fix } from './finding.ts';
import { parseInputs } from './inputs.ts';
import { isSecretName, looksSecret } from './secretText.ts';
import { inputsPath, type DocumentKind, type JsonPath } from './settingsPlaces.ts';
import { membersOf, nodeAt } from './settingsTree.ts';

/** A credential inside a text: from `start` up to `end`; `name` is what it is called. */
interface Secret {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Headers whose values are credentials whatever they look like. */
const secretHeaders = /^(?:authorization|proxy-authorization|cookie|x-api-key|api-key|x-auth-.*)$/i;
const scheme = /^(?:Bearer|Basic|Token|ApiKey)\s+/i;

/** Finds tokens and passwords that stand in the entries below `path` in clear text; the fix asks for them instead. */
export function findClearText(text: string, root: Node, path: JsonPath, kind: DocumentKind): Finding[] {
  return [...membersOf(nodeAt(root, path))].flatMap(([server, { value: entry }]) =>
    [...secretsOf(entry)].map(({ node, place, secret }) => {
      const id = freeId(text, root, kind, `${server}-${secret.name}`);
      return {
        ...spanOf(node, false),
        severity: 'warning' as const,
        message: `This looks like a secret in clear text (${secret.name}). Whoever reads or syncs this file has it.`,
        fixes: [fixOf(text, kind, { node, place: [...path, server, ...place], secret, id, server })],
      };
    }),
  );
}

interface Place {
  readonly node: Node;
  /** Below the entry. */
  readonly place: JsonPath;
  readonly secret: Secret;
}

function* secretsOf(entry: Node | undefined): Generator<Place> {
  for (const [name, { value: field }] of membersOf(entry)) {
    const key = name.toLowerCase().replaceAll(/[-_]/g, '');
    if (/^(?:headers|httpheaders|customheaders|requestheaders)$/.test(key)) yield* named(field, [name], headerSecret);
    else if (/^(?:env|environment|envvars|environmentvariables)$/.test(key)) yield* named(field, [name], valueSecret);
    else if (key === 'oauth' || key === 'auth') yield* named(field, [name], valueSecret);
    else if (/^(?:url|serverurl|httpurl|sseurl|uri|endpoint)$/.test(key)) yield* single(field, [name], urlSecret);
    else if (/^(?:args|arguments)$/.test(key)) yield* argumentsOf(field, [name]);
  }
}

type Find = (name: string, value: string) => Secret | undefined;

function* named(field: Node | undefined, place: JsonPath, find: Find): Generator<Place> {
  for (const [name, { value: node }] of membersOf(field)) {
    const secret = typeof node?.value === 'string' ? find(name, node.value) : undefined;
    if (node && secret) yield { node, place: [...place, name], secret };
  }
}

function* single(
  node: Node | undefined,
  place: JsonPath,
  find: (value: string) => Secret | undefined,
): Generator<Place> {
  const secret = typeof node?.value === 'string' ? find(node.value) : undefined;
  if (node && secret) yield { node, place, secret };
}

/** `--token=x`, `--token x`, and what has the shape of a token. */
function* argumentsOf(field: Node | undefined, place: JsonPath): Generator<Place> {
  let flag: string | undefined;
  for (const [index, node] of (field?.type === 'array' ? (field.children ?? []) : []).entries()) {
    const value: unknown = node.value;
    if (typeof value !== 'string') continue;
    const [, name, rest] = /^--?([\w.-]+)(?:=(.*))?$/s.exec(value) ?? [];
    const secret = rest === undefined ? argumentSecret(flag, value) : assignedSecret(value, name ?? '', rest);
    if (secret) yield { node, place: [...place, index], secret };
    flag = rest === undefined ? name : undefined;
  }
}

function argumentSecret(flag: string | undefined, value: string): Secret | undefined {
  return value.startsWith('-') ? undefined : valueSecret(flag ?? 'token', value, flag !== undefined);
}

function assignedSecret(value: string, name: string, rest: string): Secret | undefined {
  const found = valueSecret(name, rest);
  const before = value.length - rest.length;
  return found && { ...found, start: found.start + before, end: found.end + before };
}

function headerSecret(name: string, value: string): Secret | undefined {
  if (!secretHeaders.test(name)) return valueSecret(name, value);
  return isWritten(value) ? { name, start: scheme.exec(value)?.[0].length ?? 0, end: value.length } : undefined;
}

function valueSecret(name: string, value: string, byName = true): Secret | undefined {
  if (!isWritten(value) || !((byName && isSecretName(name)) || looksSecret(value))) return undefined;
  return { name, start: scheme.exec(value)?.[0].length ?? 0, end: value.length };
}

/** A password in the user info, or a field of the query. */
function urlSecret(url: string): Secret | undefined {
  const user = /^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*:)([^/?#@]+)@/i.exec(url);
  if (user?.[1] !== undefined && user[2] !== undefined && isWritten(user[2]))
    return { name: 'password', start: user[1].length, end: user[1].length + user[2].length };
  for (const field of url.matchAll(/[?&]([^=&#]+)=([^&#]+)/g)) {
    const [whole, name = '', value = ''] = field;
    const end = field.index + whole.length;
    if (isWritten(value) && (isSecretName(name) || looksSecret(value))) return { name, start: end - value.length, end };
  }
  return undefined;
}

/** True for a value that stands there itself: no variable, not empty, no switch. */
function isWritten(value: string): boolean {
  return value.trim() !== '' && !value.includes('${') && !/^(?:true|false|null|none|\d{1,5})$/i.test(value.trim());
}

function fixOf(
  text: string,
  kind: DocumentKind,
  { node, place, secret, id, server }: Place & { readonly id: string; readonly server: string },
): Fix {
  const value = String(node.value);
  const changed = `${value.slice(0, secret.start)}\${input:${id}}${value.slice(secret.end)}`;
  const input = { id, type: 'promptString', description: `${secret.name} of ${server}`, password: true };
  return {
    title: { kind: 'ask', id },
    edits: inSteps(text, [(before) => setValue(before, place, changed), (before) => addInput(before, input, kind)]),
  };
}

/** An id that reads well and that no input has. */
function freeId(text: string, root: Node, kind: DocumentKind, wish: string): string {
  const base =
    wish
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'secret';
  const taken = new Set(inputIds(text, root, kind));
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(id)) return id;
  }
}

/** The ids of the inputs that a file defines. */
export function inputIds(text: string, root: Node, kind: DocumentKind): string[] {
  const list = nodeAt(root, inputsPath(text, kind));
  return list === undefined ? [] : parseInputs(getNodeValue(list)).inputs.map(({ id }) => id);
}
