import assert from 'node:assert/strict';
import { isRecord, type JsonObject } from '../../src/base/json.ts';
import { describeTurns } from '../support/host/chat.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';
import { faultOf, messagesOf } from '../support/requestFault.ts';
import { png } from '../support/images.ts';
import type { Reply } from '../support/mcpScript.ts';
import {
  startScriptedModel,
  textAnswer,
  toolCallAnswer,
  type ScriptedAnswer,
  type ScriptedModel,
} from '../support/scriptedModel.ts';
import { startSseServer, type SseServer } from '../support/sseServer.ts';

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
const log = Array.from({ length: 9000 }, (_, line) => `line ${line}: all is well`)
  .join('\n')
  .replace('line 4711: all is well', 'line 4711: the disk is full');

const said = (text: string): Reply => ({ result: { content: [{ type: 'text', text }] } });
const names = ['chart', 'logo', 'log', 'slow', 'pay', 'count', 'hold'] as const;

/** A server whose tools give pictures, much text, nothing at all, or an answer when the test says so. */
class WorkServer {
  counted = 0;
  release: () => void = () => undefined;

  async reply(message: JsonObject): Promise<Reply | 'silence'> {
    const { params } = message;
    if (message['method'] !== 'tools/call' || !isRecord(params)) return undefined;
    switch (params['name']) {
      case 'chart':
        return { result: { content: [{ type: 'image', mimeType: 'image/png', data: png }] } };
      case 'logo':
        return { result: { content: [{ type: 'image', mimeType: 'image/png', data: svg }] } };
      case 'log':
        return said(log);
      case 'count':
        return said(`counted to ${++this.counted}`);
      case 'hold':
        await new Promise<void>((resolve) => (this.release = resolve));
        return said('held');
      case 'slow':
        return 'silence';
      default:
        return said('done');
    }
  }
}

