/** What was done, step by step, in a few words each. */
import { shortResult } from './describeResult.ts';
import { inlineCode, plain } from './markdown.ts';
import type { Outcome } from './outcomes.ts';
import type { Phrases } from './phrases.ts';

/** A Markdown list of calls, failures, and what was left out or not done. */
export function summarize(outcomes: readonly Outcome[], phrases: Phrases): string {
  const lines = outcomes.flatMap((outcome) => summaryLine(outcome, phrases));
  return `${phrases.summary}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function summaryLine({ step, kind, result }: Outcome, phrases: Phrases): string[] {
  const what = plain(step.action === '' ? step.text : step.action);
  if (kind === 'said' || kind === 'reused') return [];
  if (kind === 'skipped') return [phrases.summarySkipped(what)];
  if (result === undefined) return [phrases.summaryUndone(what)];
  const tool = inlineCode(result.call.name);
  return [(kind === 'failed' ? phrases.summaryFailed : phrases.summaryCalled)(tool, shortResult(result, phrases))];
}
