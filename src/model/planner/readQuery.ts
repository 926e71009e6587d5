/** The words of a step as terms with weights, and what the step wants to do. */
import { blank, findMentions } from './findMentions.ts';
import { findSpans } from './spans.ts';
import { nounLike, type Intent } from './vocabulary.ts';
import { termsOf, wordsOf, type Term } from './words.ts';

/** The words of a step that tools are found by. */
export interface Query {
  readonly terms: readonly (Term & { readonly weight: number })[];
  readonly intent: Intent | undefined;
  readonly verb: Term | undefined;
  /** True where a path with an extension is named. */
  readonly isFile: boolean;
}

/** Reads the words of a step: names, addresses and quoted texts count by their kind, the words of the question less than those of the action. */
export function readQuery(action: string, question: string): Query {
  const spans = findSpans(action).filter((span) => !(span.kind === 'quoted' && action.charAt(span.start) === '`'));
  const bare = blank(action, spans).replace(/\bcheck out\b/gi, 'checkout');
  const main = termsOf(bare);
  const implied = spans.flatMap((span) => impliedBy(span.kind, span.value));
  const verb = main.find(({ intent }) => intent !== undefined);
  const asking =
    /^(?:is|are|does|do|has|have|was|were|what|who|which|where|when|how)\b|[?？]$|多少|几个|什么|哪些|谁|怎么样|如何/i.test(
      action,
    );
  const names = new Set(
    findMentions(bare)
      .filter(({ kind }) => kind === 'name' || kind === 'number')
      .flatMap(({ value }) => wordsOf(value)),
  );
  const terms = main
    .filter(({ word }) => !/^\d+$/.test(word))
    .map(asNoun)
    .map((term, index) => ({ ...term, weight: weightOf(term, names.has(term.word), index) }));
  const asked = termsOf(blank(question, findSpans(question))).map((term) => ({ ...term, weight: 0.35 }));
  const sums = isSum(bare) ? termsOf('sum add numbers').map((term) => ({ ...term, weight: 1 })) : [];
  const intent =
    isSum(bare) || (asking && verb?.intent !== 'other')
      ? 'read'
      : (clearIntent([verb, ...implied]) ?? (action === '' || question !== '' ? 'read' : undefined));
  return {
    terms: [...terms, ...implied, ...asked, ...sums],
    intent: sums.length > 0 ? undefined : intent,
    verb,
    isFile: spans.some(({ kind, value }) => kind === 'path' && /\.\w{1,8}$/.test(value)),
  };
}

/** After the first word a verb that is as often a noun is one ("show the last commits"). */
function asNoun(term: Term, index: number): Term {
  const isNoun = index > 0 && term.stem !== 'list' && (nounLike.has(term.stem) || nounLike.has(term.word));
  return isNoun ? { word: term.word, stem: term.stem } : term;
}

/** The first intent that tells; "run" and its like give way to what is run. */
function clearIntent(terms: readonly (Term | undefined)[]): Intent | undefined {
  const intents = terms.flatMap((term) => term?.intent ?? []);
  return intents.find((intent) => intent !== 'other') ?? intents[0];
}

/** The subjects spoken of before, for a step that names none. */
export function contextTerms(context: string): (Term & { weight: number })[] {
  const spans = findSpans(context);
  const names = new Set(
    findMentions(context)
      .filter(({ kind }) => kind === 'name')
      .flatMap(({ value }) => wordsOf(value)),
  );
  return termsOf(blank(context, spans))
    .filter(({ word, intent }) => intent === undefined && !names.has(word) && !/^\d+$/.test(word))
    .map((term) => ({ ...term, weight: 0.5 }));
}

function weightOf(term: Term, isName: boolean, index: number): number {
  if (isName) return 0.3;
  return term.intent === undefined ? 1.5 : index === 0 ? 1 : 0.8;
}

function isSum(text: string): boolean {
  const numbers = text.match(/\d+(?:\.\d+)?/g)?.length ?? 0;
  return numbers >= 2 && /\b(?:add|sum|plus|total)\b|[+＋]|加|求和|总和|之和|的和/i.test(text);
}

function impliedBy(kind: string, value: string): (Term & { weight: number })[] {
  if (kind === 'sql') return termsOf(`sql ${value.split(/\s+/)[0] ?? ''}`).map((term) => ({ ...term, weight: 0.8 }));
  const word =
    kind === 'path'
      ? /\.\w{1,8}$/.test(value)
        ? 'file'
        : 'directory'
      : kind === 'email' || kind === 'url'
        ? kind
        : '';
  return termsOf(word).map((term) => ({ ...term, weight: 0.5 }));
}
