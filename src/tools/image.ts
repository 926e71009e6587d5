/** Reads what an image really is from its bytes, so that none enters a conversation that a model endpoint would refuse. Pure. */

import { imageSize } from './imageSize.ts';

/** Decoded bytes that an image may have: the least of what the large endpoints accept. */
const largest = 5 * 1024 * 1024;

/** Pixels on a side: the least of what the large endpoints accept. */
const longestSide = 8000;

/** An image that is fit to be sent, or why it is not. */
export type ImageVerdict =
  | { readonly ok: true; readonly mimeType: string; readonly data: string; readonly bytes: number }
  | { readonly ok: false; readonly reason: string };

/** Checks Base64 `data` (blanks, `data:` URLs and the URL alphabet are put right). The type comes from the bytes, not from a label. */
export function checkImage(data: unknown): ImageVerdict {
  if (typeof data !== 'string' || data === '') return refuse('it holds no data');
  const text = plainBase64(data);
  const size = Math.floor((text.length * 3) / 4);
  if (size > largest) return refuse(`its ${sizeText(size)} are more than a model accepts (${sizeText(largest)})`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1)
    return refuse('its Base64 is broken');
  const bytes = Buffer.from(text, 'base64');
  const mimeType = imageType(bytes);
  if (mimeType === undefined) return refuse(describeOther(bytes));
  if (!isWhole(bytes, mimeType)) return refuse(`its ${mimeType} data is cut off or damaged`);
  const { width, height } = imageSize(bytes, mimeType) ?? { width: 1, height: 1 };
  if (width === 0 || height === 0) return refuse(`its ${mimeType} data is cut off or damaged`);
  if (Math.max(width, height) > longestSide)
    return refuse(`its ${width} × ${height} pixels are more than a model accepts (${longestSide} on a side)`);
  return { ok: true, mimeType, data: bytes.toString('base64'), bytes: bytes.length };
}

/** The decoded size of Base64 text in bytes, without decoding it. */
export function base64Size(data: string): number {
  return Math.floor((plainBase64(data).replace(/=+$/, '').length * 3) / 4);
}

/** `1.5 MB`, in steps of 1,000. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 100) / 10} KB`;
  return `${Math.round(bytes / 100_000) / 10} MB`;
}

function refuse(reason: string): ImageVerdict {
  return { ok: false, reason };
}

function plainBase64(data: string): string {
  const comma = data.startsWith('data:') ? data.indexOf(',') : -1;
  return data
    .slice(comma + 1)
    .replaceAll(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
}

/** The types that model endpoints have in common. */
function imageType(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'image/gif';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

function isWhole(bytes: Buffer, mimeType: string): boolean {
  if (mimeType === 'image/png') {
    const hasSize = bytes.length >= 33 && bytes.readUInt32BE(16) > 0 && bytes.readUInt32BE(20) > 0;
    return hasSize && bytes.includes('IEND', 33, 'latin1');
  }
  if (mimeType === 'image/jpeg') return bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > 3;
  if (mimeType === 'image/gif') return bytes.length > 13 && bytes.lastIndexOf(0x3b) > 13;
  return bytes.length >= 20 && bytes.length >= bytes.readUInt32LE(4) + 8;
}

function describeOther(bytes: Buffer): string {
  const start = bytes.toString('utf8', 0, 200).trimStart();
  if (/^(<\?xml|<!DOCTYPE svg|<svg|<!--)/i.test(start)) return 'SVG is not an image that models accept';
  return 'its bytes are not PNG, JPEG, GIF or WebP';
}
