import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { JsonObject } from '../../src/base/json.ts';
import { connect } from '../../src/mcp/connect.ts';
import { ToolSwitches } from '../../src/tools/toolSwitches.ts';
import { EditorServers, type EditorServersOptions } from '../../src/vscode/editorServers.ts';
import { InputPrompts } from '../../src/vscode/inputPrompts.ts';
import { StoppedServers } from '../../src/vscode/stoppedServers.ts';
import { everythingScript } from '../support/everythingPeer.ts';
import { nodeCommand, startPeer, type PeerProcess } from '../support/peerProcess.ts';

/** A server of somebody else's: its entry in the settings, and a call with what its answer must hold. */
interface Peer {
  readonly entry: JsonObject;
  readonly tool: string;
  readonly args: JsonObject;
  readonly answer: RegExp;
}

const echo = { tool: 'echo', args: { message: '你好 🌍' }, answer: /Echo: 你好 🌍/ };

class Peers {
  readonly folder = mkdtempSync(join(tmpdir(), 'mcp-agent-peers-'));
  readonly #root: string;
  readonly #processes: PeerProcess[] = [];

  constructor(root: string) {
    this.#root = root;
    writeFileSync(join(this.folder, 'note.txt'), 'hello from the file');
  }

  async start(): Promise<Readonly<Record<string, Peer>>> {
    const everything = this.#installed(everythingScript);
    const port = (env: number): Record<string, string> => ({ PORT: String(env) });
    const gatewayOf = [nodeCommand, everything, 'stdio'];
    const [sse, http, supergateway, proxy] = await Promise.all([
      this.#run(everything, () => ['sse'], port),
      this.#run(everything, () => ['streamableHttp'], port),
      this.#run(this.#installed('supergateway/dist/index.js'), (at) => [
        ...['--stdio', gatewayOf.join(' '), '--port', String(at)],
      ]),
      this.#run(this.#installed('mcp-proxy/dist/bin/mcp-proxy.mjs'), (at) => [
        ...['--host', '127.0.0.1', '--port', String(at), '--', ...gatewayOf],
      ]),
    ]);
    const note = join(this.folder, 'note.txt');
    const thought = { thought: 'first', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }];
    return {
      'everything-stdio': { entry: this.#stdio(everything, 'stdio'), ...echo },
      'everything-sse': { entry: { type: 'sse', url: `http://127.0.0.1:${sse.port}/sse` }, ...echo },
      'everything-http': { entry: { type: 'http', url: `http://127.0.0.1:${http.port}/mcp` }, ...echo },
      'everything-untyped': { entry: { url: `http://127.0.0.1:${http.port}/mcp` }, ...echo },
      supergateway: { entry: { type: 'sse', url: `http://127.0.0.1:${supergateway.port}/sse` }, ...echo },
      'mcp-proxy': { entry: { type: 'sse', url: `http://127.0.0.1:${proxy.port}/sse` }, ...echo },
      filesystem: {
        entry: this.#stdio(this.#installed('@modelcontextprotocol/server-filesystem/dist/index.js'), this.folder),
        tool: 'read_text_file',
        args: { path: note },
        answer: /hello from the file/,
      },
      memory: {
        entry: {
          ...this.#stdio(this.#installed('@modelcontextprotocol/server-memory/dist/index.js')),
          env: { MEMORY_FILE_PATH: join(this.folder, 'memory.jsonl') },
        },
        tool: 'create_entities',
        args: { entities },
        answer: /Ada/,
      },
      thinking: {
        entry: this.#stdio(this.#installed('@modelcontextprotocol/server-sequential-thinking/dist/index.js')),
        tool: 'sequentialthinking',
        args: thought,
        answer: /thoughtNumber/,
      },
      'sdk-two': {
        entry: this.#stdio(join(this.#root, 'test', 'support', 'sdkTwoStdio.ts'), 'modern'),
        tool: 'echo',
        args: { text: 'ü' },
        answer: /ü/,
      },
    };
  }

  async close(): Promise<void> {
    for (const process of this.#processes) await process.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #installed(path: string): string {
    return join(this.#root, 'node_modules', path);
  }

  #stdio(...args: string[]): JsonObject {
    return { type: 'stdio', command: nodeCommand, args };
  }

  async #run(...how: Parameters<typeof startPeer>): Promise<PeerProcess> {
    const process = await startPeer(...how);
    this.#processes.push(process);
    return process;
  }
}

function editorServers(): EditorServers {
  const values = new Map<string, unknown>();
  const memory: vscode.Memento = {
    keys: () => [...values.keys()],
    get: (key: string, fallback?: unknown) => values.get(key) ?? fallback,
    update: async (key, value) => void values.set(key, value),
  };
  const secrets: vscode.SecretStorage = {
    keys: async () => [],
    get: async () => undefined,
    store: async () => undefined,
    delete: async () => undefined,
    onDidChange: () => ({ dispose: () => undefined }),
  };
  return new EditorServers({
    open: (config, { signal, tidying }) => connect(config, { signal, tidying }),
    prompts: new InputPrompts(secrets, () => undefined),
    permissions: allowAll,
    switches: new ToolSwitches({ get: () => undefined, update: async () => undefined }),
    stopped: new StoppedServers({ get: () => undefined, update: async () => undefined }),
    memory,
    onSecret: () => undefined,
    log: () => undefined,
  });
}

/** The servers of the folder are the tests' own. */
const allowAll: EditorServersOptions['permissions'] = {
  decide: () => 'start',
  heldBy: () => undefined,
  allowsTools: () => false,
  isDue: () => false,
  ask: async () => false,
};

/** Resolves when every server is ready or has failed. */
async function settled(servers: EditorServers): Promise<void> {
  const isOpen = (): boolean => servers.connections().some(({ state }) => state.kind === 'connecting');
  while (isOpen())
    await new Promise<void>((resolve) => {
      const subscription = servers.onDidChange(() => {
        subscription.dispose();
        resolve();
      });
    });
}

describe("other people's servers in the editor", function () {
  this.timeout(120_000);

  it('each lists its tools and answers a call', async () => {
    const root = vscode.extensions.getExtension('mcp-agent.mcp-agent')?.extensionPath;
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert(root !== undefined && folder);
    const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
    const write = (settings: object): Thenable<void> =>
      vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(settings)));
    const peers = new Peers(root);
    const servers = editorServers();
    try {
      const all = await peers.start();
      const entries = Object.entries(all).map(([name, { entry }]) => [name, { ...entry, timeout: 60 }]);
      const changed = new Promise<void>((resolve) => {
        const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
          if (!event.affectsConfiguration('mcp.servers')) return;
          subscription.dispose();
          resolve();
        });
      });
      await write({ 'mcp.servers': Object.fromEntries(entries) });
      await changed;
      servers.start();
      await settled(servers);
      const outcomes: Record<string, string> = {};
      for (const [name, { tool: wanted, args, answer }] of Object.entries(all)) {
        const tool = servers.tools().find(({ server, tool }) => server === name && tool === wanted);
        const { state } = servers.connections().find(({ spec }) => spec.name === name) ?? {};
        const why = state?.kind === 'failed' ? state.error.message : `no tool ${wanted}`;
        if (!tool) outcomes[name] = why;
        const result = await tool?.call(args, { signal: new AbortController().signal, callId: name });
        const text = JSON.stringify(result?.content);
        if (result) outcomes[name] = !result.isError && answer.test(text) ? 'works' : text;
      }
      assert.deepEqual(outcomes, Object.fromEntries(Object.keys(all).map((name) => [name, 'works'])));
    } finally {
      await write({});
      await servers.close();
      await peers.close();
    }
  });
});
