/** Replaces `length` characters at `offset` of a text by `content`. Edits of one list never overlap and all count from the same text. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/** What may stand between members. */
const trivia = /[ \t]+|[\r\n]+|,|\/\/[^\r\n]*|\/\*[^]*?\*\//g;

/** What follows a member until the next one or the end of the container, at `to`: whether there is a comma, and where the comments that stand on its line end. */
export function restOfLine(text: string, from: number, to: number): { hasComma: boolean; end: number } {
  let end = from;
  let hasComma = false;
  let isSameLine = true;
  for (const { 0: token, index } of text.slice(from, to).matchAll(trivia)) {
    if (/^[\r\n]/.test(token)) isSameLine = false;
    if (token === ',') hasComma = true;
    if (token === ',' || (isSameLine && token.startsWith('/'))) end = from + index + token.length;
  }
  return { hasComma, end };
}

/** White space between the start of a line and `offset`; undefined where something else stands there. */
export function spaceOf(text: string, offset: number): string | undefined {
  const line =
    text
      .slice(0, offset)
      .split(/\r\n|\r|\n/)
      .at(-1) ?? '';
  return line.trim() === '' ? line : undefined;
}
