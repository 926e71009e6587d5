/** The member at `path` of something unknown; undefined where there is none. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    const index = typeof step === 'number' && step < 0 && Array.isArray(here) ? here.length + step : step;
    here = Object.entries(here).find(([name]) => name === String(index))?.[1];
  }
  return here;
}

/** The list at `path`; empty where there is none. */
export function digList(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = dig(value, ...path);
  return Array.isArray(found) ? found : [];
}
