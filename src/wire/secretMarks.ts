import { createHmac, randomBytes } from 'node:crypto';

/** What stands for a secret: `[redacted 40 chars #a1b2]`, or `[session 3e19… #a1b2]` for a session's id. */
export const MARK_PATTERN = /\[(?:redacted \d+ chars?|session(?: [^\s\]]{1,4}…)?) #[0-9a-f]{4}\]/g;

/** Counts the marks in a text. */
export function countMarks(text: string): number {
  return text.match(MARK_PATTERN)?.length ?? 0;
}

/**
 * Makes the marks. The hash is keyed with random bytes of this process, so that equal secrets look equal
 * and yet nobody can try out guesses against a saved file.
 */
export class SecretMarks {
  readonly #key = randomBytes(32);
  readonly #made = new Map<string, string>();

  secret(value: string): string {
    return this.#remember(
      `s${value}`,
      () => `[redacted ${value.length} char${value.length === 1 ? '' : 's'} #${this.#hash(value)}]`,
    );
  }

  /** Shows four characters where the id is long enough to stay unknown. */
  session(value: string): string {
    const shown = value.length >= 16 && /^[\w-]{4}/.test(value) ? ` ${value.slice(0, 4)}…` : '';
    return this.#remember(`i${value}`, () => `[session${shown} #${this.#hash(value)}]`);
  }

  #hash(value: string): string {
    return createHmac('sha256', this.#key).update(value).digest('hex').slice(0, 4);
  }

  /** The hash costs some microseconds and the same few secrets come with every request. */
  #remember(key: string, make: () => string): string {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    if (this.#made.size >= 500) this.#made.clear();
    const mark = make();
    this.#made.set(key, mark);
    return mark;
  }
}