describe('a conversation of many turns in the workbench', function () {
  this.timeout(240_000);
  const work = new WorkServer();
  let server: SseServer;
  let other: SseServer;
  let model: ScriptedModel;
  let host: VsCodeHost;

  before(async () => {
    const tools = names.map((name) => ({ name, description: `Does ${name}`, inputSchema: { type: 'object' } }));
    server = await startSseServer({ tools, reply: (message) => work.reply(message) });
    other = await startSseServer({
      tools: [{ name: 'vanish', description: 'Goes away', inputSchema: { type: 'object' } }],
      reply: async (message) => {
        if (message['method'] !== 'tools/call') return undefined;
        await other.close();
        return 'silence';
      },
    });
    model = await startScriptedModel();
    host = await openHost({
      settings: {
        'mcp.servers': {
          work: { type: 'sse', url: server.url, prefix: 'w', autoApprove: ['*', '!pay'] },
          other: { type: 'sse', url: other.url, prefix: 'o', autoApprove: ['*'] },
        },
        'mcpAgent.endpoints': [
          { name: 'Scripted', url: model.url, models: [{ id: 'gpt-4o', name: 'Scripted GPT', imageInput: true }] },
        ],
        'mcpAgent.maxSteps': 4,
      },
    });
    await host.chat.open();
    await host.chat.chooseModel('Scripted GPT');
  });

  after(async () => {
    await host?.close();
    await model?.close();
    await server?.close();
    await other?.close();
  });

  afterEach(() => {
    for (const { body } of model.requests) assert.equal(faultOf(body), undefined, 'every request is sound');
  });

  /** Sends a message, has the model answer so, and gives what the chat shows of the turn. */
  async function turn(prompt: string, ...answers: readonly ScriptedAnswer[]): Promise<string> {
    model.enqueue(...answers);
    await host.chat.send(`@mcp ${prompt}`);
    return describeTurns([await host.chat.answered()]);
  }

  const lastBody = (): JsonObject => model.requests.at(-1)?.body ?? {};

  it('1: a picture of a tool reaches a model that sees', async () => {
    const shown = await turn('show the chart', toolCallAnswer([{ name: 'w_chart' }]), textAnswer('A dot.'));
    assert.match(shown, /A dot\./);
    assert.ok(JSON.stringify(lastBody()).includes(`data:image/png;base64,${png}`));
  });

  it('2: a picture that no model takes is told in words', async () => {
    await turn('show the logo', toolCallAnswer([{ name: 'w_logo' }]), textAnswer('No picture.'));
    assert.match(JSON.stringify(lastBody()), /left out, because SVG is not an image/);
    assert.ok(!JSON.stringify(lastBody()).includes(svg));
  });

  it('3: a result of 200 KB is searched by the model', async () => {
    const shown = await turn(
      'what is wrong in the log?',
      toolCallAnswer([{ id: 'call_log', name: 'w_log' }]),
      toolCallAnswer([{ name: 'read_result', arguments: { call_id: 'call_log', find: 'disk' } }]),
      textAnswer('The disk is full.'),
    );
    assert.match(shown, /The disk is full\./);
    assert.ok(JSON.stringify(lastBody()).length < 100_000);
    assert.match(String(messagesOf(lastBody()).at(-1)?.['content']), /line 4711: the disk is full/);
  });

  it('4: Stop reaches the server, and the chat stays usable', async () => {
    model.enqueue(toolCallAnswer([{ name: 'w_slow' }]));
    await host.chat.send('@mcp do the slow thing');
    await server.message('tools/call', 4);
    await host.chat.stop();
    await host.chat.answered();
    await server.message('notifications/cancelled');
    assert.match(await turn('hello?', textAnswer('I am here.')), /I am here\./);
    assert.match(JSON.stringify(lastBody()), /stopped this call before its result came/);
  });

  it('5: the large result can be read in a later turn', async () => {
    await turn(
      'and line 8000 of the log?',
      toolCallAnswer([{ name: 'read_result', arguments: { call_id: 'call_log', find: 'line 8000' } }]),
      textAnswer('All is well there.'),
    );
    assert.match(String(messagesOf(lastBody()).at(-1)?.['content']), /line 8000: all is well/);
  });

  it('6: a refusal is told to the model and nothing is paid', async () => {
    model.enqueue(toolCallAnswer([{ name: 'w_pay' }]), textAnswer('Nothing was paid.'));
    await host.chat.send('@mcp pay the bill');
    await host.chat.answerCard('Skip', 'pay');
    assert.match(describeTurns([await host.chat.answered()]), /Nothing was paid\./);
    assert.match(JSON.stringify(lastBody()), /did not allow this call/);
    assert.ok(!server.messages.some(({ params }) => isRecord(params) && params['name'] === 'pay'));
  });

  it('7: a server that is lost in a call is a result, and the other goes on', async () => {
    const shown = await turn(
      'ask the other one',
      toolCallAnswer([{ name: 'o_vanish' }]),
      toolCallAnswer([{ name: 'w_count' }]),
      textAnswer('The other server is gone.'),
    );
    assert.match(shown, /The other server is gone\./);
    assert.equal(work.counted, 1);
    assert.match(JSON.stringify(lastBody()), /It may have run|is not available|cannot be reached/);
  });

  it('8: at the step limit the task pauses, and Continue goes on', async () => {
    const count = (): ReturnType<typeof toolCallAnswer> => toolCallAnswer([{ name: 'w_count' }]);
    const shown = await turn('count to five', count(), count(), count(), count());
    assert.match(shown, /Paused after 4 steps/);
    const requests = model.requests.length;
    model.enqueue(count(), textAnswer('Five.'));
    await host.chat.click('Continue');
    await model.request(requests + 2);
    assert.match(describeTurns([await host.chat.answered()]), /Five\./);
    assert.equal(work.counted, 6);
  });

  it('9: a message typed meanwhile is taken at the next step', async () => {
    model.enqueue(toolCallAnswer([{ name: 'w_hold' }]), textAnswer('En français, voilà.'));
    await host.chat.send('@mcp hold on');
    await server.message('tools/call', server.messages.filter(({ method }) => method === 'tools/call').length + 1);
    const before = model.requests.length;
    await host.chat.type('@mcp in French please');
    await host.page.keyboard.press('Enter');
    // The editor tells nobody that it has queued the message.
    await host.page.waitForTimeout(1500);
    work.release();
    await model.request(before + 1);
    const turns = await host.chat.answered();
    assert.match(describeTurns([turns]), /En français, voilà\./);
    const roles = messagesOf(lastBody()).slice(-3);
    assert.deepEqual(
      roles.map(({ role }) => role),
      ['assistant', 'tool', 'user'],
      'the step was ended and the message is the next thing that the model reads',
    );
    assert.match(JSON.stringify(roles.at(-1)), /in French please/);
    assert.equal(model.requests.length, before + 1);
  });

  it('10: a turn that is repeated runs nothing again, unless asked', async () => {
    const answers = (): readonly ScriptedAnswer[] => [
      toolCallAnswer([{ name: 'w_count' }]),
      textAnswer('Counted once.'),
    ];
    await turn('count once', ...answers());
    const { counted } = work;
    model.enqueue(...answers());
    await retry(host);
    const again = describeTurns([await host.chat.answered()]);
    assert.match(again, /One result comes from the earlier attempt/);
    assert.equal(work.counted, counted);
    assert.match(JSON.stringify(lastBody()), new RegExp(`counted to ${counted}`));
    model.enqueue(...answers());
    const requests = model.requests.length;
    await host.chat.click('Run Everything Again');
    await model.request(requests + 2);
    assert.doesNotMatch(describeTurns([await host.chat.answered()]), /earlier attempt/);
    assert.equal(work.counted, counted + 1);
  });
});

/** Presses Retry below the newest answer; it is drawn when the pointer is there. */
async function retry(host: VsCodeHost): Promise<void> {
  const row = host.chat.view.locator('.monaco-list-rows > .monaco-list-row.response').last();
  await row.hover();
  await row.locator('.chat-footer-toolbar .codicon-refresh, .codicon-refresh').last().dispatchEvent('click');
}
