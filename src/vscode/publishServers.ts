import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../base/disposables.ts';
import { Gateway } from '../gateway/gateway.ts';
import type { PublishedServer } from '../gateway/publishedServer.ts';
import { RpcError } from '../mcp/errors.ts';
import { errorCode } from '../mcp/jsonrpc.ts';
import type { Tool } from '../mcp/schema.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import type { EditorServers } from './editorServers.ts';

/** Our servers as definitions for VS Code's own MCP client, behind a gateway that is open as long as this is. */
export class PublishedServers implements Disposable {
  readonly #servers: EditorServers;
  readonly #gateway: Promise<Gateway>;
  readonly #store = new DisposableStore();
  #known = '';

  /** `onChange` is called when the definitions are others than before. Starts the servers. */
  constructor(servers: EditorServers, onChange: () => void) {
    this.#servers = servers;
    this.#gateway = Gateway.open({ servers: () => this.#published() });
    // `definitions` tells of it; until then a rejection would count as unhandled.
    this.#gateway.catch(() => undefined);
    servers.start();
    this.#store.add(
      servers.onDidChange(() => {
        const key = JSON.stringify(this.#published().map((server) => [server.label, versionOf(server)]));
        if (key === this.#known) return;
        this.#known = key;
        onChange();
      }),
    );
  }

  /** Rejects when the gateway could not be opened. */
  async definitions(): Promise<vscode.McpHttpServerDefinition[]> {
    const gateway = await this.#gateway;
    return this.#published().map((server) => {
      const { url, headers } = gateway.addressOf(server);
      const label = vscode.l10n.t('{0} (through MCP Agent)', server.label);
      return new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(url), { ...headers }, versionOf(server));
    });
  }

  dispose(): void {
    this.#store.dispose();
    void this.#gateway.then((gateway) => gateway.close()).catch(() => undefined);
  }

  #published(): PublishedServer[] {
    return this.#servers
      .connections()
      .filter(({ spec }) => !spec.disabled)
      .map((connection) => publish(connection, this.#servers));
  }
}

/** One server as the gateway passes it on. Nothing but what `@mcp` would be offered is to be had. */
function publish(connection: ServerConnection, servers: EditorServers): PublishedServer {
  const { identity, name } = connection.spec;
  const tools = (): readonly Tool[] => {
    const offered = new Set(servers.toolsOf(identity).map(({ tool }) => tool));
    return connection.tools.filter((tool) => offered.has(tool.name));
  };
  return {
    id: createHash('sha256').update(identity).digest('hex').slice(0, 16),
    label: name,
    tools,
    facts: (signal) =>
      connection.use(signal, async ({ serverInfo, capabilities, instructions }) => ({
        serverInfo,
        capabilities,
        ...(instructions !== undefined && { instructions }),
      })),
    call: (tool, args, options) => {
      if (!tools().some((each) => each.name === tool)) {
        throw new RpcError(errorCode.invalidParams, vscode.l10n.t('{0} offers no tool {1}.', name, tool));
      }
      return connection.use(options.signal, (client) => client.callTool(tool, args, options));
    },
    request: (method, params, signal) => connection.use(signal, (client) => client.request(method, params, { signal })),
    onDidChangeTools: (listener) => {
      let known = JSON.stringify(tools());
      return servers.onDidChange(() => {
        const now = JSON.stringify(tools());
        if (now === known) return;
        known = now;
        listener();
      });
    },
  };
}

/** VS Code keeps what it has seen of a server until this changes. */
function versionOf(server: PublishedServer): string {
  return createHash('sha256')
    .update(JSON.stringify([server.id, server.tools()]))
    .digest('hex')
    .slice(0, 16);
}
