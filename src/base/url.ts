/** `text` as a URL, against `base` where it is relative; undefined when it is none. (`URL.parse` is newer than the oldest Node that we run on.) */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  const against = base === undefined ? undefined : String(base);
  return URL.canParse(text, against) ? new URL(text, against) : undefined;
}

/** Undoes percent-encoding; what is none stays as it was written. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that stands for itself.
    return text;
  }
}
