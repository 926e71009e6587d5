/** Memory for pure functions of a text: the same words are looked at for every offered tool. */

/** `compute` with its latest results kept, at most `limit` of them, for texts of up to 2,000 characters. */
export function remember<T>(compute: (text: string) => T, limit = 1000): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined || text.length > 2000) return found ?? compute(text);
    if (known.size >= limit) known.clear();
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}
