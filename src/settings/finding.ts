import type { Node } from 'jsonc-parser';

import { applyEdits, type TextEdit } from './editSettings.ts';
import type { Severity } from './problem.ts';

/** What a quick fix does, for its title. */
export type FixTitle =
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'write'; readonly value: unknown }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'members'; readonly names: readonly string[] }
  | { readonly kind: 'hoist' }
  | { readonly kind: 'dotted' }
  | { readonly kind: 'ask'; readonly id: string }
  | { readonly kind: 'define'; readonly id: string };

export interface Fix {
  readonly title: FixTitle;
  /** Of the text that was diagnosed. */
  readonly edits: readonly TextEdit[];
}

/** Something to tell about a piece of a settings file. */
export interface Finding {
  readonly offset: number;
  readonly length: number;
  readonly severity: Severity;
  readonly message: string;
  readonly fixes: readonly Fix[];
}

/** One edit for several that build on each other, which touches only what differs. */
export function differenceEdit(before: string, after: string): TextEdit[] {
  if (before === after) return [];
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [{ offset: start, length: before.length - end - start, content: after.slice(start, after.length - end) }];
}

/** The steps one after another, each on the text that the one before has left. */
export function inSteps(text: string, steps: readonly ((text: string) => readonly TextEdit[])[]): TextEdit[] {
  return differenceEdit(
    text,
    steps.reduce((before, step) => applyEdits(before, step(before)), text),
  );
}

/** The span of a value, with its name where `withName`. */
export function spanOf(node: Node, withName: boolean): { offset: number; length: number } {
  const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  const shown = withName && key !== undefined ? key : node;
  return { offset: shown.offset, length: shown.length };
}
