// Parts of the agent's own benchmark: an endpoint without a wire, and servers by the hundred without one.
import type { HttpSend } from '../../src/base/httpExchange.ts';
import { openaiModel } from '../../src/model/openai/openaiModel.ts';
import type { ChatModel } from '../../src/model/chatModel.ts';
import { ServerPool } from '../../src/servers/serverPool.ts';
import { ToolRegistry } from '../../src/tools/toolRegistry.ts';
import { FakeClient, listedTool, textResult } from '../support/fakeClient.ts';
import { fakeOpen, fakeSpec } from '../support/fakeServers.ts';

/** What one model request asked for: a call by its offered name with arguments, or words. */
export type ScriptedStep = { readonly name: string; readonly arguments: object } | { readonly text: string };

export interface WirelessEndpoint {
  readonly model: ChatModel;
  /** The bodies of all requests. */
  readonly bodies: string[];
}

/** A model of the usual kind whose endpoint answers at once, so that all time is our own. */
export function wirelessEndpoint(script: (request: number) => ScriptedStep, maxInputTokens: number): WirelessEndpoint {
  const bodies: string[] = [];
  const send: HttpSend = ({ body = '' }, listener) => {
    const step = script(bodies.push(body) - 1);
    setImmediate(() => {
      listener.onResponse({
        status: 200,
        statusText: 'OK',
        headers: { 'content-type': 'text/event-stream' },
        url: 'http://127.0.0.1/',
        exchange: bodies.length,
      });
      listener.onChunk(Buffer.from(answer(step, bodies.length)));
      listener.onEnd();
    });
    return { abort: () => undefined };
  };
  const model = openaiModel({ name: 'bench', url: 'http://127.0.0.1:1/v1', id: 'bench', maxInputTokens, send });
  return { model, bodies };
}

function answer(step: ScriptedStep, request: number): string {
  const delta =
    'text' in step
      ? { content: step.text }
      : {
          tool_calls: [
            {
              index: 0,
              id: `call_${request}`,
              function: { name: step.name, arguments: JSON.stringify(step.arguments) },
            },
          ],
        };
  const finish = 'text' in step ? 'stop' : 'tool_calls';
  const chunks = [{ choices: [{ index: 0, delta }] }, { choices: [{ index: 0, delta: {}, finish_reason: finish }] }];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}

export interface ManyServers {
  readonly pool: ServerPool;
  readonly registry: ToolRegistry;
}

const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'export', 'send', 'count', 'close'] as const;
const things = ['invoice', 'ticket', 'branch', 'page', 'contact'] as const;

/** Servers with tools as they are in the field: a sentence of description, three parameters. */
export async function manyServers(count: number, toolsEach: number): Promise<ManyServers> {
  const names = Array.from({ length: count }, (_, index) => `server${index}`);
  const pool = new ServerPool({
    open: fakeOpen(Object.fromEntries(names.map((name) => [name, () => client(name, toolsEach)]))),
  });
  const registry = new ToolRegistry(pool);
  pool.reconcile(names.map((name, index) => fakeSpec(name, { prefix: `p${index}` })));
  await pool.ready();
  return { pool, registry };
}

function client(server: string, tools: number): FakeClient {
  const made = new FakeClient();
  made.listed = Array.from({ length: tools }, (_, index) => {
    const verb = verbs[index % verbs.length] ?? '';
    const thing = things[Math.floor(index / verbs.length) % things.length] ?? '';
    const name = `${verb}_${thing}${index >= verbs.length * things.length ? index : ''}`;
    return listedTool(name, {
      description: `Can ${verb} one ${thing} or several in the system of ${server}.`,
      inputSchema: schema(thing, ['get', 'update', 'delete', 'close', 'send'].includes(verb)),
    });
  });
  for (const { name } of made.listed) made.tools[name] = () => textResult(result(name));
  return made;
}

function schema(thing: string, isAboutOne: boolean): Record<string, unknown> {
  return {
    type: 'object',
    properties: {
      [`${thing}_id`]: { type: 'string', description: `Which ${thing}` },
      limit: { type: 'integer', description: 'At most so many' },
      note: { type: ['string', 'null'], description: 'Why this is done' },
    },
    ...(isAboutOne && { required: [`${thing}_id`] }),
  };
}

/** Some 2 KB, as records are. */
function result(name: string): string {
  return JSON.stringify(
    Array.from({ length: 20 }, (_, id) => ({ id, name: `${name} ${id}`, state: 'open', owner: 'carson@example.com' })),
  );
}
