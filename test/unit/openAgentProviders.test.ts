import assert from 'node:assert/strict';
import { agentOf, answerText, Closing, turnOf } from '../support/agents.ts';
import { providers, type ModelStep, type Provider } from '../support/providers.ts';
import { faultOf } from '../support/requestFault.ts';
import { jsonAnswer, startScriptedModel, type ScriptedModel } from '../support/scriptedModel.ts';
import { startSseServer } from '../support/sseServer.ts';
import { startUsersServer } from '../support/usersServer.ts';

const task =
  'First, help me check the user list to see if there is a user named Carson. If not, add a new user: Carson carson@example.com; then check the list again to see if the new user was added successfully. Finally, say hello to Carson.';

const call = (name: string, args = {}): ModelStep => ({ text: '', calls: [{ name, arguments: args }] });

const captured: readonly ModelStep[] = [
  { ...call('bb7_getUsers'), text: 'I check the list.' },
  call('bb7_addUser', { arg0: { name: 'Carson', email: 'carson@example.com' } }),
  call('bb7_getUsers'),
  { text: 'Hello, Carson! 你好 🌍', calls: [] },
];

/** Thirty steps of one, two or three calls each. */
const long: readonly ModelStep[] = [
  ...Array.from({ length: 30 }, (_, step): ModelStep => ({
    text: step % 4 === 0 ? `Step ${step}.` : '',
    calls: Array.from({ length: (step % 3) + 1 }, (_each, place) => ({
      name: 'bb7_work',
      arguments: { step, place, note: `"quoted" \\ 北京 {${step}}` },
    })),
  })),
  { text: 'All thirty done.', calls: [] },
];

/** An endpoint with a provider's habits, which plays a script. It answers a request that it refuses with an error, without going on. */
async function endpointOf({ answer, refuses }: Provider, script: readonly ModelStep[]): Promise<ScriptedModel> {
  let step = 0;
  let number = 0;
  return startScriptedModel({
    respond: ({ body }) => {
      const fault = faultOf(body);
      if (fault !== undefined) return jsonAnswer({ error: { message: fault } }, 400);
      const refused = refuses?.(body, ++number);
      if (refused !== undefined) return refused;
      const next = script[step++];
      return next === undefined ? jsonAnswer({ error: { message: 'the script is over' } }, 400) : answer(next, number);
    },
  });
}

const baseOf = ({ path }: Provider, { url }: ScriptedModel): string =>
  path === undefined ? url : `${new URL(url).origin}${path}`;

describe('an endpoint with the habits of', () => {
  const closing = new Closing();
  afterEach(() => closing.all());

  for (const provider of providers) {
    it(`${provider.name} carries out the captured task`, async () => {
      const users = closing.add(await startUsersServer());
      const model = closing.add(await endpointOf(provider, captured));
      const agent = agentOf(closing, {
        servers: { 'spring-ai-mcp-sample': { type: 'sse', url: users.url } },
        model: { url: baseOf(provider, model), id: 'model' },
      });
      const events = await turnOf(agent, task);
      assert.deepEqual(events.at(-1), { kind: 'done', reason: 'stop' });
      assert.deepEqual(users.calls, ['getUsers', 'addUser', 'getUsers']);
      assert.ok(users.users.some(({ email }) => email === 'carson@example.com'));
      assert.equal(answerText(events).trim(), 'I check the list.Hello, Carson! 你好 🌍');
    });

    it(`${provider.name} carries out a task of thirty steps`, async () => {
      const done: unknown[] = [];
      const server = closing.add(
        await startSseServer({
          tools: [{ name: 'work', inputSchema: { type: 'object', properties: { step: { type: 'integer' } } } }],
          reply: (message) => {
            if (message['method'] !== 'tools/call') return undefined;
            done.push(message['params']);
            return { result: { content: [{ type: 'text', text: `done ${done.length}` }] } };
          },
        }),
      );
      const model = closing.add(await endpointOf(provider, long));
      const agent = agentOf(closing, {
        servers: { work: { type: 'sse', url: server.url } },
        model: { url: baseOf(provider, model), id: 'model' },
        maxSteps: 40,
      });
      const events = await turnOf(agent, 'Do all the work.');
      assert.deepEqual(events.at(-1), { kind: 'done', reason: 'stop' });
      const wanted = long.flatMap(({ calls }) => calls.map((each) => each.arguments));
      const made = done.map((params) =>
        typeof params === 'object' && params !== null && 'arguments' in params ? params.arguments : undefined,
      );
      assert.deepEqual(made, wanted, 'every call is made once, in order, with its own arguments');
      assert.match(answerText(events), /All thirty done\.$/);
    });
  }
});
