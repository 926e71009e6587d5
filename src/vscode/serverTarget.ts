import { asString, isRecord } from '../base/json.ts';

/** The server or entry that a command is about. */
export interface ServerTarget {
  readonly identity: string;
  readonly name: string;
  readonly source: string;
}

/** Reads the argument of a command: a row of the servers view, or an object with an `identity`. Undefined for anything else. */
export function readTarget(argument: unknown): ServerTarget | undefined {
  if (!isRecord(argument)) return undefined;
  const about = [argument['server'], argument['entry'], argument].find(isRecord) ?? argument;
  const name = asString(about['name']);
  const source = asString(about['source']);
  const identity =
    asString(about['identity']) ?? (name !== undefined && source !== undefined ? `${source}/${name}` : '');
  const slash = identity.indexOf('/');
  if (slash < 1) return undefined;
  return { identity, name: name ?? identity.slice(slash + 1), source: source ?? identity.slice(0, slash) };
}
