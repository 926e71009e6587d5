import { pathToFileURL } from 'node:url';
import type { AgentEvent, ApprovalAnswer, ApprovalQuestion } from './agent/agentEvent.ts';
import { runAgent } from './agent/agentLoop.ts';
import type { CallToCarryOut, CarryOut } from './agent/carryOut.ts';
import { Conversation } from './agent/conversation.ts';
import { AgentNotices } from './agentNotices.ts';
import { linkedController } from './base/abort.ts';
import type { Disposable } from './base/disposables.ts';
import { isRecord } from './base/json.ts';
import { guardedTap, type Tap } from './base/tap.ts';
import { connect, type ConnectOptions } from './mcp/connect.ts';
import type { ChatModel } from './model/chatModel.ts';
import { openaiModel } from './model/openai/openaiModel.ts';
import { plannerModel } from './model/planner/plannerModel.ts';
import { assignPrefixes, serverIdentity } from './servers/serverIdentity.ts';
import { ServerPool } from './servers/serverPool.ts';
import { errorOf, type ServerState } from './servers/serverState.ts';
import { watchSleep } from './servers/watchSleep.ts';
import { untilTriedAgain, untilUsable } from './servers/untilUsable.ts';
import { inputLookup, parseInputs } from './settings/inputs.ts';
import { allowsName } from './settings/namePattern.ts';
import { parseServers } from './settings/parseSettings.ts';
import { resolveEntry } from './settings/resolveEntry.ts';
import type { ServerEntry } from './settings/serverEntry.ts';
import { specFromEntry } from './specFromEntry.ts';
import { resourceToolNames, resourceTools } from './tools/resourceTools.ts';
import type { ToolOutcome } from './tools/tool.ts';
import { ToolRegistry } from './tools/toolRegistry.ts';

export interface AgentOptions {
  /** The value of `mcp.servers` as a person writes it in user settings.json. */
  readonly servers: unknown;
  /** The value of `mcp.inputs`. */
  readonly inputs?: unknown;
  /** Answers to the inputs, by id. An input without one has been cancelled, unless it has a default. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly model:
    | 'planner'
    | {
        /** The base, `http://127.0.0.1:11434/v1`. */
        readonly url: string;
        readonly id: string;
        readonly apiKey?: string;
        /** Tokens. */
        readonly maxInputTokens?: number;
        readonly imageInput?: boolean;
      }
    | ChatModel;
  /** Asked before each call that needs it. Default: allow. A throw, or no answer, is a refusal. */
  readonly approve?: (call: ApprovalQuestion) => Promise<ApprovalAnswer>;
  /** Model requests in one turn. Default 30. */
  readonly maxSteps?: number;
  readonly tap?: Tap;
  /** Stands in for the process environment: for `${env:…}` and for what stdio servers inherit. */
  readonly env?: Readonly<Record<string, string>>;
  readonly workspaceFolders?: readonly string[];
  readonly handlers?: ConnectOptions['handlers'];
  /** Declared besides what follows from `handlers`, such as `{ elicitation: { form: {}, url: {} } }`. */
  readonly capabilities?: ConnectOptions['capabilities'];
}

export interface AgentServer {
  readonly name: string;
  readonly state: ServerState['kind'];
  /** Why it is not ready; stays until it is. */
  readonly error?: string;
  /** `name` is the offered one, `serverName` the server's own. */
  readonly tools: readonly { readonly name: string; readonly serverName: string }[];
}

