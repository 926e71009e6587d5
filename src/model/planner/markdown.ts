/** Foreign text inside Markdown: data stays data, never a link, an image, a heading or HTML. */

/** One line of inline code with fences that the text cannot close; cut at `limit` characters. */
export function inlineCode(text: string, limit = 160): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  const cut = line.length > limit ? `${line.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
  const fence = '`'.repeat(longestRun(cut) + 1);
  const pad = cut === '' || cut.startsWith('`') || cut.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${cut}${pad}${fence}`;
}

/** A fenced block with fences that the text cannot close; cut at `limit` characters. */
export function fencedBlock(text: string, language: string, limit = 4000): string {
  const cut = text.length > limit ? `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}\n…` : text;
  const fence = '`'.repeat(Math.max(3, longestRun(cut) + 1));
  return `${fence}${language}\n${cut}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
}

/** Words of the person inside a sentence: on one line, every character with a meaning in Markdown escaped. */
export function plain(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~!]/g, String.raw`\$&`)
    .replaceAll('://', String.raw`\://`);
}
