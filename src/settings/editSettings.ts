/**
 * Changes the text of a settings file and nothing else in it: comments, order and layout stay. Pure; every function gives edits of
 * the text it was given, none of which overlap. All throw an Error that says what to mend where the text is no JSON with comments,
 * or where the place of the change is taken by something else.
 */
import type { Node } from 'jsonc-parser';

import { insertMember, valueText } from './insertMember.ts';
import type { TextEdit } from './jsonText.ts';
import { removeMember } from './removeMember.ts';
import { nodeAt, readTree } from './settingsTree.ts';
import { inputsPath, serversPath, type DocumentKind, type JsonPath } from './settingsPlaces.ts';

export type { TextEdit } from './jsonText.ts';
export type { DocumentKind, JsonPath } from './settingsPlaces.ts';

/** Sets the value at `path`; objects on the way are made. `undefined` takes the member away. */
export function setValue(text: string, path: JsonPath, value: unknown): TextEdit[] {
  const root = readTree(text);
  if (value === undefined) return removeValue(text, path);
  if (root === undefined) return [{ offset: text.length, length: 0, content: newDocument(text, nest(path, value)) }];
  const { node, depth } = deepest(root, path);
  const rest = path.slice(depth);
  if (rest.length === 0) return [replace(text, node, value)];
  if (node.type === 'null') return [replace(text, node, nest(rest, value))];
  const [step] = rest;
  const isObject = node.type === 'object' && typeof step === 'string';
  if (!isObject && !(node.type === 'array' && typeof step === 'number')) {
    throw new Error(
      `The settings hold ${node.type === 'array' ? 'a list' : `a ${node.type}`} at ${placeText(path.slice(0, depth))}, where an object is needed. Correct it there first.`,
    );
  }
  return insertMember(text, node, typeof step === 'string' ? step : undefined, nest(rest.slice(1), value));
}

/** Takes the member at `path` away; no edit where there is none. */
export function removeValue(text: string, path: JsonPath): TextEdit[] {
  const root = readTree(text);
  const node = nodeAt(root, path);
  const member = node?.parent?.type === 'property' ? node.parent : node;
  return member?.parent === undefined ? [] : removeMember(text, member);
}

/** Gives the member at `path` another name. */
export function renameKey(text: string, path: JsonPath, name: string): TextEdit[] {
  const root = readTree(text);
  const key = nodeAt(root, path)?.parent?.children?.[0];
  if (key?.type !== 'string') throw new Error(`The settings have no ${placeText(path)}.`);
  return [{ offset: key.offset, length: key.length, content: JSON.stringify(name) }];
}

/** Adds a server as it should stand in the file, or replaces the one of that name. `kind`: what file the text is of. */
export function addServer(text: string, name: string, entry: unknown, kind: DocumentKind = 'settings'): TextEdit[] {
  return setValue(text, [...serversPath(text, kind), name], entry);
}

/** Takes a server away; no edit where there is none. */
export function removeServer(text: string, name: string, kind: DocumentKind = 'settings'): TextEdit[] {
  return removeValue(text, [...serversPath(text, kind), name]);
}

/** Adds an input definition at the end of the list. Does nothing where one with its id is there. */
export function addInput(text: string, input: { readonly id: string }, kind: DocumentKind = 'settings'): TextEdit[] {
  const path = inputsPath(text, kind);
  const root = readTree(text);
  const list = nodeAt(root, path);
  if (list?.type !== 'array') return setValue(text, path, [input]);
  const ids = list.children?.map((item) => nodeAt(item, ['id'])?.value);
  return ids?.includes(input.id) ? [] : insertMember(text, list, undefined, input);
}

/** The text after the edits. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .map((edit, index) => ({ edit, index }))
    .toSorted((a, b) => b.edit.offset - a.edit.offset || b.index - a.index)
    .reduce(
      (before, { edit: { offset, length, content } }) =>
        before.slice(0, offset) + content + before.slice(offset + length),
      text,
    );
}

/** The last node on the way that is there, and how many steps lead to it. */
function deepest(root: Node, path: JsonPath): { node: Node; depth: number } {
  let node = root;
  for (const [depth, step] of path.entries()) {
    const next = nodeAt(node, [step]);
    if (next === undefined) return { node, depth };
    node = next;
  }
  return { node, depth: path.length };
}

function replace(text: string, node: Node, value: unknown): TextEdit {
  return { offset: node.offset, length: node.length, content: valueText(text, node.offset, value) };
}

function nest(path: JsonPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value);
}

/** A file that holds no value yet; its comments stay above. */
function newDocument(text: string, value: unknown): string {
  return `${text === '' || /[\r\n]$/.test(text) ? '' : '\n'}${valueText('', 0, value)}\n`;
}

function placeText(path: JsonPath): string {
  return path.length === 0 ? 'the top' : `"${path.join('" → "')}"`;
}