/** A whole agent without an editor: servers with reconnect, registry, model, loop, history. */
export interface Agent {
  /** Of the settings. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  /** Resolves when every server is ready or has failed for the first time. */
  ready(): Promise<void>;
  servers(): readonly AgentServer[];
  onDidChange(listener: () => void): Disposable;
  /** One turn; the conversation so far is kept. Never throws for a failing tool, server or model: that is an event. One turn at a time. */
  run(prompt: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<AgentEvent>;
  /** Says something while a turn runs: the model reads it at the next step. False where no turn runs; then it is not kept. */
  say(message: string): boolean;
  close(): Promise<void>;
}

/** Opens an agent and begins to connect its servers at once. Never throws: bad settings are `problems`. */
export function openAgent(options: AgentOptions): Agent {
  return new OpenAgent({ ...options, tap: guardedTap(options.tap) });
}

class OpenAgent implements Agent {
  readonly problems: Agent['problems'];
  readonly #options: AgentOptions;
  readonly #entries: readonly ServerEntry[];
  readonly #pool: ServerPool;
  readonly #registry: ToolRegistry;
  readonly #model: ChatModel;
  readonly #conversation = new Conversation();
  readonly #notices: AgentNotices;
  readonly #closing = new AbortController();
  readonly #sleep: Disposable;
  #isRunning = false;
  /** What was said and no step has taken yet. */
  readonly #said: string[] = [];
  /** A server that never answers delays the first turn only. */
  #hasWaited = false;

  constructor(options: AgentOptions) {
    const { servers, tap, capabilities } = options;
    const parsed = parseServers(servers, 'usrlocal');
    const inputs = parseInputs(options.inputs ?? parsed.inputs);
    this.problems = [...parsed.problems, ...inputs.problems].filter(({ severity }) => severity !== 'hint');
    this.#options = options;
    this.#entries = parsed.entries;
    this.#model = modelOf(options);
    const handlers = { ...rootsHandler(options.workspaceFolders), ...options.handlers };
    this.#pool = new ServerPool({
      open: (config, { signal, tidying }) => connect(config, { signal, tidying, tap, handlers, capabilities }),
    });
    this.#sleep = watchSleep(() => this.#pool.wake());
    this.#registry = new ToolRegistry(this.#pool, {
      tap,
      reserved: new Set(['read_result', 'search_tools', ...resourceToolNames]),
    });
    this.#notices = new AgentNotices(this.#pool, this.#registry);
    const answer = inputLookup(inputs.inputs, async (input) => options.answers?.[input.id] ?? input.default);
    this.#pool.reconcile(specsOf(parsed.entries, options, answer));
  }

  ready(): Promise<void> {
    return this.#pool.ready();
  }

  servers(): readonly AgentServer[] {
    const tools = this.#registry.snapshot();
    return this.#pool.servers.map(({ spec, state }) => {
      const error = errorOf(state)?.message;
      const own = tools.filter(({ serverIdentity }) => serverIdentity === spec.identity);
      return {
        name: spec.name,
        state: state.kind,
        ...(error !== undefined && { error }),
        tools: own.map(({ name, tool }) => ({ name, serverName: tool })),
      };
    });
  }

  onDidChange(listener: () => void): Disposable {
    return this.#pool.onDidChange(listener);
  }

  async *run(prompt: string, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<AgentEvent, void> {
    if (this.#isRunning || this.#closing.signal.aborted) {
      const error = this.#isRunning ? 'Another turn of this agent is still running.' : 'This agent is closed.';
      return yield { kind: 'done', reason: 'error', error };
    }
    this.#isRunning = true;
    const { controller, release } = linkedController(signal, this.#closing.signal);
    try {
      const until = this.#hasWaited && this.#isUsable() ? untilTriedAgain : untilUsable;
      await until(this.#pool, controller.signal);
      this.#hasWaited = true;
      yield* this.#turn(prompt, controller.signal);
    } finally {
      release();
      this.#isRunning = false;
      this.#said.length = 0;
    }
  }

  say(message: string): boolean {
    if (this.#isRunning) this.#said.push(message);
    return this.#isRunning;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#sleep.dispose();
    await this.#pool.close();
    this.#registry.dispose();
  }

  #isUsable(): boolean {
    return this.#pool.servers.some(({ state }) => state.kind === 'ready');
  }

  #turn(prompt: string, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
    const { maxSteps, tap, approve } = this.#options;
    const ask = approve && oneByOne(approve);
    return runAgent({
      model: this.#model,
      tools: () => this.#registry.snapshot(),
      ownTools: () => resourceTools(() => this.#pool.servers),
      conversation: this.#conversation,
      prompt,
      carryOut: (call, run, stopped, told) => this.#carryOut(call, run, { signal: stopped, told, ask }),
      // Where nobody is asked, everything is allowed; where somebody is, they see the result of one call before the next question.
      mayRunBeside: (call) => !approve || this.#isApproved(call),
      serverInstructions: () => this.#instructions(),
      notices: () => this.#notices.beforeStep(),
      takeMessages: () => this.#said.splice(0),
      maxSteps,
      signal,
      tap,
    });
  }

  async #carryOut(
    call: CallToCarryOut,
    run: () => Promise<ToolOutcome>,
    { signal, told, ask }: { readonly signal: AbortSignal; readonly told: Promise<void>; readonly ask?: Ask },
  ): ReturnType<CarryOut> {
    if (!ask || call.isRepeated === true || this.#isApproved(call)) return await run();
    const { definition: _definition, ...question } = call;
    await told;
    if (signal.aborted) return { denied: '' };
    const answer = await ask({ ...question, arguments: structuredClone(question.arguments) });
    if (answer === 'allow') return await run();
    return { denied: isRecord(answer) && typeof answer['deny'] === 'string' ? answer['deny'] : '' };
  }

  /** The agent's own tools, and what the settings let run without asking. */
  #isApproved({ definition }: CallToCarryOut): boolean {
    if (definition.server === '') return true;
    const entry = this.#entries.find(({ source, name }) => serverIdentity(source, name) === definition.serverIdentity);
    return entry?.autoApprove !== undefined && allowsName(entry.autoApprove, definition.tool);
  }

  #instructions(): readonly { readonly server: string; readonly text: string }[] {
    return this.#pool.servers.flatMap(({ spec, state }) =>
      state.kind === 'ready' && state.client.instructions !== undefined
        ? [{ server: spec.name, text: state.client.instructions }]
        : [],
    );
  }
}

