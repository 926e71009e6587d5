/** The walk through a request's steps as a generator: it yields words, calls and questions, and receives what they gave. */
import type { JsonObject } from '../../base/json.ts';
import type { ModelTool } from '../chatModel.ts';
import { chooseCalls, type Choice, type Want } from './chooseCalls.ts';
import { describeResult, describeVerdict, showResult } from './describeResult.ts';
import { dependsOn, namesOf, type Outcome } from './outcomes.ts';
import { judgeCondition, opposite, type Verdict } from './judgeCondition.ts';
import { inlineCode, plain } from './markdown.ts';
import type { Phrases } from './phrases.ts';
import { isEmpty, type Result } from './readResult.ts';
import { summarize } from './summarize.ts';
import type { Condition, Step } from './readClause.ts';
import { ownName } from './indexTool.ts';
import { speechAct } from './speechAct.ts';
import { termsOf } from './words.ts';

/** What the walk asks of its driver. A `call` is resumed with its result, an `ask` with the person's answer. */
export type Request =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: 'ask'; readonly text: string };

type Walk<T> = Generator<Request, T, Result | string | undefined>;

/** What is known while walking. */
interface Progress {
  readonly steps: readonly Step[];
  readonly tools: readonly ModelTool[];
  readonly phrases: Phrases;
  /** Results of earlier turns, then of this one. */
  readonly results: Result[];
  readonly outcomes: Outcome[];
  /** What the last question came to, and the last condition. */
  asked?: Verdict;
  judged?: Verdict;
  /** What was said before the step at hand. */
  context: string;
  /** Where the results of this turn begin. */
  readonly since: number;
}

/** What a walk starts from: the tools, the results and the requests of earlier turns, the language's wording. */
export interface Setting {
  readonly tools: readonly ModelTool[];
  readonly earlier: readonly Result[];
  readonly context: string;
  readonly phrases: Phrases;
}

function wordsOfStep({ action, question, condition }: Step): string {
  return [condition !== undefined && 'text' in condition ? condition.text : '', action, question ?? ''].join(' ; ');
}

/** Takes the steps in order. Each is carried out at most once. */
export function* takeSteps(steps: readonly Step[], { tools, earlier, context, phrases }: Setting): Walk<void> {
  const progress: Progress = {
    steps,
    tools,
    phrases,
    context,
    results: [...earlier],
    outcomes: [],
    since: earlier.length,
  };
  for (const [index, step] of steps.entries()) {
    yield* takeStep(step, index, progress);
    progress.context = `${progress.context} ; ${wordsOfStep(step)}`;
  }
  yield* close(progress);
}

function say(text: string): Request {
  return { kind: 'say', text: text === '' ? '' : `${text}\n\n` };
}

function* takeStep(step: Step, index: number, progress: Progress): Walk<void> {
  const before = progress.outcomes.at(-1);
  const wanted = step.action === '' ? (step.question ?? step.text) : step.text;
  const isWords = speechAct(step.action, progress.phrases) !== undefined;
  if (dependsOn(step, progress.outcomes) && !isWords && !mayRepair(step))
    return yield* leave(step, 'blocked', progress.phrases.blocked(plain(wanted)), progress);
  const allowed = yield* mayGoOn(step, before, progress);
  if (allowed === 'unsure') return yield* leave(step, 'blocked', progress.phrases.unsure(plain(wanted)), progress);
  if (allowed === 'no') return yield* leave(step, 'skipped', progress.phrases.skipped(plain(wanted)), progress);
  if (isCheckOfNothing(step, before))
    return yield* leave(step, 'skipped', progress.phrases.nothingToCheck(plain(wanted)), progress);
  yield* carryOut(step, index, progress);
}

/** "If it fails, …" and "otherwise" are meant for a failure. */
function mayRepair(step: Step): boolean {
  return (
    step.condition?.kind === 'else' ||
    (step.condition !== undefined &&
      'text' in step.condition &&
      /fail|error|wrong|succe|失败|出错|报错|成功/i.test(step.condition.text))
  );
}

function isCheckOfNothing(step: Step, before: Outcome | undefined): boolean {
  return (
    before?.kind === 'skipped' &&
    step.question !== undefined &&
    /\b(?:was|were|been|new|success\w*|worked)\b|成功|已|新/i.test(step.question)
  );
}

function* leave(step: Step, kind: 'skipped' | 'blocked', text: string, progress: Progress): Walk<void> {
  progress.outcomes.push({ step, kind });
  yield say(text);
}

