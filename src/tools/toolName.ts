import { createHash } from 'node:crypto';

/** What chat endpoints accept as the name of a function. */
const longest = 64;
const hashLength = 6;

/** A tool that needs an offered name. `identity` is its server's. */
export interface ToolToName {
  readonly identity: string;
  readonly prefix: string;
  readonly tool: string;
}

/**
 * The names to offer: `<prefix>_<name>`, cleaned to `^[a-zA-Z0-9_-]{1,64}$` and unique. A name that is too long, that has nothing left
 * after cleaning or that meets another one gets a short hash of the original; among equals the one that needed no cleaning stays as it is.
 * The outcome depends on what the tools are, never on their order.
 * @param reserved names that are not to be given
 */
export function offeredNames<T extends ToolToName>(
  tools: readonly T[],
  reserved: ReadonlySet<string> = new Set(),
): ReadonlyMap<T, string> {
  const names = new Map<T, string>();
  const taken = new Set(reserved);
  for (const [name, members] of groupByName(tools)) {
    const keeper = name === '' || reserved.has(name) ? undefined : keeperOf(members);
    if (keeper === undefined) continue;
    names.set(keeper, name);
    taken.add(name);
  }
  const others = tools.filter((tool) => !names.has(tool)).sort(byOriginal);
  for (const tool of others) names.set(tool, hashedName(tool, taken));
  return names;
}

function groupByName<T extends ToolToName>(tools: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const tool of tools) {
    const name = plainName(tool);
    const group = groups.get(name);
    if (group) group.push(tool);
    else groups.set(name, [tool]);
  }
  return groups;
}

/** `a.b/c d` → `a_b_c_d`. */
function cleanName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/gu, '_');
}

/** The name without a hash; empty where it cannot do without. */
function plainName({ prefix, tool }: ToolToName): string {
  const cleaned = cleanName(tool);
  const name = `${prefix}_${cleaned}`;
  return name.length > longest || !isReadable(cleaned) ? '' : name;
}

/** Who of those with the same plain name keeps it. */
function keeperOf<T extends ToolToName>(members: readonly T[]): T | undefined {
  if (members.length === 1) return members[0];
  const unaltered = members.filter(({ tool }) => tool === cleanName(tool));
  return unaltered.length === 1 ? unaltered[0] : undefined;
}

function byOriginal(a: ToolToName, b: ToolToName): number {
  const key = ({ prefix, tool, identity }: ToolToName): string => `${prefix}\n${tool}\n${identity}`;
  return key(a) < key(b) ? -1 : 1;
}

function hashedName({ prefix, tool, identity }: ToolToName, taken: Set<string>): string {
  const cleaned = cleanName(tool);
  const stem = `${prefix}_${isReadable(cleaned) ? cleaned : 'tool'}`.slice(0, longest - hashLength - 1);
  for (let round = 0; ; round++) {
    const hash = sha1(round === 0 ? `${prefix}\n${tool}` : `${prefix}\n${tool}\n${identity}\n${round}`);
    const name = `${stem}_${hash.slice(0, hashLength)}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

function isReadable(cleaned: string): boolean {
  return /[a-zA-Z0-9]/.test(cleaned);
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
