/** Chooses tools by the server's own names: what `deny` matches is out; with `allow` only what it matches is in. */
export interface NameFilter {
  readonly allow?: readonly string[];
  readonly deny: readonly string[];
}

/** True when `name` fits `pattern`, in which `*` stands for any characters, also none. Case counts. Never slower than pattern × name. */
export function matchesPattern(pattern: string, name: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (place < name.length) {
    if (pattern[at] === '*') {
      star = at++;
      resume = place;
    } else if (pattern[at] === name[place]) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++resume;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

/** True when `filter` lets `name` through. */
export function allowsName(filter: NameFilter, name: string): boolean {
  const matches = (pattern: string): boolean => matchesPattern(pattern, name);
  if (filter.deny.some(matches)) return false;
  return filter.allow === undefined || filter.allow.some(matches);
}

/** Reads a list of patterns in which `!name` or `-name` takes out. A list of exclusions alone lets all others in. */
export function filterOfList(patterns: readonly string[]): NameFilter {
  const deny = patterns.filter(isExclusion).map((pattern) => pattern.slice(1));
  const allow = patterns.filter((pattern) => !isExclusion(pattern));
  return allow.length === 0 && deny.length > 0 ? { deny } : { allow, deny };
}

function isExclusion(pattern: string): boolean {
  return pattern.startsWith('!') || pattern.startsWith('-');
}