/** Judges the condition of a step. */
function* mayGoOn(step: Step, before: Outcome | undefined, progress: Progress): Walk<'yes' | 'no' | 'unsure'> {
  const { condition } = step;
  if (condition === undefined)
    return step.joined && before?.step.condition !== undefined && before.kind === 'skipped' ? 'no' : 'yes';
  const verdict = yield* judge(condition, step, progress);
  progress.judged = condition.kind === 'unless' ? opposite(verdict) : verdict;
  if (verdict.holds === undefined) return 'unsure';
  const holds = condition.kind === 'unless' ? !verdict.holds : verdict.holds;
  return holds ? 'yes' : 'no';
}

function* judge(condition: Condition, step: Step, progress: Progress): Walk<Verdict> {
  if (condition.kind === 'else')
    return progress.judged === undefined ? { holds: undefined, why: 'unknown' } : opposite(progress.judged);
  if (!('text' in condition)) {
    const asked = progress.asked ?? presence(progress);
    return condition.kind === 'so' ? asked : opposite(asked);
  }
  const latest = progress.results.length > progress.since ? progress.results.at(-1) : undefined;
  const result = latest ?? (yield* lookFirst(condition.text, step, progress));
  const verdict = judgeCondition(condition.text, result, namesOf(step, progress.outcomes));
  if (verdict.why !== 'failed')
    yield say(describeVerdict(verdict, { question: condition.text, result }, progress.phrases));
  return verdict;
}

/** "If not" without a question before it: whether the last call gave anything. */
function presence(progress: Progress): Verdict {
  const result = progress.results.at(-1);
  if (result === undefined || progress.results.length === progress.since) return { holds: undefined, why: 'unknown' };
  if (result.isError) return { holds: false, why: 'failed' };
  return { holds: !isEmpty(result), why: isEmpty(result) ? 'empty' : 'filled' };
}

/** A condition that nothing has been looked up for yet: look with a tool that changes nothing. */
function* lookFirst(text: string, step: Step, progress: Progress): Walk<Result | undefined> {
  const choice = chooseCalls({
    ...wantFrom(progress),
    action: '',
    question: text,
    context: `${progress.context} ; ${step.action}`,
  });
  const [first] = choice.kind === 'call' && choice.intent === 'read' ? choice.calls : [];
  if (choice.kind !== 'call' || first === undefined) return undefined;
  yield say(progress.phrases.looking(plain(text), inlineCode(choice.tool.name)));
  return yield* call(choice.tool.name, first, progress);
}

function wantFrom(progress: Progress): Pick<Want, 'tools' | 'results' | 'context'> {
  return { tools: progress.tools, results: progress.results, context: progress.context };
}

function* call(name: string, args: JsonObject, progress: Progress): Walk<Result | undefined> {
  const result = yield { kind: 'call', name, arguments: args };
  if (typeof result !== 'object') return undefined;
  progress.results.push(result);
  return result;
}

function* carryOut(step: Step, index: number, progress: Progress): Walk<void> {
  const own = wantFrom(progress);
  const condition = step.condition !== undefined && 'text' in step.condition ? step.condition.text : '';
  const want: Want = {
    ...own,
    action: step.action,
    question: step.question ?? '',
    context: `${own.context} ; ${condition}`,
    ...favourite(step, progress),
  };
  const choice = chooseCalls(want);
  const words = speechAct(step.action, progress.phrases);
  if (words !== undefined && !(choice.kind === 'call' && speaks(choice.tool))) {
    progress.outcomes.push({ step, kind: 'said' });
    yield say(words);
    return;
  }
  const present = reusable(step, choice, progress);
  if (present !== undefined) return yield* concludeFrom(step, present, progress);
  const ready = choice.kind === 'ask' ? yield* ask(want, choice, progress) : choice;
  if (ready.kind !== 'call') return yield* tellUnfit(step, ready, progress);
  yield* callAll(step, index, ready, progress);
}

/** A greeting is carried out by a tool only where its name says so. */
function speaks(tool: ModelTool): boolean {
  return termsOf(ownName(tool.name)).some(({ stem }) => /^(?:say|speak|greet|greeting|hello|thank|welcom)$/.test(stem));
}

/** "Check again" means the tool that was looked with before. */
function favourite(step: Step, progress: Progress): { favoured?: string } {
  if (!step.again && !(step.question !== undefined && progress.outcomes.length > 0)) return {};
  const looked = progress.outcomes.findLast(({ kind, intent }) => kind === 'called' && intent === 'read');
  return looked?.result === undefined ? {} : { favoured: looked.result.call.name };
}

