/**
 * Follows JSON text as it arrives in pieces and knows where its first value ends, in time linear in the text.
 * It looks at brackets and quotes alone: what is `complete` may still be invalid inside.
 */
export class JsonExtent {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #state: 'blank' | 'open' | 'complete' = 'blank';

  /** `blank` before anything but white space, `open` within the value, `complete` after its last bracket or quote. */
  get state(): 'blank' | 'open' | 'complete' {
    return this.#state;
  }

  /** Takes the next piece. Returns how many of its characters belong to the value or stand before it. */
  push(text: string): number {
    for (let at = 0; at < text.length; at++) {
      if (this.#state === 'complete') return at;
      this.#take(text.charAt(at));
    }
    return text.length;
  }

  #take(character: string): void {
    if (this.#inString) this.#takeInString(character);
    else if (character === '"') this.#open('string');
    else if (character === '{' || character === '[') this.#open('bracket');
    else if (character === '}' || character === ']') this.#close();
    else if (this.#state === 'blank' && character.trim() !== '') this.#state = 'open';
  }

  #takeInString(character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (character === '\\') this.#escaped = true;
    else if (character === '"') {
      this.#inString = false;
      if (this.#depth === 0) this.#state = 'complete';
    }
  }

  #open(what: 'string' | 'bracket'): void {
    this.#state = 'open';
    if (what === 'string') this.#inString = true;
    else this.#depth++;
  }

  #close(): void {
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth === 0 && this.#state === 'open') this.#state = 'complete';
  }
}

/** Cuts `text` into the JSON values that stand in it one after the other. The last one may be incomplete. */
export function splitValues(text: string): string[] {
  const values: string[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const taken = Math.max(1, new JsonExtent().push(rest));
    values.push(rest.slice(0, taken).trim());
    rest = rest.slice(taken);
  }
  return values;
}
