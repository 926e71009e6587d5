/** Endings by which the editor knows what it shows. */
const endings: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
};

/** The last part of the address as the name of a file, with an ending that fits its type. */
export function resourceName(uri: string, mimeType: string | undefined): string {
  const [address = ''] = uri.split(/[?#]/, 1);
  const last = address.split(/[/\\:]+/).findLast((part) => part !== '') ?? '';
  const name = last.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').slice(-80) || 'resource';
  const ending = endings[mimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''];
  if (ending !== undefined && !name.toLowerCase().endsWith(`.${ending}`)) return `${name}.${ending}`;
  return name.includes('.') ? name : `${name}.txt`;
}
