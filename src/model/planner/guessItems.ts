/** Several names for a list of objects: "create entities Ann and Bob of type person" makes two. */
import { unspent, type Evidence } from './evidence.ts';
import { kindOf } from './fieldKind.ts';
import type { Mention } from './findMentions.ts';
import type { Field } from './schemaFields.ts';

/** The names that stand in a row, where the item's first field is a name and no second field needs one. */
export function guessNames(itemFields: readonly Field[], evidence: Evidence): Mention[] {
  const first = itemFields[0];
  if (first === undefined || kindOf(first) !== 'name' || !/^(?:name|title|label)$/.test(first.words.at(-1) ?? ''))
    return [];
  const found = unspent(evidence, 'name', 'quoted');
  const names = found.filter((mention) => mention.kind === found[0]?.kind);
  const isRow = (mention: Mention, index: number): boolean => {
    const before = names[index - 1];
    return (
      before === undefined ||
      /^\s*(?:,|，|、|,?\s*and|和|与)\s*$/.test(
        evidence.action.slice(before.end, mention.start).replace(/["'`”“]/g, ''),
      )
    );
  };
  const end = names.findIndex((mention, index) => !isRow(mention, index));
  return end < 0 ? names : names.slice(0, end);
}
