/** What was caught, as an `Error`: itself, or an error that says the thrown value. */
export function asError(caught: unknown): Error {
  return caught instanceof Error ? caught : new Error(String(caught));
}

/** The text of what was caught: an error's message, or the thrown value as text. */
export function messageOf(caught: unknown): string {
  return caught instanceof Error ? caught.message : String(caught);
}
