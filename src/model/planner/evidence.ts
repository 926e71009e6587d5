/** What a step offers to fill arguments from, and what of it is spent. */
import type { Assignment, Mention } from './findMentions.ts';
import { findAssignments, findMentions } from './findMentions.ts';
import type { Field } from './schemaFields.ts';
import type { Result } from './readResult.ts';

/** The material for one call. `action` are the step's words; `question` what it wants to know; both may hold values. */
export interface Evidence {
  readonly action: string;
  readonly question: string;
  readonly mentions: readonly Mention[];
  readonly asked: readonly Mention[];
  /** Values of what was said before. */
  readonly spoken: readonly Mention[];
  readonly assignments: readonly Assignment[];
  /** Words of the chosen tool's name; they are no values. */
  readonly toolStems: ReadonlySet<string>;
  /** Earlier results, oldest first. */
  readonly results: readonly Result[];
  readonly spent: Set<Mention>;
  /** Parts of the action that are values already. */
  readonly used: Range[];
  /** Fields whose value is what was left over. */
  readonly weak: Set<Field>;
  /** Words of all its fields' names. */
  readonly fieldStems: ReadonlySet<string>;
  /** Words that more than one field has in its name. */
  readonly shared: ReadonlySet<string>;
}

/** A part of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Gathers the values of a step. */
export function gather(
  action: string,
  { question, results, context }: { question: string; results: readonly Result[]; context: string },
): Evidence {
  return {
    action,
    question,
    mentions: findMentions(action),
    asked: findMentions(question),
    spoken: findMentions(context),
    assignments: findAssignments(action),
    toolStems: new Set(),
    results,
    spent: new Set(),
    used: [],
    weak: new Set(),
    fieldStems: new Set(),
    shared: new Set(),
  };
}

/** The mentions of these kinds that no field has taken. */
export function unspent(evidence: Evidence, ...kinds: readonly Mention['kind'][]): Mention[] {
  return evidence.mentions.filter((mention) => kinds.includes(mention.kind) && !evidence.spent.has(mention));
}

/** Takes mentions out of further use and returns their values. */
export function spend(evidence: Evidence, mentions: readonly Mention[]): string[] {
  for (const mention of mentions) {
    evidence.spent.add(mention);
    evidence.used.push(mention);
  }
  return mentions.map((mention) => mention.value);
}

/** Takes every mention inside a part of the text. */
export function spendRange(evidence: Evidence, start: number, end: number): void {
  evidence.used.push({ start, end });
  for (const mention of evidence.mentions) if (mention.start < end && mention.end > start) evidence.spent.add(mention);
}

/** Turns a text into a value of the field's type; undefined where it is none. */
export function coerce(field: Field, text: string): unknown {
  const option = field.options.find((each) => String(each).toLowerCase() === text.toLowerCase());
  if (field.options.length > 0) return option;
  const { types } = field;
  if (types.includes('string') || types.length === 0) return text;
  if (types.includes('integer')) return /^[-+]?\d+$/.test(text) ? Number(text) : undefined;
  if (types.includes('number')) return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (types.includes('boolean')) return booleanOf(text);
  return undefined;
}

function booleanOf(text: string): boolean | undefined {
  if (/^(?:true|yes|on|1|enabled?|是|开|真)$/i.test(text)) return true;
  return /^(?:false|no|off|0|disabled?|否|关|假)$/i.test(text) ? false : undefined;
}
