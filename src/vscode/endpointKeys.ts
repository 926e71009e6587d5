import type { SecretStorage } from 'vscode';

import type { Endpoint } from './endpointSettings.ts';

/**
 * API keys of model endpoints, in the editor's secret storage alone.
 * A key belongs to an origin, not to an endpoint's name: settings that point the name elsewhere never receive it.
 */
export class EndpointKeys {
  readonly #secrets: SecretStorage;

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
  }

  get(endpoint: Endpoint): Thenable<string | undefined> {
    return this.#secrets.get(nameOf(endpoint));
  }

  /** An empty key removes it. */
  set(endpoint: Endpoint, key: string): Thenable<void> {
    return key === '' ? this.#secrets.delete(nameOf(endpoint)) : this.#secrets.store(nameOf(endpoint), key);
  }

  /** True for a change of secret storage that is about this endpoint. */
  static concerns(changedKey: string, endpoint: Endpoint): boolean {
    return changedKey === nameOf(endpoint);
  }
}

function nameOf(endpoint: Endpoint): string {
  return `mcpAgent.endpointKey:${new URL(endpoint.url).origin}`;
}
