import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import { editorModel } from '../../src/vscode/editorModel.ts';
import { fromEditorMessages, toEditorMessages } from '../../src/vscode/modelMessages.ts';
import type { ChatMessage, ModelEvent } from '../../src/model/chatModel.ts';
import {
  startScriptedModel,
  textAnswer,
  toolCallAnswer,
  jsonAnswer,
  type ScriptedModel,
} from '../support/scriptedModel.ts';

const getUsers = { name: 'getUsers', description: 'List the users', inputSchema: { type: 'object', properties: {} } };
const signal = new AbortController().signal;

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('mcpAgent');
}

async function modelNamed(name: string): Promise<vscode.LanguageModelChat> {
  for (;;) {
    const models = await vscode.lm.selectChatModels({ vendor: 'mcp-agent' });
    const found = models.find((model) => model.name === name);
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => {
      const subscription = vscode.lm.onDidChangeChatModels(() => {
        subscription.dispose();
        resolve();
      });
    });
  }
}

describe('models in the editor', () => {
  let endpoint: ScriptedModel;

  before(async () => {
    await vscode.extensions.getExtension('mcp-agent.mcp-agent')?.activate();
    endpoint = await startScriptedModel();
  });

  after(async () => {
    await settings().update('endpoints', undefined, vscode.ConfigurationTarget.Global);
    await endpoint.close();
  });

  it('the planner is there without settings, account or network, and is honest about what it is', async () => {
    const planner = await modelNamed('Planner (built-in, no model)');
    assert.equal(planner.family, 'planner');
    assert.equal(planner.vendor, 'mcp-agent');
  });

  it('another participant may use the planner: it asks for a tool that fits', async () => {
    const planner = await modelNamed('Planner (built-in, no model)');
    const response = await planner.sendRequest([vscode.LanguageModelChatMessage.User('list the users')], {
      tools: [getUsers],
    });
    const calls: vscode.LanguageModelToolCallPart[] = [];
    for await (const part of response.stream) if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part);
    assert.deepEqual(
      calls.map(({ name, input }) => ({ name, input })),
      [{ name: 'getUsers', input: {} }],
    );
  });

  it('models that the settings name appear at once, and nothing is asked', async () => {
    await settings().update(
      'endpoints',
      [{ name: 'Local', url: endpoint.url, models: [{ id: 'scripted', name: 'Scripted', maxInputTokens: 5000 }] }],
      vscode.ConfigurationTarget.Global,
    );
    const model = await modelNamed('Scripted');
    assert.equal(model.maxInputTokens, 5000);
    assert.deepEqual(endpoint.otherRequests, []);
  });

  it('a request of another participant reaches the endpoint, and text and calls come back', async () => {
    const model = editorModel(await modelNamed('Scripted'));
    endpoint.enqueue(textAnswer('Hello there'), toolCallAnswer([{ name: 'getUsers', arguments: { page: 2 } }]));
    const messages: ChatMessage[] = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', content: [{ kind: 'text', text: 'Hi' }] },
    ];
    const first = await collect(model.stream({ messages, tools: [getUsers], signal }));
    assert.equal(first.map((event) => (event.kind === 'text-delta' ? event.text : '')).join(''), 'Hello there');
    assert.deepEqual(first.at(-1), { kind: 'finish', reason: 'stop' });
    const second = await collect(model.stream({ messages, tools: [getUsers], signal }));
    const call = second.find((event) => event.kind === 'tool-call');
    assert(call?.kind === 'tool-call');
    assert.deepEqual([call.name, call.arguments], ['getUsers', { page: 2 }]);
    const { body } = endpoint.requests[0] ?? assert.fail();
    assert.match(JSON.stringify(body['messages']), /Be brief\..*Hi/);
    assert.equal(body['stream'], true);
  });

  it('a failure of the endpoint is told with its own words', async () => {
    const model = editorModel(await modelNamed('Scripted'));
    endpoint.enqueue(jsonAnswer({ error: { message: 'the model is on holiday' } }, 400));
    const messages: ChatMessage[] = [{ role: 'user', content: [{ kind: 'text', text: 'Hi' }] }];
    await assert.rejects(collect(model.stream({ messages, tools: [], signal })), /on holiday/);
  });

  it('a stopped request ends as cancelled', async () => {
    const model = editorModel(await modelNamed('Scripted'));
    endpoint.enqueue({ body: [], end: 'hang' });
    const controller = new AbortController();
    const count = endpoint.requests.length + 1;
    const events = collect(
      model.stream({
        messages: [{ role: 'user', content: [{ kind: 'text', text: 'Hi' }] }],
        tools: [],
        signal: controller.signal,
      }),
    );
    const request = await endpoint.request(count);
    controller.abort();
    await assert.rejects(events, (error: Error & { code?: string }) => error.code === 'cancelled');
    assert.equal(await request.ended, 'closed');
  });

  it('messages keep calls, results and images on the way to the editor and back', () => {
    const messages: ChatMessage[] = [
      {
        role: 'user',
        content: [
          { kind: 'text', text: 'Look' },
          { kind: 'image', mimeType: 'image/png', data: 'aGk=' },
        ],
      },
      { role: 'assistant', text: 'I look.', toolCalls: [{ id: 'c1', name: 'getUsers', arguments: { page: 1 } }] },
      {
        role: 'tool',
        callId: 'c1',
        name: 'getUsers',
        content: [
          { kind: 'text', text: '[]' },
          { kind: 'image', mimeType: 'image/png', data: 'aGk=' },
        ],
        isError: false,
      },
    ];
    assert.deepEqual(fromEditorMessages(toEditorMessages(messages, true)), messages);
    const [user] = fromEditorMessages(toEditorMessages(messages, false));
    assert.match(JSON.stringify(user), /image\/png, which this model cannot read/);
  });
});
