import type { ServerEntry, SettingsSource } from './serverEntry.ts';

/** An entry that is not used because a nearer one has its name. */
export interface ShadowedEntry {
  readonly entry: ServerEntry;
  readonly by: ServerEntry;
}

/**
 * Decides between entries of one name: the nearer source wins (folders, then the workspace file, then remote user settings, then user settings),
 * among folders the first. Keeps the order in which the names were first given. Pass only entries of sources that are trusted.
 */
export function effectiveEntries(entries: readonly ServerEntry[]): {
  entries: ServerEntry[];
  shadowed: ShadowedEntry[];
} {
  const winners = new Map<string, ServerEntry>();
  for (const entry of entries) {
    const other = winners.get(entry.name);
    if (!other || nearness(entry.source) < nearness(other.source)) winners.set(entry.name, entry);
  }
  const shadowed = entries.flatMap((entry) => {
    const by = winners.get(entry.name);
    return by && by !== entry ? [{ entry, by }] : [];
  });
  return { entries: [...winners.values()], shadowed };
}

/** Smaller is nearer. */
function nearness(source: SettingsSource): number {
  const folder = /^wf(\d+)$/.exec(source)?.[1];
  if (folder !== undefined) return Number(folder);
  const others = ['workspace', 'usrremote', 'usrlocal'];
  return 1e6 + (others.includes(source) ? others.indexOf(source) : others.length);
}
