import { messageOf } from '../base/caught.ts';
/**
 * Text from servers, models and settings is data: it is cleaned here before it stands among our own words.
 * Pure, so that it is tested without an editor.
 */

/**
 * Code points that change how text looks without being seen: controls, bidirectional marks, joiners, tags, variation selectors, fillers,
 * halves of surrogate pairs. First and last of each range.
 */
const invisibleRanges = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
] as const;

const escapeOf = (code: number): string => `\\u{${code.toString(16)}}`;
const invisible = new RegExp(
  `[${invisibleRanges.map(([first, last]) => `${escapeOf(first)}-${escapeOf(last)}`).join('')}]`,
  'gu',
);

/** An emoji's variation selector or joiner is part of a picture that people see; everything else is shown. */
const withinEmoji = /\p{Extended_Pictographic}(?:\uFE0F)?(?:\u200D\p{Extended_Pictographic}(?:\uFE0F)?)*/gu;

/** Makes every invisible, bidirectional or control character visible as `<U+202E>`. Line feeds and tabs stay. */
export function showInvisible(text: string): string {
  let result = '';
  let from = 0;
  for (const match of text.matchAll(withinEmoji)) {
    result += replaceInvisible(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return result + replaceInvisible(text.slice(from));
}

function replaceInvisible(text: string): string {
  return text.replace(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** Cuts `text` to `limit` characters, never inside a character, and says how many were left out. */
export function clip(
  text: string,
  limit: number,
  leftOut: (count: number) => string = (count) => `… (+${count})`,
): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return text.slice(0, end) + leftOut(text.length - end);
}

/** For each character that is shown, so many are read at most: a text may be of any length. */
const charactersRead = 16;

/** One line: runs of white space become one space, invisible characters are shown, at most `limit` characters. */
export function oneLine(text: string, limit = 200): string {
  const most = limit * charactersRead;
  const read = text.length > most ? `${text.slice(0, most)}…` : text;
  return clip(showInvisible(read.replace(/\s+/g, ' ').trim()), limit, () => '…');
}

/** Escapes everything that Markdown, HTML or theme icons would read as more than text. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+\-.!|~^=:@/]/g, (character) => `\\${character}`)
    .replaceAll('$', '&#36;');
}

/** Foreign text as one line of Markdown that shows exactly these characters. */
export function plain(text: string, limit = 200): string {
  return escapeMarkdown(oneLine(text, limit));
}

/** As `plain`, for places that are read aloud or shown raw too: words of letters, digits and harmless signs stay as they are. */
export function plainWords(text: string, limit = 200): string {
  const line = oneLine(text, limit);
  return /^[\p{L}\p{N}](?:[\p{L}\p{N} .,'-]|_(?=[\p{L}\p{N}]))*$/u.test(line) && !/\bwww\./i.test(line)
    ? line
    : escapeMarkdown(line);
}

/** Foreign text as inline code: the delimiter is longer than any run of backticks inside. */
export function inlineCode(text: string, limit = 200): string {
  const line = oneLine(text, limit);
  const ticks = '`'.repeat(longestRun(line, '`') + 1);
  const padding = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return ticks + padding + line + padding + ticks;
}

/** Foreign text as a fenced block that it cannot leave. */
export function fence(text: string, language = '', limit = 4000): string {
  const body = showInvisible(clip(text, limit));
  const ticks = '`'.repeat(Math.max(3, longestRun(body, '`') + 1));
  return `${ticks}${language}\n${body}\n${ticks}`;
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let current = 0;
  for (const each of text) {
    current = each === character ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

/** Pretty JSON; what JSON cannot hold becomes its text. */
export function prettyJson(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 2) ?? String(value);
  } catch (error) {
    return messageOf(error);
  }
}

/** Takes away an `@mcp` that a person typed although the participant was chosen already. */
export function withoutMention(prompt: string, name = 'mcp'): string {
  const start = prompt.trimStart();
  const mention = `@${name}`;
  if (start.slice(0, mention.length).toLowerCase() !== mention) return prompt;
  const rest = start.slice(mention.length);
  return rest === '' || /^[\s,:，：]/u.test(rest) ? rest.replace(/^[\s,:，：]+/u, '') : prompt;
}
