const units = ['B', 'kB', 'MB', 'GB'] as const;

/** 311 B, 9.8 kB, 1.4 MB. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit] ?? 'GB'}`;
}

/** 0.4 ms, 8 ms, 1.24 s, 2 min 5 s. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(2)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Seconds since the start: 0.041. */
export function formatSince(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** 1,234. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** Puts values into a text's places. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replaceAll(/\{(\d)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}

/** At most `length` characters, in one line. */
export function shorten(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
