import type { ChatRequest } from '../model/chatModel.ts';
import { failedOutcome, type Tool, type ToolOutcome } from '../tools/tool.ts';
import type { AgentEvent } from './agentEvent.ts';
import { englishTexts, type AgentTexts } from './agentTexts.ts';
import { Attempt } from './attempt.ts';
import { chooseTools, type ToolChoice } from './chooseTools.ts';
import { systemText } from './instructions.ts';
import { fitResult, resultLimit, textOf } from './largeResult.ts';
import { sumUpLeftOut } from './leftOutTools.ts';
import { emptyAnswer, readAnswer, type AskedCall, type ModelAnswer } from './modelAnswer.ts';
import { modelTool } from './modelTool.ts';
import { planRequest, type PlannedRequest } from './planRequest.ts';
import { readResultTool } from './readResultTool.ts';
import { Repetition } from './repetition.ts';
import { runCalls } from './runCalls.ts';
import type { RunOptions } from './runOptions.ts';
import { searchTools } from './searchTools.ts';
import { tellAnswer, tellRequest } from './tellModel.ts';
import { lookUp, type ToolLookup } from './toolLookup.ts';
import { endOf, isTooLarge, type Done } from './turnEnd.ts';

const defaultMaxSteps = 30;
const defaultMaxTools = 128;
/** How much less of the window is planned for after the endpoint called a request too long. */
const shrinkBy = 0.6;
const mostShrinks = 3;

/** What one turn is run with. */
export interface TurnOptions extends RunOptions {
  /** Tags the requests of this turn in the wire record. */
  readonly id: string;
  readonly signal: AbortSignal;
}

type Events<T = void> = AsyncGenerator<AgentEvent, T, undefined>;

