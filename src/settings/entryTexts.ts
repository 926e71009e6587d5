import type { ServerEntry } from './serverEntry.ts';

/** One string of an entry that may hold variables, and its place below the entry. */
export interface EntryText {
  readonly text: string;
  readonly place: readonly (string | number)[];
}

/** Every string of `entry` in which variables count. */
export function textsOf(entry: ServerEntry): EntryText[] {
  const { launch } = entry;
  const own =
    launch.kind === 'stdio'
      ? { command: launch.command, args: launch.args, cwd: launch.cwd }
      : { url: launch.url, headers: launch.headers, oauth: launch.oauth, ca: launch.ca };
  return [...collect({ ...own, env: entry.env, envFile: entry.envFile }, [])];
}

function* collect(value: unknown, place: readonly (string | number)[]): Generator<EntryText> {
  if (typeof value === 'string') yield { text: value, place };
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* collect(item, [...place, index]);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) yield* collect(item, [...place, name]);
  }
}
