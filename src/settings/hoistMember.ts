import type { Node } from 'jsonc-parser';

import type { TextEdit } from './jsonText.ts';

/**
 * Puts what is inside an object in the place of the object's own member, text for text, so that comments stay; each name inside gets
 * `prefix` in front. Undefined where the member holds no object with members.
 */
export function hoistMember(text: string, member: Node, prefix = ''): TextEdit | undefined {
  const value = member.children?.[1];
  const inner = value?.children ?? [];
  if (value?.type !== 'object' || inner.length === 0) return undefined;
  const start = value.offset + 1;
  const end = value.offset + value.length - 1;
  const names = inner.flatMap(({ children }) => children?.[0] ?? []);
  const renamed = names.reduceRight(
    (body, { offset }) => body.slice(0, offset - start + 1) + prefix + body.slice(offset - start + 1),
    text.slice(start, end),
  );
  const last = inner.at(-1);
  const tail = last === undefined ? 0 : renamed.length - (end - (last.offset + last.length));
  const body = withoutComma(renamed, tail);
  return {
    offset: member.offset,
    length: member.length,
    content: moveLeft(body, spaceOfLine(text, member.offset)).trim(),
  };
}

/** A comma behind the last member inside would stand beside the one behind the member outside. */
function withoutComma(body: string, from: number): string {
  const comment = /\/\/[^\r\n]*|\/\*[^]*?\*\//g;
  const at = body
    .slice(from)
    .replaceAll(comment, (found) => ' '.repeat(found.length))
    .indexOf(',');
  return at < 0 ? body : body.slice(0, from + at) + body.slice(from + at + 1);
}

/** Takes the one step further in off each line. */
function moveLeft(body: string, outside: string): string {
  const inside = /[\r\n]([ \t]*)\S/.exec(body)?.[1];
  if (inside === undefined || !inside.startsWith(outside)) return body;
  const step = inside.slice(outside.length);
  return body.replaceAll(new RegExp(`([\\r\\n]${outside})${step}`, 'g'), '$1');
}

function spaceOfLine(text: string, offset: number): string {
  const line =
    text
      .slice(0, offset)
      .split(/\r\n|\r|\n/)
      .at(-1) ?? '';
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
