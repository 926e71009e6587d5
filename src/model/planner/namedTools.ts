/** Tools that a step calls by name. */
import { ownName, type IndexedTool } from './indexTool.ts';

/** Tools whose name the text spells out: whole, in backquotes, after a slash, or as "the … tool". */
export function namedTools(action: string, entries: readonly IndexedTool[]): ReadonlySet<IndexedTool> {
  const text = action.toLowerCase();
  const named = entries.filter(({ tool }) => {
    const full = tool.name.toLowerCase();
    const own = ownName(tool.name);
    return spells(text, full, /[_\d-]/.test(full)) || spells(text, own.toLowerCase(), /[_-]|\p{Ll}\p{Lu}/u.test(own));
  });
  return new Set(named);
}

function spells(text: string, name: string, isDistinct: boolean): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.slice(at + name.length);
    if (/[a-z\d_]/.test(before) || /^[a-z\d_]/.test(after)) continue;
    if (isDistinct || before === '`' || before === '/' || /^\s+tool\b|^\s*工具/.test(after)) return true;
    if (
      /\b(?:use|call|run|invoke)\s+(?:the\s+)?$|(?:用|调用)\s*$/.test(text.slice(0, at)) &&
      /^\s*(?:$|with|on|for|to|来)/.test(after)
    )
      return true;
  }
  return false;
}
