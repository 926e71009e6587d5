/** The last lines of a process's stderr, for the text that tells how it ended. Bounded in lines and characters. */
export class LastLines {
  readonly #maxLines: number;
  readonly #maxLength: number;
  #lines: string[] = [];

  constructor(maxLines = 12, maxLength = 300) {
    this.#maxLines = maxLines;
    this.#maxLength = maxLength;
  }

  add(line: string): void {
    if (line.trim() === '') return;
    this.#lines.push(line.length > this.#maxLength ? `${line.slice(0, this.#maxLength)}…` : line);
    if (this.#lines.length > this.#maxLines) this.#lines.shift();
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}
