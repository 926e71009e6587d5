/** Reads a ZIP archive: just what the tests of the VSIX need. */
import { inflateRawSync } from 'node:zlib';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** Bytes, unpacked. */
  readonly size: number;
  readonly text: () => string;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;

/** The entries of an archive in its own order, folders left out. Throws when it is no archive (ZIP64 is not read). */
export function readZip(archive: Buffer): ZipEntry[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || archive.readUInt32LE(end) !== endMark) throw new Error('Not a ZIP archive');
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== entryMark) throw new Error(`No entry at byte ${at}`);
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const head = at;
    if (!name.endsWith('/')) {
      entries.push({
        name,
        size: archive.readUInt32LE(at + 24),
        text: () => contentOf(archive, head).toString('utf8'),
      });
    }
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

/** The unpacked bytes of the entry whose head in the directory stands at `head`. */
function contentOf(archive: Buffer, head: number): Buffer {
  const method = archive.readUInt16LE(head + 10);
  const packedSize = archive.readUInt32LE(head + 20);
  const local = archive.readUInt32LE(head + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(start, start + packedSize);
  return method === 0 ? packed : inflateRawSync(packed);
}
