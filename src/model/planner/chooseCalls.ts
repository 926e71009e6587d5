/** From a step to the calls that carry it out, or to what is missing. */
import type { JsonObject } from '../../base/json.ts';
import type { ModelTool } from '../chatModel.ts';
import { fillArguments } from './fillArguments.ts';
import { kindOf } from './fieldKind.ts';
import { blank, findMentions, type Mention } from './findMentions.ts';
import { namedPlace } from './namedServers.ts';
import { evidenceFor, rankTools, type Ranked, type Wish } from './rankTools.ts';
import type { Field } from './schemaFields.ts';
import type { Intent } from './vocabulary.ts';

/** What a step wants done, and the tools that there are. */
export interface Want extends Wish {
  readonly tools: readonly ModelTool[];
  /** The tool is settled; only its arguments were missing. */
  readonly insist?: string;
}

/** What was found for a step. */
export type Choice =
  | { readonly kind: 'call'; readonly tool: ModelTool; readonly calls: readonly JsonObject[]; readonly intent: Intent }
  | {
      readonly kind: 'ask';
      readonly tool: ModelTool;
      readonly missing: readonly string[];
      /** The step's words together with an answer. */
      readonly join: (action: string, reply: string) => string;
    }
  | { readonly kind: 'none'; readonly nearest: readonly ModelTool[] };

/**
 * The best tool with its arguments, among those of the server that the step names. A step that names several things for a tool that takes one
 * becomes several calls.
 */
export function chooseCalls(want: Want): Choice {
  const place = want.insist === undefined ? placeOf(want) : undefined;
  if (place === undefined) return chooseAnywhere(want);
  const there = chooseAnywhere(place);
  return there.kind === 'none' ? chooseAnywhere(want) : there;
}

/** The wish with the tools of the server alone that its own words name, or those just before it ("On server7, list …"). */
function placeOf(want: Want): Want | undefined {
  const own = namedPlace(want.action === '' ? want.question : want.action, want.tools);
  if (own !== undefined)
    return { ...want, ...(want.action === '' ? { question: own.text } : { action: own.text }), tools: own.tools };
  const before = want.context.split(' ; ').findLast((words) => words.trim() !== '');
  const near = namedPlace(before ?? '', want.tools);
  return near && { ...want, tools: near.tools };
}

function chooseAnywhere(want: Want): Choice {
  const wish = want.action === '' ? { ...want, action: want.question } : want;
  const tools = want.insist === undefined ? want.tools : want.tools.filter(({ name }) => name === want.insist);
  const ranked = rankTools(tools, wish);
  const best = ranked[0];
  if (best === undefined || !(best.fits || want.insist !== undefined))
    return { kind: 'none', nearest: ranked.slice(0, 3).map(({ tool }) => tool) };
  const { tool, filled, intent } = best;
  if (filled.missing.length > 0) {
    const missing = filled.missing;
    return {
      kind: 'ask',
      tool,
      missing: missing.flatMap(namesOf),
      join: (action, reply) => joinAnswer(action, reply, missing),
    };
  }
  return { kind: 'call', tool, calls: severalOf(best, wish) ?? [filled.arguments], intent };
}

/** A missing list of objects is asked for by the names of what one needs. */
function namesOf(field: Field): string[] {
  const inner = (field.itemFields ?? []).filter((each) => each.isRequired && !each.isList).map(({ key }) => key);
  return inner.length > 0 ? inner : [field.path.filter((part) => !/^arg\d+$/.test(part)).join('.') || field.key];
}

/** An answer to one question is that value; an answer to several is read like the step itself. */
function joinAnswer(action: string, reply: string, missing: readonly Field[]): string {
  const [field] = missing;
  const isBare = !/[=:：{"“`]/.test(reply) || /^\w+:\/\//.test(reply);
  if (missing.length > 1 || field === undefined || !isBare || field.itemFields !== undefined)
    return `${action}, ${reply}`;
  const kinds: readonly Mention['kind'][] = ['email', 'url', 'path', 'number', 'time'];
  const typed = findMentions(reply).find(({ kind }) => kinds.includes(kind) && kind === kindOf(field));
  const isTyped = ['email', 'url', 'number'].includes(kindOf(field));
  if (typed === undefined && isTyped) return `${action}, ${reply}`;
  return `${action}, ${field.key}: "${(typed?.value ?? reply).replace(/["\\]/g, '')}"`;
}

/** "Delete a.txt and b.txt" with a tool that takes one path: a call each. Undefined where one call is meant. */
function severalOf(best: Ranked, wish: Wish): JsonObject[] | undefined {
  if (best.fields.some((field) => field.isList)) return undefined;
  const mentions = findMentions(wish.action);
  for (const kind of ['email', 'path', 'quoted', 'name', 'url', 'number'] as const) {
    const row = rowOf(
      mentions.filter((mention) => mention.kind === kind),
      mentions,
      wish.action,
    );
    const used = row.filter(({ value }) => holds(best.filled.arguments, value)).length;
    if (row.length < 2 || used !== 1) continue;
    const calls = row.map((_, index) => fillOne(best, wish, mentions, kind, index));
    if (calls.every((each) => each !== undefined)) return calls;
  }
  return undefined;
}

/** Mentions of a kind that stand in a row: commas, "and" and names between them alone. */
function rowOf(found: readonly Mention[], all: readonly Mention[], action: string): readonly Mention[] {
  const bare = blank(action, all);
  const end = found.findIndex((mention, index) => {
    const before = found[index - 1];
    return (
      before !== undefined &&
      !/^[\s,，、;"'`()（）“”]*(?:and|和|与|以及)?[\s,，、"'`()（）“”]*$/.test(bare.slice(before.end, mention.start))
    );
  });
  return end < 0 ? found : found.slice(0, end);
}

function holds(value: unknown, wanted: string): boolean {
  if (typeof value !== 'object' || value === null) return String(value) === wanted;
  return Object.values(value).some((each) => holds(each, wanted));
}

function fillOne(
  best: Ranked,
  wish: Wish,
  mentions: readonly Mention[],
  kind: Mention['kind'],
  index: number,
): JsonObject | undefined {
  const own = mentions.filter((mention) => mention.kind === kind);
  const names = mentions.filter((mention) => mention.kind === 'name');
  const paired = kind !== 'name' && names.length === own.length ? names : [];
  const others = [...own, ...paired].filter((mention) => mention !== own[index] && mention !== paired[index]);
  const filled = fillArguments(best.fields, evidenceFor(best.tool, { ...wish, action: blank(wish.action, others) }));
  return filled.missing.length === 0 ? filled.arguments : undefined;
}
