import type { ServerPool } from './servers/serverPool.ts';
import { errorOf } from './servers/serverState.ts';
import type { ToolRegistry } from './tools/toolRegistry.ts';

/** What a person should know besides the answer: each loss once a conversation, each server that is down once until it is ready again. */
export class AgentNotices {
  readonly #pool: ServerPool;
  readonly #registry: ToolRegistry;
  readonly #told = new Set<string>();
  readonly #warnings: string[] = [];
  /** By identity: what was told of a server that is not ready. */
  readonly #down = new Map<string, 'connecting' | 'failed'>();

  constructor(pool: ServerPool, registry: ToolRegistry) {
    this.#pool = pool;
    this.#registry = registry;
    pool.onDidWarn(({ text }) => this.#warnings.push(text));
    pool.onDidChange(() => this.#forgetReady());
  }

  /** What to tell before a step. */
  beforeStep(): readonly string[] {
    return [...this.#ofServers(), ...this.#once(this.#warnings.splice(0)), ...this.#once(this.#leftOut())];
  }

  #forgetReady(): void {
    if (this.#down.size === 0) return;
    for (const { spec, state } of this.#pool.servers) if (state.kind === 'ready') this.#down.delete(spec.identity);
  }

  *#ofServers(): Generator<string> {
    for (const { spec, state } of this.#pool.servers) {
      if (state.kind === 'ready' || state.kind === 'stopped') continue;
      const error = errorOf(state);
      const told = this.#down.get(spec.identity);
      // That it failed is news after it was still connecting, not the other way round.
      if (told === 'failed' || (told === 'connecting' && !error)) continue;
      this.#down.set(spec.identity, error ? 'failed' : 'connecting');
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
