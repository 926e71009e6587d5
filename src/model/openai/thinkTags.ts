/** A stretch of an answer: what is said, or what is thought. */
export interface Stretch {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

const tags = ['think', 'thinking', 'thought'] as const;

/**
 * Tells the thoughts that some models write as `<think>…</think>` before their answer from the answer itself.
 * Only tags at the very start count; white space after the closing tag is dropped. Text passes through at once where no tag can come.
 */
export class ThinkTags {
  #state: 'start' | 'thinking' | 'gap' | 'text' = 'start';
  #held = '';
  #closing = '';

  push(text: string): Stretch[] {
    if (text === '') return [];
    this.#held += text;
    if (this.#state === 'start') this.#readStart();
    const thoughts = this.#isThinking() ? this.#readThought() : [];
    if (this.#isInGap()) this.#skipGap();
    return this.#isSpeaking() ? [...thoughts, ...this.#release('text')] : thoughts;
  }

  /** The answer is over: gives out what was held back. */
  end(): Stretch[] {
    return this.#release(this.#state === 'thinking' ? 'reasoning' : 'text');
  }

  #isThinking(): boolean {
    return this.#state === 'thinking';
  }

  #isInGap(): boolean {
    return this.#state === 'gap';
  }

  #isSpeaking(): boolean {
    return this.#state === 'text';
  }

  #readStart(): void {
    const seen = this.#held.trimStart();
    const opened = tags.find((tag) => seen.startsWith(`<${tag}>`));
    if (opened !== undefined) {
      this.#state = 'thinking';
      this.#closing = `</${opened}>`;
      this.#held = seen.slice(opened.length + 2);
    } else if (!tags.some((tag) => `<${tag}>`.startsWith(seen))) {
      this.#state = 'text';
    }
  }

  #readThought(): Stretch[] {
    const end = this.#held.indexOf(this.#closing);
    const safe = end >= 0 ? end : this.#held.length - lengthOfTagBegun(this.#held, this.#closing);
    const thought = this.#held.slice(0, safe);
    this.#held = this.#held.slice(end >= 0 ? end + this.#closing.length : safe);
    if (end >= 0) this.#state = 'gap';
    return thought === '' ? [] : [{ kind: 'reasoning', text: thought }];
  }

  #skipGap(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== '') this.#state = 'text';
  }

  #release(kind: Stretch['kind']): Stretch[] {
    const text = this.#held;
    this.#held = '';
    return text === '' ? [] : [{ kind, text }];
  }
}

/** How many characters at the end of `text` may be the beginning of `tag`. */
function lengthOfTagBegun(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
