/** Which tools a model is offered when there are more than it may be. Pure. */

import type { Tool } from '../tools/tool.ts';

/**
 * At most `limit` tools in their own order: those that share words with what the person wrote go before the others, servers take turns.
 * `keep` names tools that the conversation has used, which stay.
 */
export function chooseTools(
  tools: readonly Tool[],
  limit: number,
  prompt: string,
  keep: ReadonlySet<string>,
): readonly Tool[] {
  if (tools.length <= limit) return tools;
  const wanted = new Set(wordsOf(prompt));
  const turns = new Map<string, number>();
  const ranked = tools.map((tool, place) => {
    const turn = turns.get(tool.server) ?? 0;
    turns.set(tool.server, turn + 1);
    const shared = wordsOf(`${tool.tool} ${tool.title ?? ''} ${tool.description}`).filter((word) => wanted.has(word));
    return { tool, place, turn, score: (keep.has(tool.name) ? 1000 : 0) + new Set(shared).size };
  });
  const best = ranked.toSorted((a, b) => b.score - a.score || a.turn - b.turn || a.place - b.place).slice(0, limit);
  return best.toSorted((a, b) => a.place - b.place).map(({ tool }) => tool);
}

/** Words in lower case, parts of `camelCase` and `snake_case` apart; characters of Chinese, Japanese and Korean singly. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').toLowerCase();
  return apart.match(/[\u2E80-\u9FFF\uAC00-\uD7AF]|[\p{L}\p{N}]{2,}/gu) ?? [];
}
