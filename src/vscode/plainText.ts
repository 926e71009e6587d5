/**
 * Text from servers, models and settings is data: it is cleaned here before it stands among our own words.
 * Pure, so that it is tested without an editor.
 */

/** Characters that change how text looks without being seen: controls, bidirectional marks, joiners, tags, variation selectors, fillers. */
const invisible =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}\uD800-\uDFFF]/gu;

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

/** One line: runs of white space become one space, invisible characters are shown, at most `limit` characters. */
export function oneLine(text: string, limit = 200): string {
  return clip(showInvisible(text.replace(/\s+/g, ' ').trim()), limit, () => '…');
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

/** Foreign text as inline code: the delimiter is longer than any run of backticks inside. */
export function inlineCode(text: string, limit = 200): string {
  const line = oneLine(text, limit);
  const ticks = '`'.repeat(longestRun(line, '`') + 1);
  const padding = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return ticks + padding + line + padding + ticks;
}

/** Foreign text as a fenced block that it cannot leave. */
export function fence(text: string, language = '', limit = 4000): string {
  const body = clip(showInvisible(text), limit);
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
    return error instanceof Error ? error.message : String(error);
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
