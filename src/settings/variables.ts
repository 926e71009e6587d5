/** One `${…}` in a text. */
export interface Variable {
  /** As written, with `${` and `}`. */
  readonly text: string;
  readonly kind: string;
  readonly argument: string | undefined;
}

const VARIABLE = /\$\{([^{}]*)\}/g;

/** What a variable stands for: a value, or why there is none. */
export type VariableValue = { readonly value: string } | { readonly missing: string };

/** The variables in `text`, in order. */
export function variablesIn(text: string): Variable[] {
  return [...text.matchAll(VARIABLE)].map(([whole, inner = '']) => parseVariable(whole, inner));
}

/** `${NAME}` and `${NAME:-default}`, as shells and other products write them, stand for the environment. */
function parseVariable(text: string, inner: string): Variable {
  if (/^[A-Za-z_]\w*:-/.test(inner) || (/^[A-Z_][A-Z0-9_]*$/.test(inner) && inner !== ''))
    return { text, kind: 'env', argument: inner };
  const colon = inner.indexOf(':');
  if (colon < 0) return { text, kind: inner, argument: undefined };
  return { text, kind: inner.slice(0, colon), argument: inner.slice(colon + 1) };
}

/**
 * Replaces every variable of `text`. What `evaluate` has no value for is added to `missing`, and the text is then of no use.
 * A value is taken as it is: variables in it are not replaced again.
 */
export async function expand(
  text: string,
  evaluate: (variable: Variable) => Promise<VariableValue>,
  missing: (text: string) => void,
): Promise<string> {
  const values = new Map<string, string>();
  for (const variable of variablesIn(text)) {
    if (values.has(variable.text)) continue;
    const found = await evaluate(variable);
    if ('missing' in found) missing(`${variable.text}: ${found.missing}`);
    values.set(variable.text, 'value' in found ? found.value : '');
  }
  return text.replaceAll(VARIABLE, (whole) => values.get(whole) ?? whole);
}
