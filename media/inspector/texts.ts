import { element } from './dom.ts';

/** A text with what was hidden set apart. */
export function marked(text: string): (string | HTMLElement)[] {
  return text
    .split(/(\[(?:redacted \d+ chars?|session(?: [^\s\]]{1,4}…)?) #[0-9a-f]{4}\])/)
    .map((part, index) => (index % 2 === 1 ? element('span', { class: 'redacted' }, part) : part));
}

/** The value of a text that is JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
