/** Addresses with places to fill in (RFC 6570), as far as servers use them. Pure. */

/** An expression: `{name}`, `{+path}`, `{?first,second}` … */
const expression = /\{([+#./;?&]?)([^{}]*)\}/g;

/** What stands before the first value, and between values, by operator (RFC 6570, appendix A). */
const operators: Readonly<
  Record<string, { readonly first: string; readonly separator: string; readonly named: boolean }>
> = {
  '': { first: '', separator: ',', named: false },
  '+': { first: '', separator: ',', named: false },
  '#': { first: '#', separator: ',', named: false },
  '.': { first: '.', separator: '.', named: false },
  '/': { first: '/', separator: '/', named: false },
  ';': { first: ';', separator: ';', named: true },
  '?': { first: '?', separator: '&', named: true },
  '&': { first: '&', separator: '&', named: true },
};

/** The names of the places, in their order, each once. */
export function templateVariables(template: string): readonly string[] {
  const names = [...template.matchAll(expression)].flatMap((match) => namesIn(match[2] ?? ''));
  return [...new Set(names)];
}

/** The address with the values filled in; a place without a value is left out. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(expression, (_whole, operator: string, list: string) => {
    const { first, separator, named } = operators[operator] ?? { first: '', separator: ',', named: false };
    const encode = operator === '+' || operator === '#' ? encodeURI : encodeURIComponent;
    const parts = namesIn(list).flatMap((name) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined || value === '') return [];
      return [named ? `${name}=${encode(value)}` : encode(value)];
    });
    return parts.length === 0 ? '' : first + parts.join(separator);
  });
}

/** True where the address could have been made from the template. */
export function matchesTemplate(template: string, uri: string): boolean {
  // Literal texts in their order, anything between them: no pattern that a server writes is run.
  const literals = template.split(expression).filter((_part, place) => place % 3 === 0);
  let at = 0;
  for (const [place, literal] of literals.entries()) {
    const found = place === literals.length - 1 && literal !== '' ? uri.lastIndexOf(literal) : uri.indexOf(literal, at);
    if (found < at || (place === 0 && found !== 0)) return false;
    at = found + literal.length;
  }
  return literals.at(-1) === '' || at === uri.length;
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.replace(/(\*|:\d+)$/, '').trim())
    .filter((name) => name !== '');
}
