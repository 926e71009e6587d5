import type { ServerPool } from './servers/serverPool.ts';
import { errorOf } from './servers/serverState.ts';
import type { ToolRegistry } from './tools/toolRegistry.ts';

/** What a person should know besides the answer: each loss once a conversation, each server that is down once a turn. */
export class AgentNotices {
  readonly #pool: ServerPool;
  readonly #registry: ToolRegistry;
  readonly #told = new Set<string>();
  readonly #warnings: string[] = [];

  constructor(pool: ServerPool, registry: ToolRegistry) {
    this.#pool = pool;
    this.#registry = registry;
    pool.onDidWarn(({ text }) => this.#warnings.push(text));
  }

  /** For one turn: what to tell before each of its steps. */
  forTurn(): () => readonly string[] {
    const told = new Set<string>();
    return () => [...this.#ofServers(told), ...this.#once(this.#warnings.splice(0)), ...this.#once(this.#leftOut())];
  }

  *#ofServers(told: Set<string>): Generator<string> {
    for (const { spec, state } of this.#pool.servers) {
      const error = errorOf(state);
      if (told.has(spec.identity) || state.kind === 'ready' || state.kind === 'stopped') continue;
      told.add(spec.identity);
      yield error
        ? `The server "${spec.name}" is not available: ${error.message}`
        : `The server "${spec.name}" is still connecting. Its tools can be used as soon as it is ready.`;
    }
  }

  #leftOut(): readonly string[] {
    return this.#registry.leftOut.map(
      ({ server, tool, reason }) =>
        `The tool ${JSON.stringify(tool)} of the server "${server}" is left out: ${reason}.`,
    );
  }

  #once(texts: readonly string[]): readonly string[] {
    return texts.filter((text) => {
      const isNew = !this.#told.has(text);
      this.#told.add(text);
      return isNew;
    });
  }
}
