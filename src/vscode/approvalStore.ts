/** What a person has allowed for good: which tools run without being asked about. Pure; storage is passed in. */

import { isRecord } from '../base/json.ts';

/** Identity of a tool for approval: the server's identity, the server's own name of the tool, a hash of its definition. */
export interface ApprovalKey {
  readonly server: string;
  readonly tool: string;
  readonly definition: string;
}

/** One grant. Without `tool` it is for every tool of the server, also for ones that come later. */
export interface Grant {
  readonly server: string;
  /** The configured name of the server, to show it. */
  readonly label: string;
  readonly tool?: string;
  readonly definition?: string;
}

/** `changed`: it was allowed, and its definition is another one since. */
export type Decision = 'allowed' | 'ask' | 'changed';

/** Key-value storage, such as an editor's Memento. */
export interface GrantStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const storageKey = 'mcpAgent.grants';
const maxGrants = 1000;

/** Decides and remembers. Grants of a chat live with the chat: they are passed in and handed back. */
export class ApprovalStore {
  readonly #always: GrantStorage;
  readonly #workspace: GrantStorage;

  constructor(stores: { always: GrantStorage; workspace: GrantStorage }) {
    this.#always = stores.always;
    this.#workspace = stores.workspace;
  }

  /** `seen`: the definition of this tool that was allowed last, where one is remembered. */
  decide(key: ApprovalKey, chat: readonly Grant[], seen?: string): Decision {
    return decideBy([...chat, ...this.list('workspace'), ...this.list('always')], key, seen);
  }

  list(scope: 'workspace' | 'always'): readonly Grant[] {
    return readGrants(this.#storage(scope).get(storageKey));
  }

  /** Stores a grant; an earlier one for the same tool gives way. */
  async add(scope: 'workspace' | 'always', grant: Grant): Promise<void> {
    const others = this.list(scope).filter((each) => !sameTarget(each, grant));
    await this.#storage(scope).update(storageKey, [...others, grant].slice(-maxGrants));
  }

  async remove(scope: 'workspace' | 'always', grant: Grant): Promise<void> {
    await this.#storage(scope).update(
      storageKey,
      this.list(scope).filter((each) => !sameTarget(each, grant)),
    );
  }

  /** Takes every grant back, in this workspace and everywhere. */
  async clear(): Promise<void> {
    for (const scope of ['workspace', 'always'] as const) await this.#storage(scope).update(storageKey, []);
  }

  #storage(scope: 'workspace' | 'always'): GrantStorage {
    return scope === 'always' ? this.#always : this.#workspace;
  }
}

/**
 * The decision of a list of grants for one tool. A grant for a whole server opens tools that come later; one that was `seen` with another
 * definition is asked about again.
 */
export function decideBy(grants: readonly Grant[], key: ApprovalKey, seen?: string): Decision {
  const ofServer = grants.filter((grant) => grant.server === key.server);
  const ofTool = ofServer.filter((grant) => grant.tool === key.tool);
  if (ofTool.some((grant) => grant.definition === key.definition)) return 'allowed';
  const isOpen = ofServer.some((grant) => grant.tool === undefined);
  if (isOpen && (seen === undefined || seen === key.definition)) return 'allowed';
  return isOpen || ofTool.length > 0 ? 'changed' : 'ask';
}

/** Reads grants from storage or from a chat's metadata; what has another shape is left out. */
export function readGrants(value: unknown): readonly Grant[] {
  return Array.isArray(value) ? value.filter(isGrant) : [];
}

function isGrant(value: unknown): value is Grant {
  if (!isRecord(value) || typeof value['server'] !== 'string' || typeof value['label'] !== 'string') return false;
  const { tool, definition } = value;
  return tool === undefined ? definition === undefined : typeof tool === 'string' && typeof definition === 'string';
}

function sameTarget(a: Grant, b: Grant): boolean {
  return a.server === b.server && a.tool === b.tool;
}
