import { Emitter, type Event } from '../base/emitter.ts';
import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { Client } from '../mcp/client.ts';
import { listPrompts, listResources, listResourceTemplates } from '../mcp/offers.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import type { GroupName, Offer } from './serversTree.ts';

interface Kept {
  readonly client: Client;
  readonly offers: Promise<readonly Offer[]>;
}

/** The prompts and resources of servers, asked for when somebody looks and kept until the server says that they are others. */
export class OfferLists implements Disposable {
  readonly #kept = new Map<string, Kept>();
  readonly #changed = new Emitter<void>();
  readonly #store = new DisposableStore();
  readonly #followed = new WeakSet<Client>();

  /** Fires when a list that was read may be another one now. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** What a server has. None where it is not ready. Rejects as the request does; a failure is not kept. */
  async list(
    { state, spec }: Pick<ServerConnection, 'state' | 'spec'>,
    group: Exclude<GroupName, 'tools'>,
  ): Promise<readonly Offer[]> {
    if (state.kind !== 'ready') return [];
    const { client } = state;
    const key = `${spec.identity}\0${group}`;
    const kept = this.#kept.get(key);
    if (kept?.client === client) return kept.offers;
    this.#follow(client);
    const offers = group === 'prompts' ? prompts(client) : resources(client);
    this.#kept.set(key, { client, offers });
    offers.catch(() => {
      if (this.#kept.get(key)?.offers === offers) this.#kept.delete(key);
    });
    return offers;
  }

  dispose(): void {
    this.#store.dispose();
    this.#changed.dispose();
  }

  #follow(client: Client): void {
    if (this.#followed.has(client)) return;
    this.#followed.add(client);
    const subscription = client.onDidReceiveNotification(({ method }) => {
      const group = /^notifications\/(prompts|resources)\/list_changed$/.exec(method)?.[1];
      if (group !== undefined) this.#forget(client, group);
    });
    this.#store.add(subscription);
    client.onDidClose(() => subscription.dispose());
  }

  #forget(client: Client, group: string): void {
    for (const [key, kept] of this.#kept)
      if (kept.client === client && key.endsWith(`\0${group}`)) this.#kept.delete(key);
    this.#changed.fire();
  }
}

async function prompts(client: Client): Promise<readonly Offer[]> {
  return (await listPrompts(client)).map((prompt) => ({ kind: 'prompt', prompt }) as const);
}

async function resources(client: Client): Promise<readonly Offer[]> {
  const [listed, templates] = await Promise.all([listResources(client), listResourceTemplates(client)]);
  return [
    ...listed.map((resource) => ({ kind: 'resource', resource }) as const),
    ...templates.map((template) => ({ kind: 'template', template }) as const),
  ];
}
