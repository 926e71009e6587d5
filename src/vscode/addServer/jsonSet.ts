import { isRecord } from '../../base/json.ts';

/** Values that are equal as JSON count as one, in whatever order their members stand. */
export class JsonSet {
  readonly #texts: ReadonlySet<string>;

  constructor(values: readonly unknown[]) {
    this.#texts = new Set(values.map(canonical));
  }

  has(value: unknown): boolean {
    return this.#texts.has(canonical(value));
  }
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
