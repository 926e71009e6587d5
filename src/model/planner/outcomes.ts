/** What became of the steps so far, and which later ones hang on it. */
import { isRecord } from '../../base/json.ts';
import { findMentions } from './findMentions.ts';
import type { Step } from './readClause.ts';
import type { Result } from './readResult.ts';
import type { Intent } from './vocabulary.ts';

/** What became of one step. */
export interface Outcome {
  readonly step: Step;
  readonly kind: 'called' | 'reused' | 'said' | 'skipped' | 'blocked' | 'failed' | 'unfit';
  readonly result?: Result;
  readonly intent?: Intent;
}

const pointsBack =
  /\b(?:it|its|that|those|them|they|him|her|his|their|he|she|result|output|new|added|created)\b|它|他|她|该|结果|新|刚/i;

/** True where `step` builds on one that did not succeed: it checks it, points back to it, or speaks of the same things. */
export function dependsOn(step: Step, outcomes: readonly Outcome[]): boolean {
  const broken = outcomes.filter((outcome) => isBroken(outcome));
  const latest = broken.at(-1);
  if (latest === undefined) return false;
  const isLatest = latest === outcomes.at(-1);
  if (isLatest && step.condition !== undefined && !('text' in step.condition)) return true;
  if (step.again || (isLatest && step.joined) || pointsBack.test(`${step.action} ${step.question ?? ''}`)) return true;
  const mine = valuesOf(step);
  return broken.some((outcome) => valuesOf(outcome.step).some((value) => mine.includes(value)));
}

function isBroken(outcome: Outcome): boolean {
  return (
    outcome.kind === 'blocked' || outcome.kind === 'unfit' || (outcome.kind === 'failed' && !answersQuestion(outcome))
  );
}

/** "No such user" is an answer to the question whether there is one. */
function answersQuestion({ step, result }: Outcome): boolean {
  return (
    step.question !== undefined &&
    /not found|no such|does ?n[o']t exist|unknown|404|ENOENT|不存在|未找到|没有找到/i.test(result?.text ?? '')
  );
}

function valuesOf(step: Step): string[] {
  return findMentions(`${step.action} ${step.question ?? ''}`)
    .filter(({ kind }) => kind !== 'number')
    .flatMap(({ value, kind }) => (kind === 'name' ? value.split(/\s+/) : [value]).map((each) => each.toLowerCase()));
}

/** The names a step may mean by "he", "it", "the new user": its own, else those of the last call that changed something. */
export function namesOf(step: Step, outcomes: readonly Outcome[]): string[] {
  const own = findMentions(step.action).filter(({ kind }) => kind === 'name' || kind === 'quoted' || kind === 'token');
  if (own.length > 0) return own.map(({ value }) => value);
  const changed = outcomes.findLast(({ intent, result }) => intent !== 'read' && result !== undefined);
  return changed?.result === undefined ? [] : namesIn(changed.result.call.arguments);
}

/** Strings of the arguments, names first, a path as its last part. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [/[/\\]/.test(value) && !value.includes('://') ? (value.split(/[/\\]/).findLast(Boolean) ?? value) : value];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isRecord(value)) return [];
  const entries = Object.entries(value).toSorted(
    ([left], [right]) => Number(isNameLike(right)) - Number(isNameLike(left)),
  );
  return entries.flatMap(([, each]) => namesIn(each));
}

function isNameLike(key: string): boolean {
  return /name|title|path|file/i.test(key);
}
