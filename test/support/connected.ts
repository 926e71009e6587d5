import assert from 'node:assert/strict';
import type { TapFact } from '../../src/base/tap.ts';
import type { Client } from '../../src/mcp/client.ts';
import { connect, type ConnectOptions } from '../../src/mcp/connect.ts';
import { TransportError } from '../../src/mcp/errors.ts';
import { SESSION_REVISIONS } from '../../src/mcp/schema.ts';
import type { HttpServerConfig } from '../../src/mcp/serverConfig.ts';

/** Owns what a test opens, and closes it afterwards: clients first, then servers. */
export class Opened {
  readonly #clients: Client[] = [];
  readonly #servers: { close(): Promise<void> }[] = [];
  readonly facts: TapFact[] = [];

  /** Starts a server of the test's. */
  async server<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const server = await starting;
    this.#servers.push(server);
    return server;
  }

  /** Connects by a session, as to a server that has no other way; `protocolVersion: undefined` finds out. */
  async connect(
    kind: HttpServerConfig['kind'],
    url: string,
    options: ConnectOptions & Partial<HttpServerConfig> = {},
  ): Promise<Client> {
    const { headers, timeoutMs = 10_000, name = 'users', ...rest } = options;
    const config = { kind, name, url, headers, timeoutMs };
    const bySession = { protocolVersion: SESSION_REVISIONS[0] };
    const client = await connect(config, { tap: (fact) => this.facts.push(fact), ...bySession, ...rest });
    this.#clients.push(client);
    return client;
  }

  /** Texts of the notes of these levels. */
  notes(...levels: string[]): string[] {
    return this.facts.flatMap((fact) => (fact.kind === 'note' && levels.includes(fact.level) ? [fact.text] : []));
  }

  async close(): Promise<void> {
    for (const client of this.#clients.splice(0)) await client.close();
    for (const server of this.#servers.splice(0)) await server.close();
    this.facts.length = 0;
  }
}

/** For `assert.rejects`: a TransportError of this code whose text fits, and perhaps `mayHaveRun` and `status`. */
export function isTransportError(code: string, text: RegExp, more: { mayHaveRun?: boolean; status?: number } = {}) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof TransportError, String(error));
    assert.match(error.message, text);
    assert.equal(error.code, code, error.message);
    if (more.mayHaveRun !== undefined) assert.equal(error.mayHaveRun, more.mayHaveRun, error.message);
    if (more.status !== undefined) assert.equal(error.status, more.status);
    return true;
  };
}

/** Lets what waits on settled promises run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How many network round trips followed on each other: a request that leaves after an answer costs one more than that. */
export function roundTrips(facts: readonly TapFact[]): number {
  const depths = new Map<number, number>();
  let sent = 0;
  let answered = 0;
  for (const fact of facts) {
    if (fact.kind === 'http-request') {
      depths.set(fact.exchange, answered + 1);
      sent = Math.max(sent, answered + 1);
    } else if (fact.kind === 'http-response') answered = Math.max(answered, depths.get(fact.exchange) ?? 0);
    else if (fact.kind === 'sse-event') answered = sent;
  }
  return sent;
}
