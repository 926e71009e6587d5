import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

/** The stream that undoes a `Content-Encoding`, undefined where there is nothing to undo or it is not known. */
export function bodyDecoder(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH });
    case 'deflate':
      return zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH });
    case 'br':
      return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}

/** A body grew beyond the cap. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';

  constructor(limit: number) {
    super(`the body is larger than ${Math.round(limit / 1024 / 1024)} MiB`);
  }
}

/** 64 MiB. */
export const DEFAULT_BODY_LIMIT = 64 * 1024 * 1024;

/** Collects a body: chunks in a list, joined and decoded once. */
export class BodyCollector {
  readonly #chunks: Uint8Array[] = [];
  readonly #limit: number;
  #bytes = 0;

  /** `limit` in bytes. */
  constructor(limit = DEFAULT_BODY_LIMIT) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws {@link BodyTooLargeError} when the body passes the cap. */
  add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#limit) throw new BodyTooLargeError(this.#limit);
    this.#chunks.push(chunk);
  }

  /** The whole, in one piece. */
  whole(): Buffer {
    const [first, second] = this.#chunks;
    if (!first || second) return Buffer.concat(this.#chunks, this.#bytes);
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }

  /** The whole as UTF-8 text, without a byte order mark. */
  text(): string {
    const text = this.whole().toString('utf8');
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}
