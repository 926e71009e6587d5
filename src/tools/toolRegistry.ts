import { Emitter, type Event } from '../base/emitter.ts';
import type { Tap } from '../base/tap.ts';
import type { ServerPool } from '../servers/serverPool.ts';
import type { Tool } from './tool.ts';

export interface ToolRegistryOptions {
  readonly tap?: Tap;
  /** Whether a person has this tool switched on, besides the settings. Call `refresh` when the answer changes. */
  readonly isEnabled?: (identity: string, toolName: string) => boolean;
}

/** A tool that a server lists and that cannot be offered. */
export interface LeftOutTool {
  readonly server: string;
  readonly tool: string;
  readonly reason: string;
}

/** The tools of every server as one list, kept in step with the pool. Names are routed by a map and never taken apart. */
export class ToolRegistry {
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(_pool: ServerPool, _options: ToolRegistryOptions = {}) {}

  /** All tools that are offered now: servers in the order of the settings, tools in the order of their server. The same array until something changed. */
  snapshot(): readonly Tool[] {
    return [];
  }

  /** Tools that cannot be offered, and why. */
  get leftOut(): readonly LeftOutTool[] {
    return [];
  }

  /** Asks `isEnabled` again. */
  refresh(): void {
    this.#changed.fire();
  }
}
