/**
 * The client that the official conformance suites start: it connects with `dist/core.mjs` to the address given as last
 * argument and uses what the server offers. The suite says in the environment which scenario it plays, which revision it
 * speaks and, for some, which calls to make; a scenario's name only chooses what is called, never how the client works.
 */
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { isRecord, parseJson, type JsonObject } from '../../src/base/json.ts';
import type * as Core from '../../src/core.ts';
import type { Client, ConnectOptions, Tool } from '../../src/core.ts';
import { oauthOptions, oauthSettings } from './signIn.ts';

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_PROTOCOL_VERSION: protocolVersion } = process.env;
const context = readContext(process.env['MCP_CONFORMANCE_CONTEXT']);
const url = process.argv.at(-1) ?? '';
/** Another build of the core may be named, to try it without touching the usual one. */
const core: typeof Core = await import(
  pathToFileURL(process.env['MCP_AGENT_CORE'] ?? join(import.meta.dirname, '..', '..', 'dist', 'core.mjs')).href
);

/** The suite's own data for this scenario. */
function readContext(text: string | undefined): JsonObject {
  const parsed = parseJson(text ?? '{}');
  return parsed.ok && isRecord(parsed.value) ? parsed.value : {};
}

function options(): ConnectOptions {
  return {
    clientInfo: { name: 'mcp-agent-conformance', version: '1.0.0' },
    protocolVersion,
    handlers: {
      'elicitation/create': (params) => Promise.resolve({ action: 'accept', content: defaultsOf(params) }),
      'sampling/createMessage': () =>
        Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'none' }),
    },
  };
}

/** A form that is sent as it was shown: each field has the value that the server proposed. */
function defaultsOf(params: unknown): JsonObject {
  const schema = isRecord(params) && isRecord(params['requestedSchema']) ? params['requestedSchema'] : {};
  const fields = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  return Object.fromEntries(
    fields.flatMap(([name, field]) => (isRecord(field) && 'default' in field ? [[name, field['default']]] : [])),
  );
}

/** Something for each required argument. */
function argumentsFor(tool: Tool): JsonObject {
  const { properties, required } = tool.inputSchema;
  const fields = isRecord(properties) ? properties : {};
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries(names.map((name) => [name, valueFor(fields[name])]));
}

function valueFor(schema: unknown): unknown {
  const type = isRecord(schema) ? schema['type'] : undefined;
  if (type === 'number' || type === 'integer') return 2;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  return type === 'object' ? {} : 'text';
}

async function callTools(client: Client, tools: readonly Tool[]): Promise<void> {
  const { toolCalls } = context;
  if (Array.isArray(toolCalls)) {
    for (const call of toolCalls.filter(isRecord)) {
      const args = isRecord(call['arguments']) ? call['arguments'] : {};
      await client.callTool(String(call['name']), args);
    }
    return;
  }
  for (const tool of tools) await client.callTool(tool.name, argumentsFor(tool));
}

/** Reads each resource and gets each prompt, where the server says that it has any. */
async function readAll(client: Client): Promise<void> {
  if (client.capabilities['resources']) {
    for (const { uri } of listOf(await client.request('resources/list'), 'resources'))
      await client.request('resources/read', { uri });
  }
  if (client.capabilities['prompts']) {
    for (const { name } of listOf(await client.request('prompts/list'), 'prompts'))
      await client.request('prompts/get', { name });
  }
}

function listOf(result: unknown, member: string): JsonObject[] {
  const list = isRecord(result) ? result[member] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** What to do with a server, where it is not to use all that it offers. */
const tasks: Record<string, (client: Client, tools: readonly Tool[]) => Promise<unknown>> = {
  /** Its server offers a schema that must not be followed, and serves no call. */
  'json-schema-ref-no-deref': () => Promise.resolve(),
  /** A tool takes the schema of another as the client has it. */
  'json-schema-2020-12-preservation': (client, tools) => {
    const focal = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
    return client.callTool('json_schema_echo', { schema: focal?.inputSchema });
  },
};

async function useEverything(client: Client, tools: readonly Tool[]): Promise<void> {
  await callTools(client, tools);
  await readAll(client);
}

const authorization = await core.oauthAuthorization(oauthOptions(url, oauthSettings(scenario, context)));
const client = await core.connect(
  { kind: 'http', name: 'conformance', url, timeoutMs: 20_000 },
  { ...options(), authorization },
);
try {
  const tools = await client.listTools();
  await (tasks[scenario] ?? useEverything)(client, tools);
} finally {
  await client.close();
}
