import type { Node } from 'jsonc-parser';

import { restOfLine, spaceOf, type TextEdit } from './jsonText.ts';

/** Takes a member of an object or an item of a list away, with the comment behind it on its line. Other comments stay. */
export function removeMember(text: string, member: Node): TextEdit[] {
  const container = member.parent;
  const siblings = container?.children ?? [];
  const index = siblings.indexOf(member);
  if (container === undefined || index < 0) throw new Error('Only a member of an object or of a list can be removed.');
  const previous = siblings[index - 1];
  const next = siblings[index + 1];
  const until = next?.offset ?? container.offset + container.length - 1;
  const after = restOfMember(text, endOf(member), until);
  const from = startOf(text, member, previous);
  const edit = { offset: from, length: lineEnd(text, from, after.end, next) - from, content: '' };
  if (next !== undefined || previous === undefined || after.hasComma) return [edit];
  const comma = commaBehind(text, endOf(previous), member.offset);
  if (comma === undefined) return [edit];
  if (comma + 1 === edit.offset) return [{ offset: comma, length: edit.length + 1, content: '' }];
  return comma < from ? [{ offset: comma, length: 1, content: '' }, edit] : [edit];
}

/** A comment behind the member goes with it, unless another member follows on the same line. */
function restOfMember(text: string, from: number, until: number): { hasComma: boolean; end: number } {
  const rest = restOfLine(text, from, until);
  const comma = commaBehind(text, from, until);
  return comma === undefined || /[\r\n]/.test(text.slice(from, until)) ? rest : { hasComma: true, end: comma + 1 };
}

/** Where the member's line begins, line break included; where it shares the line, what stands before it stays. */
function startOf(text: string, member: Node, previous: Node | undefined): number {
  const space = spaceOf(text, member.offset);
  if (space !== undefined) return lineBreakBefore(text, member.offset - space.length);
  const gap = previous === undefined ? '' : (/[ \t]*$/.exec(text.slice(endOf(previous), member.offset))?.[0] ?? '');
  return member.offset - gap.length;
}

/** Between members of one line no blank is left over. */
function lineEnd(text: string, from: number, end: number, next: Node | undefined): number {
  const isLine = /^[\r\n]/.test(text.slice(from));
  if (isLine || next === undefined || /[\r\n]/.test(text.slice(end, next.offset))) return end;
  return text.slice(from, from + 1) === ' ' ? end : end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0);
}

function lineBreakBefore(text: string, offset: number): number {
  if (text.slice(offset - 2, offset) === '\r\n') return offset - 2;
  return /[\r\n]/.test(text.charAt(offset - 1)) ? offset - 1 : offset;
}

function commaBehind(text: string, from: number, to: number): number | undefined {
  const comment = /\/\/[^\r\n]*|\/\*[^]*?\*\//g;
  const at = text
    .slice(from, to)
    .replaceAll(comment, (found) => ' '.repeat(found.length))
    .indexOf(',');
  return at < 0 ? undefined : from + at;
}

function endOf(node: Node): number {
  return node.offset + node.length;
}