/** One run of the agent, step by step. */
export class Turn {
  readonly #options: TurnOptions;
  readonly #repetition = new Repetition();
  readonly #attempt: Attempt;
  readonly #texts: AgentTexts;
  readonly #told = new Set<string>();
  #hasToldLeftOut = false;
  readonly #resultLimit: number;
  /** Words of the person that tools have not been chosen for yet. */
  readonly #prompts: string[] = [];
  /** Of the window that is planned for. */
  #share = 1;

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#texts = options.texts ?? englishTexts;
    this.#attempt = options.attempt ?? new Attempt();
    this.#resultLimit = resultLimit(options.model);
  }

  async *run(): Events {
    const { prompt, maxSteps = defaultMaxSteps } = this.#options;
    this.#say(prompt.length === 0 ? 'Go on.' : prompt);
    for (let step = 1; step <= maxSteps; step++) {
      const end = yield* this.#step(step);
      if (end) return yield end;
    }
    yield { kind: 'notice', text: this.#texts.stepLimit(maxSteps) };
    yield { kind: 'done', reason: 'limit' };
  }

  /** One request and what follows from its answer. Returns the end, if this was it. */
  async *#step(step: number): Events<Done | undefined> {
    const { signal, model } = this.#options;
    if (signal.aborted) return { kind: 'done', reason: 'cancelled' };
    this.#listen();
    for (const text of this.#options.notices?.() ?? []) yield* this.#notice(text);
    const tools = this.#tools();
    const { offered, leftOut } = tools.choice;
    if (leftOut.length > 0) yield* this.#tellLeftOut(tools.choice);
    const { answer, calls } = yield* this.#ask(step, offered);
    if (calls.length === 0) {
      const { notice, done } = endOf(answer, model.label, this.#texts);
      if (notice !== undefined) yield { kind: 'notice', text: notice };
      // What was typed while the last answer came is not lost with the end of the run.
      return done.reason === 'stop' && this.#listen() ? undefined : done;
    }
    yield* this.#carryOut(calls, tools.byName);
    if (signal.aborted) return { kind: 'done', reason: 'cancelled' };
    if (!this.#repetition.isHopeless)
      return this.#options.shouldYield?.() ? { kind: 'done', reason: 'stop' } : undefined;
    yield { kind: 'notice', text: this.#texts.goesInCircles() };
    return { kind: 'done', reason: 'limit' };
  }

  /** Asks the model; again with less where the endpoint says that it was too much. */
  async *#ask(step: number, tools: readonly Tool[]): Events<{ answer: ModelAnswer; calls: readonly AskedCall[] }> {
    const { model } = this.#options;
    for (let tries = 0; ; tries++) {
      const plan = this.#plan(tools);
      if (plan.roomMade !== undefined)
        yield* this.#notice(this.#texts.roomMade(model.label, model.maxInputTokens, plan.roomMade));
      const result = yield* this.#askOnce(step, plan, tools);
      if (!isTooLarge(result.answer) || tries === mostShrinks) return result;
      this.#share *= shrinkBy;
    }
  }

  /** One request. The answer is in the conversation, as far as it is whole, whenever this is left. */
  async *#askOnce(
    step: number,
    { messages }: PlannedRequest,
    tools: readonly Tool[],
  ): Events<{ answer: ModelAnswer; calls: readonly AskedCall[] }> {
    const { model, signal, tap, id: turn, conversation } = this.#options;
    const request: ChatRequest = { messages, tools: tools.map(modelTool), signal, turn, step };
    const answer = emptyAnswer();
    const at = { turn, step, model };
    let calls: readonly AskedCall[] = [];
    tellRequest(tap, at, request);
    try {
      for await (const event of readAnswer(model, request, answer)) {
        // What a model cannot be offered is the same at each request.
        if (event.kind !== 'notice' || conversation.isNews(event.text)) yield event;
      }
      const { inputTokens, outputTokens } = answer;
      if (inputTokens !== undefined || outputTokens !== undefined) yield { kind: 'usage', inputTokens, outputTokens };
    } finally {
      calls = this.#keep(answer);
    }
    tellAnswer(tap, at, calls.length > 0 ? { ...answer, calls: [...calls] } : answer);
    return { answer, calls };
  }

  /** Adds an answer to the conversation. Calls of an answer that broke off are not kept: they may be cut. Returns the calls to run. */
  #keep({ text, reasoning, calls: asked, finish }: ModelAnswer): readonly AskedCall[] {
    const { conversation } = this.#options;
    const isWhole = finish !== 'interrupted' && finish !== 'error' && finish !== 'cancelled';
    const calls = (isWhole ? asked : []).map((call) => ({ ...call, id: conversation.claimCallId(call.id) }));
    if (text === '' && calls.length === 0) return calls;
    const toolCalls = calls.map((call) => {
      const { id, name } = call;
      // What was no JSON object must not spoil later requests.
      if (call.kind === 'invalid') return { id, name, arguments: {} };
      return { id, name, arguments: call.arguments, ...(call.extra && { extra: call.extra }) };
    });
    conversation.append({ role: 'assistant', text, toolCalls, ...(reasoning !== '' && { reasoning }) });
    return calls;
  }

  /** Runs the calls of one answer. Each has its result in the conversation, in the order of the calls, whenever this is left. */
  async *#carryOut(calls: readonly AskedCall[], byName: ToolLookup): Events {
    const { carryOut, signal } = this.#options;
    const outcomes: (ToolOutcome | undefined)[] = [];
    const context = { tools: byName, carryOut, repetition: this.#repetition, attempt: this.#attempt, signal };
    const mayRunBeside = (call: AskedCall): boolean => this.#mayRunBeside(call, byName.get(call.name));
    try {
      yield* runCalls({ calls, context, mayRunBeside, outcomes });
    } finally {
      for (const [place, call] of calls.entries()) this.#addResult(call, outcomes[place]);
    }
  }

  #addResult({ id, name }: AskedCall, outcome = failedOutcome('The turn was given up before this result came.')): void {
    const { conversation } = this.#options;
    const content = fitResult(id, outcome.parts, this.#resultLimit, conversation.results);
    conversation.append({ role: 'tool', callId: id, name, content, isError: outcome.isError });
  }

  #mayRunBeside(call: AskedCall, definition: Tool | undefined): boolean {
    if (!definition || call.kind === 'invalid') return true;
    const { server, tool } = definition;
    const question = { callId: call.id, server, tool, name: call.name, arguments: { ...call.arguments } };
    return (
      definition.annotations.readOnlyHint === true || this.#options.mayRunBeside?.({ ...question, definition }) === true
    );
  }

  /** What is offered, and what can be called: also a tool that is not offered at this step. */
  #tools(): { readonly choice: ToolChoice; readonly byName: ToolLookup } {
    const { conversation, model, maxTools, ownTools } = this.#options;
    const tools = this.#options.tools();
    const reading = conversation.results.isEmpty ? [] : [readResultTool(conversation.results, this.#resultLimit)];
    const own = [...(ownTools?.() ?? []), ...reading];
    const search = searchTools(tools, conversation);
    const limit = maxTools ?? model.maxTools ?? defaultMaxTools;
    const { maxInputTokens } = model;
    const choice = chooseTools({ tools, own, search, conversation, prompts: this.#prompts, limit, maxInputTokens });
    // A tool that was not offered may be called all the same; the search tool only exists where some were left out.
    return { choice, byName: lookUp(choice.offered, tools) };
  }

  #plan(tools: readonly Tool[]): PlannedRequest {
    const { conversation, model, serverInstructions } = this.#options;
    const maxInputTokens = model.maxInputTokens * this.#share;
    // A character a token of the window is about a quarter of it: the person's rules must not fill a small one.
    const instructions = this.#options.instructions?.slice(0, Math.round(maxInputTokens));
    const servers = serverInstructions?.() ?? [];
    const system = systemText({ instructions, servers, limit: Math.round(maxInputTokens * 0.3) });
    return planRequest({
      system,
      conversation,
      tools: tools.map(modelTool),
      maxInputTokens,
      imageInput: model.imageInput,
    });
  }

  /** Takes over what the person typed meanwhile. True when there was something. */
  #listen(): boolean {
    const messages = this.#options.takeMessages?.() ?? [];
    for (const message of messages) this.#say(message);
    return messages.length > 0;
  }

  #say(prompt: RunOptions['prompt']): void {
    const content = typeof prompt === 'string' ? [{ kind: 'text', text: prompt } as const] : prompt;
    this.#options.conversation.append({ role: 'user', content });
    this.#prompts.push(textOf(content));
  }

  /** Once a run, and again in a later one where tools of other servers are concerned. */
  *#tellLeftOut({ offered, leftOut }: ToolChoice): Generator<AgentEvent, void, undefined> {
    if (this.#hasToldLeftOut) return;
    this.#hasToldLeftOut = true;
    const servers = new Set(leftOut.map(({ server }) => server));
    if (this.#options.conversation.isNews(`left out: tools of ${servers.size} servers`))
      yield { kind: 'notice', text: this.#texts.toolsLeftOut(sumUpLeftOut(leftOut, offered.length)) };
  }

  /** Each text once a run. */
  *#notice(text: string): Generator<AgentEvent, void, undefined> {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    yield { kind: 'notice', text };
  }
}
