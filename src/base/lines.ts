const NEWLINE = 10;
const RETURN = 13;

/** A line grew beyond the cap. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
  /** In bytes. */
  readonly limit: number;

  constructor(limit: number) {
    super(`a line is longer than ${limit >= 1 << 20 ? `${Math.round(limit / (1 << 20))} MiB` : `${limit} bytes`}`);
    this.limit = limit;
  }
}

/** 64 MiB. */
export const DEFAULT_LINE_LIMIT = 64 * 1024 * 1024;

/** What becomes of long lines. */
export interface LineOptions {
  /** Bounds one line, in bytes without its end. */
  readonly limit?: number;
  /** True: a line beyond the limit is told in pieces. Otherwise {@link LineTooLongError} is thrown. */
  readonly cut?: boolean;
}

/**
 * Splits bytes into lines of UTF-8 text, however they are cut: chunks of an unfinished line are kept in a list, only the new chunk is searched,
 * and a line is decoded once. A line ends with LF or CR LF. A byte order mark before the first line is dropped.
 */
export class LineDecoder {
  readonly #onLine: (line: string, bytes: number) => void;
  readonly #limit: number;
  readonly #cut: boolean;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #first = true;
  #ended = false;

  constructor(onLine: (line: string, bytes: number) => void, options: LineOptions = {}) {
    this.#onLine = onLine;
    this.#limit = options.limit ?? DEFAULT_LINE_LIMIT;
    this.#cut = options.cut ?? false;
  }

  /** Tells every line that `chunk` ends. The chunk is kept, not copied. Throws {@link LineTooLongError}, after which nothing is told any more. */
  write(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && !this.#ended; end = chunk.indexOf(NEWLINE, start)) {
      this.#finish(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length && !this.#ended) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  /** The bytes are over: tells a last line that has no end. */
  end(): void {
    if (this.#keptBytes > 0 && !this.#ended) this.#tell(this.#take());
    this.#ended = true;
  }

  #finish(chunk: Buffer, start: number, end: number): void {
    if (this.#keptBytes + end - start > this.#limit) {
      this.#keep(chunk.subarray(start, end));
      if (this.#keptBytes > 0) this.#tell(this.#take());
    } else if (this.#keptBytes === 0) this.#tell(chunk, start, end);
    else {
      this.#kept.push(chunk.subarray(start, end));
      this.#keptBytes += end - start;
      this.#tell(this.#take());
    }
  }

  #keep(part: Buffer): void {
    this.#kept.push(part);
    this.#keptBytes += part.length;
    if (this.#keptBytes <= this.#limit) return;
    if (!this.#cut) {
      this.#ended = true;
      this.#take();
      throw new LineTooLongError(this.#limit);
    }
    this.#tellPieces(this.#take());
  }

  /** Tells as many whole pieces as there are, cut between characters, and keeps the rest. */
  #tellPieces(bytes: Buffer): void {
    let start = 0;
    while (bytes.length - start > this.#limit) {
      const end = characterStart(bytes, start, start + this.#limit);
      this.#tell(bytes, start, end);
      start = end;
    }
    this.#kept = [bytes.subarray(start)];
    this.#keptBytes = bytes.length - start;
  }

  #take(): Buffer {
    const [only] = this.#kept;
    const bytes = only && this.#kept.length === 1 ? only : Buffer.concat(this.#kept, this.#keptBytes);
    this.#kept = [];
    this.#keptBytes = 0;
    return bytes;
  }

  #tell(bytes: Buffer, start = 0, end = bytes.length): void {
    const stop = end > start && bytes[end - 1] === RETURN ? end - 1 : end;
    const from = this.#first && hasMark(bytes, start) ? start + 3 : start;
    this.#first = false;
    this.#onLine(bytes.toString('utf8', from, stop), stop - from);
  }
}

/** The last place at or before `end` where a character begins; `end` itself where none does in the last four bytes. */
function characterStart(bytes: Buffer, start: number, end: number): number {
  for (let at = end; at > start && at > end - 4; at--) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at;
  return end;
}

function hasMark(bytes: Buffer, start: number): boolean {
  return bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
}
