/** What a person typed after a command. Pure. */

export interface CommandWords {
  /** Words without a name, in their order. */
  readonly plain: readonly string[];
  /** `name=value`, also `name="two words"`. */
  readonly named: Readonly<Record<string, string>>;
}

const word = /([\w.-]+)=(?:"([^"]*)"|'([^']*)'|(\S*))|"([^"]*)"|'([^']*)'|(\S+)/gu;

/** Takes a line apart: quotes keep words together. Only names among `known` make an argument of `name=value`. */
export function splitWords(line: string, known: ReadonlySet<string>): CommandWords {
  const plain: string[] = [];
  const named: Record<string, string> = {};
  for (const match of line.matchAll(word)) {
    const [whole, name, double, single, bare, ...quoted] = match;
    if (name !== undefined && known.has(name)) named[name] = double ?? single ?? bare ?? '';
    else if (name !== undefined) plain.push(whole);
    else plain.push(quoted.find((text) => text !== undefined) ?? whole);
  }
  return { plain, named };
}