/** A mere question about what has just been looked up needs no second call. */
function reusable(step: Step, choice: Choice, progress: Progress): Result | undefined {
  const latest = progress.outcomes.at(-1);
  const isQuestion = step.action === '' || isReport.test(step.action);
  if (!isQuestion || step.again || latest?.kind !== 'called' || latest.intent !== 'read') return undefined;
  if (choice.kind === 'call' && choice.tool.name !== latest.result?.call.name && !isReport.test(step.action))
    return undefined;
  return latest.result;
}

const isReport =
  /^(?:tell (?:me|us)|report|summari[sz]e|let me know|explain|show me (?:the )?(?:result|answer)|give me (?:the |a )?(?:result|answer|summary)|告诉我|汇报|总结|说明|报告)/i;

function* concludeFrom(step: Step, result: Result, progress: Progress): Walk<void> {
  progress.outcomes.push({ step, kind: 'reused', result });
  if (step.question === undefined)
    yield say(countIn(step, result, progress.phrases) ?? showResult(result, progress.phrases));
  else yield* answer(step, step.question, result, progress);
}

/** Judges what a step wanted to know. */
function* answer(step: Step, question: string, result: Result, progress: Progress): Walk<void> {
  const verdict = judgeCondition(question, result, namesOf(step, progress.outcomes));
  progress.asked = verdict;
  if (verdict.why !== 'failed') yield say(describeVerdict(verdict, { question, result }, progress.phrases));
}

function* ask(want: Want, first: Choice, progress: Progress): Walk<Choice> {
  let choice = first;
  let action = want.action;
  for (let tries = 0; choice.kind === 'ask' && tries < 3; tries += 1) {
    const names = choice.missing.map((name) => `**${plain(name)}**`).join(', ');
    const reply = yield { kind: 'ask', text: progress.phrases.ask(names, inlineCode(choice.tool.name)) };
    if (typeof reply !== 'string') return { kind: 'none', nearest: [] };
    action = choice.join(action, reply);
    choice = chooseCalls({ ...want, action, insist: choice.tool.name });
  }
  return choice;
}

function* tellUnfit(step: Step, choice: Choice, progress: Progress): Walk<void> {
  progress.outcomes.push({ step, kind: 'unfit' });
  const nearest = choice.kind === 'none' ? choice.nearest.map(({ name }) => inlineCode(name)).join(', ') : '';
  const { unfit, nearest: near } = progress.phrases;
  yield say([unfit(plain(step.text)), nearest === '' ? '' : near(nearest)].filter(Boolean).join(' '));
}

function* callAll(
  step: Step,
  index: number,
  choice: Extract<Choice, { kind: 'call' }>,
  progress: Progress,
): Walk<void> {
  const { phrases, steps } = progress;
  for (const [turn, args] of choice.calls.entries()) {
    if (turn === 0 && steps.length > 1)
      yield say(phrases.step(index + 1, steps.length, plain(step.action === '' ? step.text : step.action)));
    const result = yield* call(choice.tool.name, args, progress);
    if (result === undefined) return;
    progress.outcomes.push({ step, kind: result.isError ? 'failed' : 'called', result, intent: choice.intent });
    yield* tellResult(step, result, progress);
    if (result.isError) return;
  }
}

/** The answer to "how many". */
function countIn(step: Step, result: Result, phrases: Phrases): string | undefined {
  if (!/\bhow many\b|\bcount\b|多少|几个|几条|数量/i.test(step.text) || result.entries === undefined || result.isError)
    return undefined;
  return phrases.counted(isEmpty(result) ? 0 : result.entries.length);
}

function* tellResult(step: Step, result: Result, progress: Progress): Walk<void> {
  const isAlone = progress.steps.length === 1;
  if (step.question === undefined) {
    yield say(isAlone ? showResult(result, progress.phrases) : describeResult(result, progress.phrases));
    yield say(countIn(step, result, progress.phrases) ?? '');
    if (!result.isError && progress.outcomes.at(-1)?.intent === 'read') delete progress.asked;
    return;
  }
  yield say(describeResult(result, progress.phrases));
  yield* answer(step, step.question, result, progress);
}

/** The summary, where there was more than one step. */
function* close({ outcomes, phrases }: Progress): Walk<void> {
  if (outcomes.length < 2 || outcomes.every(({ kind }) => kind === 'said')) return;
  yield say(summarize(outcomes, phrases));
}