function modelOf({ model, tap }: AgentOptions): ChatModel {
  if (model === 'planner') return plannerModel();
  return 'stream' in model ? model : openaiModel({ ...model, tap });
}

type Ask = (question: ApprovalQuestion) => Promise<ApprovalAnswer | undefined>;

/** Asks one question after the other. One whose answer fails is refused: nothing leaves without a clear yes. */
function oneByOne(approve: NonNullable<AgentOptions['approve']>): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const answer = last
      .then(() => approve(question))
      .catch((error: unknown): ApprovalAnswer => {
        const reason = error instanceof Error ? error.message : String(error);
        return { deny: `The question could not be answered (${reason}).` };
      });
    last = answer;
    return answer;
  };
}

function specsOf(
  entries: readonly ServerEntry[],
  { env, workspaceFolders }: AgentOptions,
  input: (id: string) => Promise<string>,
): readonly ReturnType<typeof specFromEntry>[] {
  const prefixes = assignPrefixes(
    entries.map(({ source, name, prefix }) => ({ identity: serverIdentity(source, name), source, own: prefix })),
  );
  return entries.map((entry) => {
    const prefix = prefixes[serverIdentity(entry.source, entry.name)] ?? '';
    return specFromEntry(entry, prefix, () => resolveEntry(entry, { env, workspaceFolders, input }));
  });
}

function rootsHandler(folders: readonly string[] | undefined): ConnectOptions['handlers'] {
  if (!folders) return {};
  const roots = folders.map((path) => ({ uri: pathToFileURL(path).href, name: path.split(/[\\/]/).at(-1) ?? path }));
  return { 'roots/list': async () => ({ roots }) };
}
