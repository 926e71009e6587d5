import type { Node } from 'jsonc-parser';

import { restOfLine, spaceOf, type TextEdit } from './jsonText.ts';

/** How a text breaks and indents its lines. */
interface Layout {
  readonly lineEnd: string;
  /** One step to the right. */
  readonly indent: string;
}

/**
 * Adds a member to an object, or an item to a list (`name` absent), at its end. Comments stay with what they stand beside,
 * and a comma behind the last member is kept in the style of the text.
 */
export function insertMember(text: string, container: Node, name: string | undefined, value: unknown): TextEdit[] {
  const write = (space: string, layout: Layout): string =>
    (name === undefined ? '' : `${JSON.stringify(name)}: `) + writeValue(value, space, layout);
  const last = container.children?.at(-1);
  const layout = layoutOf(text);
  if (last === undefined) return [fillEmpty(text, container, write, layout)];
  const end = last.offset + last.length;
  const close = container.offset + container.length - 1;
  if (!/[\r\n]/.test(text.slice(container.offset, close))) {
    const member = (name === undefined ? '' : `${JSON.stringify(name)}: `) + compact(value);
    const comma = /^\s*,/.exec(text.slice(end, close))?.[0];
    return [{ offset: end + (comma?.length ?? 0), length: 0, content: `${comma === undefined ? ',' : ''} ${member}` }];
  }
  const after = restOfLine(text, end, close);
  const space = spaceOf(text, last.offset) ?? spaceBefore(text, container.offset) + layout.indent;
  const content = `${layout.lineEnd}${space}${write(space, layout)}${after.hasComma ? ',' : ''}`;
  const member = { offset: after.end, length: 0, content };
  return after.hasComma ? [member] : joinAt(end, member);
}

/** The new text of a value that stands at `offset`. */
export function valueText(text: string, offset: number, value: unknown): string {
  return writeValue(value, spaceBefore(text, offset), layoutOf(text));
}

/** A comma behind the last member, then the new one; one edit where both stand at the same place. */
function joinAt(end: number, member: TextEdit): TextEdit[] {
  if (member.offset === end) return [{ ...member, content: `,${member.content}` }];
  return [{ offset: end, length: 0, content: ',' }, member];
}

function fillEmpty(
  text: string,
  container: Node,
  write: (space: string, layout: Layout) => string,
  layout: Layout,
): TextEdit {
  const inner = text.slice(container.offset + 1, container.offset + container.length - 1);
  const kept = inner.trimEnd();
  const outside = spaceBefore(text, container.offset);
  const inside = outside + layout.indent;
  return {
    offset: container.offset + 1 + kept.length,
    length: inner.length - kept.length,
    content: `${layout.lineEnd}${inside}${write(inside, layout)}${layout.lineEnd}${outside}`,
  };
}

function writeValue(value: unknown, space: string, { lineEnd, indent }: Layout): string {
  return JSON.stringify(value, undefined, indent).replaceAll('\n', lineEnd + space);
}

/** JSON on one line, with blanks as a person writes it. */
function compact(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ');
}

/** White space at the start of the line of `offset`. */
function spaceBefore(text: string, offset: number): string {
  const line =
    text
      .slice(0, offset)
      .split(/\r\n|\r|\n/)
      .at(-1) ?? '';
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** As the text does it; four blanks where it does not say. */
function layoutOf(text: string): Layout {
  return { lineEnd: text.includes('\r\n') ? '\r\n' : '\n', indent: /^([ \t]+)["[{]/m.exec(text)?.[1] ?? '    ' };
}
