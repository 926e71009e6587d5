/** Results and verdicts in words. What a server sent stays data: inline code or a fenced block. */
import { refusedCall } from '../chatModel.ts';
import { fencedBlock, inlineCode, plain } from './markdown.ts';
import type { Verdict } from './judgeCondition.ts';
import type { Phrases } from './phrases.ts';
import type { Result } from './readResult.ts';

/** One line on what a call gave. */
export function describeResult(result: Result, phrases: Phrases): string {
  const tool = inlineCode(result.call.name);
  if (result.isError) return describeFailure(result.text, { tool, limit: 300 }, phrases);
  if (result.text === '')
    return result.images > 0 ? phrases.answered(tool, phrases.images(result.images)) : phrases.answeredNothing(tool);
  if (result.entries !== undefined && result.value !== undefined)
    return phrases.answeredEntries(tool, result.entries.length, inlineCode(result.text));
  return phrases.answered(tool, inlineCode(result.text));
}

/** A refusal is told to the person in words that are meant for them, not in those for the model. */
function describeFailure(
  text: string,
  { tool, limit }: { readonly tool: string; readonly limit: number },
  phrases: Phrases,
): string {
  return isRefused(text) ? phrases.refused(tool) : phrases.failed(tool, inlineCode(text, limit));
}

function isRefused(text: string): boolean {
  return text.startsWith(refusedCall);
}

/** The whole result for a person who asked for it. */
export function showResult(result: Result, phrases: Phrases): string {
  if (result.isError || result.text === '') return describeResult(result, phrases);
  if (!result.text.includes('\n') && result.text.length <= 80)
    return phrases.answered(inlineCode(result.call.name), inlineCode(result.text));
  const tool = inlineCode(result.call.name);
  const head =
    result.entries === undefined
      ? phrases.answered(tool, '').replace(/[\s.]+$/, ':')
      : phrases.answeredEntries(tool, result.entries.length, '').trimEnd();
  const isJson = result.value !== undefined;
  return `${head}\n\n${fencedBlock(isJson ? JSON.stringify(result.value, null, 2) : result.text, isJson ? 'json' : 'text')}`;
}

/** A few words on a result for the summary. */
export function shortResult(result: Result, phrases: Phrases): string {
  if (result.isError) return isRefused(result.text) ? phrases.summaryRefused : inlineCode(result.text, 120);
  if (result.value !== undefined && result.entries !== undefined) return phrases.entries(result.entries.length);
  if (result.text === '') return result.images > 0 ? phrases.images(result.images) : '–';
  return inlineCode(result.text, 100);
}

/** How a condition was judged. */
export function describeVerdict(
  verdict: Verdict,
  { question, result }: { readonly question: string; readonly result: Result | undefined },
  phrases: Phrases,
): string {
  const tool = inlineCode(result?.call.name ?? '');
  const subject = inlineCode(verdict.subject ?? '', 60);
  switch (verdict.why) {
    case 'present':
      return phrases.present(subject, tool);
    case 'absent':
      return verdict.subject === undefined ? '' : phrases.absent(subject, tool);
    case 'empty':
      return phrases.empty(tool);
    case 'filled':
      return phrases.filled(tool);
    case 'succeeded':
      return phrases.succeeded(tool);
    case 'failed':
      return describeFailure(result?.text ?? '', { tool, limit: 160 }, phrases);
    case 'count':
      return phrases.counted(verdict.count ?? 0);
    case 'words':
      return verdict.subject === undefined ? '' : phrases.says(subject, tool, verdict.isSaid ?? true);
    case 'unknown':
      return phrases.unknown(plain(question));
  }
}
