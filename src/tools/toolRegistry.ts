import type { Disposable } from '../base/disposables.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Tap } from '../base/tap.ts';
import type { Tool as ListedTool } from '../mcp/schema.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import type { ServerPool } from '../servers/serverPool.ts';
import type { ServerSpec } from '../servers/serverSpec.ts';
import { ServerTool } from './serverTool.ts';
import { offeredNames, type ToolToName } from './toolName.ts';
import type { Tool } from './tool.ts';

/** What decides which tools are offered. */
export interface ToolRegistryOptions {
  readonly tap?: Tap;
  /** Whether a person has this tool switched on, besides the settings. Call `refresh` when the answer changes. */
  readonly isEnabled?: (identity: string, toolName: string) => boolean;
  /** Names that belong to the agent's own tools. */
  readonly reserved?: ReadonlySet<string>;
}

/** A tool that a server lists and that cannot be offered. */
export interface LeftOutTool {
  readonly server: string;
  readonly tool: string;
  readonly reason: string;
}

interface Candidate extends ToolToName {
  readonly connection: ServerConnection;
  readonly listed: ListedTool;
}

interface ToolList {
  /** All that the settings allow. */
  readonly listed: readonly Tool[];
  /** Those of them that are switched on. */
  readonly tools: readonly Tool[];
  readonly leftOut: readonly LeftOutTool[];
}

/** What a list of tools was made of: it is made again when one of these is another. */
type Source = readonly [ServerConnection, ServerSpec, readonly ListedTool[]];

/** The tools of every server as one list, kept in step with the pool. Names are routed by a map and never taken apart. */
export class ToolRegistry implements Disposable {
  readonly #pool: ServerPool;
  readonly #options: ToolRegistryOptions;
  readonly #changed = new Emitter<void>();
  readonly #subscription: Disposable;
  #sources: readonly Source[] = [];
  /** Tools as they were made last, so that one that has not changed stays the same object, with all that others remember of it. */
  #made = new WeakMap<
    ListedTool,
    { readonly connection: ServerConnection; readonly spec: ServerSpec; readonly tool: ServerTool }
  >();
  /** Made when it is asked for: hundreds of servers may come one after another. */
  #list: ToolList | undefined;

  /** Fires when the list may be another one. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(pool: ServerPool, options: ToolRegistryOptions = {}) {
    this.#pool = pool;
    this.#options = options;
    this.#subscription = pool.onDidChange(() => this.#follow());
    this.#follow();
  }

  /** All tools that are offered now: servers in the order of the settings, tools in the order of their server. The same array until something changed. */
  snapshot(): readonly Tool[] {
    this.#list ??= this.#build();
    return this.#list.tools;
  }

  /** All tools that the settings allow, also those that a person has switched off. The same array until something changed. */
  get listed(): readonly Tool[] {
    this.#list ??= this.#build();
    return this.#list.listed;
  }

  /** Tools that cannot be offered, and why. */
  get leftOut(): readonly LeftOutTool[] {
    this.#list ??= this.#build();
    return this.#list.leftOut;
  }

  /** Asks `isEnabled` again. */
  refresh(): void {
    this.#list = undefined;
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #follow(): void {
    const sources = this.#pool.servers.map((server): Source => [server, server.spec, server.tools]);
    if (isSame(sources, this.#sources)) return;
    this.#sources = sources;
    this.refresh();
  }

  #build(): ToolList {
    const leftOut: LeftOutTool[] = [];
    const candidates = this.#sources.flatMap((source) => this.#candidates(source, leftOut));
    const names = offeredNames(candidates, this.#options.reserved);
    const { isEnabled } = this.#options;
    const listed = candidates
      .filter(({ connection, tool }) => connection.spec.allows?.(tool) !== false)
      .map((candidate) => this.#tool(candidate, names.get(candidate) ?? ''));
    const tools = listed.filter(({ serverIdentity, tool }) => isEnabled?.(serverIdentity, tool) !== false);
    return { listed, tools, leftOut };
  }

  #tool({ connection, listed }: Candidate, name: string): ServerTool {
    const { spec } = connection;
    const made = this.#made.get(listed);
    if (made?.spec === spec && made.connection === connection && made.tool.name === name) return made.tool;
    const tool = new ServerTool({ name, connection, listed, tap: this.#options.tap });
    this.#made.set(listed, { connection, spec, tool });
    return tool;
  }

  /** The tools of one server that can be offered. Those switched off are among them: they keep their names. */
  #candidates([connection, spec, listed]: Source, leftOut: LeftOutTool[]): Candidate[] {
    const seen = new Set<string>();
    return listed.flatMap((tool) => {
      const reason = whyNot(tool, seen);
      if (reason !== undefined) leftOut.push({ server: spec.name, tool: tool.name, reason });
      seen.add(tool.name);
      return reason === undefined
        ? [{ connection, listed: tool, identity: spec.identity, prefix: spec.prefix, tool: tool.name }]
        : [];
    });
  }
}

function whyNot(tool: ListedTool, seen: ReadonlySet<string>): string | undefined {
  if (typeof tool.name !== 'string' || tool.name === '') return 'it has no name';
  return seen.has(tool.name) ? 'the server lists it twice' : undefined;
}

function isSame(a: readonly Source[], b: readonly Source[]): boolean {
  return a.length === b.length && a.every((source, index) => source.every((part, at) => part === b[index]?.[at]));
}
