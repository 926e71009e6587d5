import { Emitter, type Event } from '../base/emitter.ts';
import type { Disposable } from '../base/disposables.ts';
import { isRecord } from '../base/json.ts';

/** Key-value storage, such as the Memento of a workspace. */
export interface SwitchStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** What a person chose of one server: the tools that it lists by its own names, and those of them that stay on. */
export interface ServerChoice {
  readonly identity: string;
  readonly listed: readonly string[];
  readonly on: ReadonlySet<string>;
}

/** What is switched off: whole servers, and by the server's identity single tools by the server's own names. */
interface Off {
  readonly servers: readonly string[];
  readonly tools: Readonly<Record<string, readonly string[]>>;
}

/** A named set: what was off when it was saved, and which servers there were. */
interface ToolSet extends Off {
  readonly known: readonly string[];
}

interface State {
  readonly off: Off;
  readonly sets: Readonly<Record<string, ToolSet>>;
  /** The set that was saved or used last, until something else is switched. */
  readonly current?: string;
}

const storageKey = 'mcpAgent.toolSwitches';

/**
 * Which tools and servers a person has switched on, and the named sets of them. Everything is on until it is switched off, also a tool that a server
 * lists later. Tools are told by their server's identity and its own name of them, so that another prefix changes nothing. Pure; storage is passed in.
 */
export class ToolSwitches implements Disposable {
  readonly #storage: SwitchStorage;
  readonly #changed = new Emitter<void>();
  #state: State;
  #offServers = new Set<string>();
  #offTools = new Map<string, ReadonlySet<string>>();

  /** Fires after each change. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Reads what was stored; what is not of our shape counts as nothing. */
  constructor(storage: SwitchStorage) {
    this.#storage = storage;
    this.#state = readState(storage.get(storageKey));
    this.#index();
  }

  /** Whether a tool is offered to the model: neither it nor its server is switched off. */
  isOn(identity: string, tool: string): boolean {
    return !this.#offServers.has(identity) && this.#offTools.get(identity)?.has(tool) !== true;
  }

  /** False where the whole server is switched off, whatever tools it lists. */
  isServerOn(identity: string): boolean {
    return !this.#offServers.has(identity);
  }

  /** True where nothing at all is switched off. */
  get isAllOn(): boolean {
    return this.#offServers.size === 0 && this.#offTools.size === 0;
  }

  /**
   * Switches one tool. Switching on a tool of a server that is off switches on that tool alone: the others that the server lists stay off, so pass
   * `listed`, its own names of all its tools.
   */
  async setTool(identity: string, tool: string, isOn: boolean, listed: readonly string[] = []): Promise<void> {
    const isServerOn = this.isServerOn(identity);
    if (!isServerOn && !isOn) return;
    const off = new Set(isServerOn ? this.#offTools.get(identity) : listed);
    if (isOn) off.delete(tool);
    else off.add(tool);
    await this.#switch([{ identity, isOn: true, off }]);
  }

  /** Switches a whole server. On again, it has the tools on that it had before; a server that is on gets all its tools on. */
  async setServer(identity: string, isOn: boolean): Promise<void> {
    const off = isOn && this.isServerOn(identity) ? new Set<string>() : this.#offTools.get(identity);
    await this.#switch([{ identity, isOn, off: off ?? new Set() }]);
  }

  /** Takes over what a person chose of several servers at once. A server of which nothing stays on is off, also for tools that it lists later. */
  async choose(choices: readonly ServerChoice[]): Promise<void> {
    await this.#switch(
      choices.map(({ identity, listed, on }) => {
        const gone = [...(this.#offTools.get(identity) ?? [])].filter((tool) => !listed.includes(tool));
        const isOn = listed.length === 0 ? this.isServerOn(identity) : on.size > 0;
        const off = on.size > 0 ? listed.filter((tool) => !on.has(tool)) : [];
        return { identity, isOn, off: new Set([...gone, ...off]) };
      }),
    );
  }

  /** The names of the sets, in the order of the alphabet. */
  get sets(): readonly string[] {
    return Object.keys(this.#state.sets).sort((a, b) => a.localeCompare(b));
  }

  /** The set that is in use: nothing was switched since it was saved or used. */
  get currentSet(): string | undefined {
    return this.#state.current;
  }

  /** Saves what is on now under a name; an earlier set of that name gives way. `identities` are all servers that there are now. */
  async saveSet(name: string, identities: readonly string[]): Promise<void> {
    const { off, sets } = this.#state;
    await this.#save({ off, sets: { ...sets, [name]: { ...off, known: identities } }, current: name });
  }

  /**
   * Switches to a set: what was on when it was saved is on. A server of `identities` (all that there are now) that there was not then is off.
   * A set that does not exist changes nothing.
   */
  async useSet(name: string, identities: readonly string[]): Promise<void> {
    const { sets } = this.#state;
    const set = Object.hasOwn(sets, name) ? sets[name] : undefined;
    if (set === undefined) return;
    const later = identities.filter((identity) => !set.known.includes(identity));
    await this.#save({
      off: { servers: [...new Set([...set.servers, ...later])], tools: set.tools },
      sets,
      current: name,
    });
  }

  /** Forgets a set; what is on stays on. */
  async deleteSet(name: string): Promise<void> {
    const { off, current } = this.#state;
    const { [name]: _gone, ...sets } = this.#state.sets;
    await this.#save({ off, sets, ...(current !== undefined && current !== name && { current }) });
  }

  /** Switches everything on. */
  async switchAllOn(): Promise<void> {
    await this.#save({ off: { servers: [], tools: {} }, sets: this.#state.sets });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #switch(changes: readonly { identity: string; isOn: boolean; off: ReadonlySet<string> }[]): Promise<void> {
    const servers = new Set(this.#offServers);
    const tools = new Map(this.#offTools);
    for (const { identity, isOn, off } of changes) {
      if (isOn) servers.delete(identity);
      else servers.add(identity);
      if (off.size > 0) tools.set(identity, off);
      else tools.delete(identity);
    }
    const off = {
      servers: [...servers],
      tools: Object.fromEntries([...tools].map(([key, names]) => [key, [...names]])),
    };
    await this.#save({ off, sets: this.#state.sets });
  }

  /** In force at once; stored afterwards. */
  async #save(state: State): Promise<void> {
    this.#state = state;
    this.#index();
    this.#changed.fire();
    await this.#storage.update(storageKey, state);
  }

  #index(): void {
    const { servers, tools } = this.#state.off;
    this.#offServers = new Set(servers);
    this.#offTools = new Map(Object.entries(tools).map(([identity, names]) => [identity, new Set(names)]));
  }
}

function readState(value: unknown): State {
  const state = isRecord(value) ? value : {};
  const given = isRecord(state['sets']) ? Object.entries(state['sets']) : [];
  const sets = Object.fromEntries(
    given.map(([name, set]) => [name, { ...readOff(set), known: texts(isRecord(set) ? set['known'] : undefined) }]),
  );
  const { current } = state;
  const isSet = typeof current === 'string' && Object.hasOwn(sets, current);
  return { off: readOff(state['off']), sets, ...(isSet && { current }) };
}

function readOff(value: unknown): Off {
  const off = isRecord(value) ? value : {};
  const tools = isRecord(off['tools']) ? Object.entries(off['tools']) : [];
  return {
    servers: texts(off['servers']),
    tools: Object.fromEntries(tools.map(([identity, names]) => [identity, texts(names)])),
  };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
