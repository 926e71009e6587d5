import assert from 'node:assert/strict';
import { isRecord } from '../../src/base/json.ts';
import { everythingCommand } from '../support/everythingServer.ts';
import { describeTurns } from '../support/host/chat.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';
import { appearLimitMs } from '../support/host/workbench.ts';
import {
  startScriptedModel,
  textAnswer,
  toolCallAnswer,
  type ScriptedAnswer,
  type ScriptedModel,
} from '../support/scriptedModel.ts';

/** Set to a folder to have pictures of every dialog in both themes. */
const pictures = process.env['MCP_AGENT_PICTURES'];

describe('what servers offer besides tools, in the workbench', function () {
  this.timeout(240_000);
  let model: ScriptedModel;
  let host: VsCodeHost;
  /** What the model answers next; a test that fails leaves none to the next one. */
  let answers: ScriptedAnswer[] = [];

  before(async () => {
    model = await startScriptedModel({
      respond: () => answers.shift() ?? textAnswer('The script of this test is over.'),
    });
    host = await openHost({
      settings: {
        'mcp.servers': { everything: { type: 'stdio', ...everythingCommand, autoApprove: true } },
        'mcpAgent.endpoints': [{ name: 'Scripted', url: model.url, models: [{ id: 'gpt-4o', name: 'Scripted GPT' }] }],
      },
      ...(pictures !== undefined && process.env['MCP_AGENT_THEME'] === 'dark' && { theme: 'dark' as const }),
    });
    await host.chat.open();
    await host.chat.widen(520);
    await host.chat.chooseModel('Scripted GPT');
  });

  after(async () => {
    await host?.close();
    await model?.close();
  });

  const picture = async (name: string): Promise<void> => {
    if (pictures === undefined) return;
    await host.page.waitForTimeout(400);
    await host.workbench.screenshot(`${pictures}/${process.env['MCP_AGENT_THEME'] ?? 'light'}-${name}.png`);
  };

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await picture(`failed-${this.currentTest.title.slice(0, 30)}`);
  });

  beforeEach(async () => {
    answers = [];
    if (await host.page.locator('.monaco-dialog-box').first().isVisible()) await host.page.keyboard.press('Escape');
    await host.workbench.closeQuickPick();
  });

  /** The modal dialog that is open: its text, and a way to answer it. */
  const dialog = async (): Promise<{ text: string; answer(button: string): Promise<void> }> => {
    const box = host.page.locator('.monaco-dialog-box').first();
    await box.waitFor({ state: 'visible', timeout: appearLimitMs });
    return {
      text: await box.innerText(),
      answer: async (button) => {
        await box.getByRole('button', { name: button, exact: true }).click({ timeout: appearLimitMs });
        await box.waitFor({ state: 'hidden', timeout: appearLimitMs });
      },
    };
  };

  const widget = () => host.page.locator('.quick-input-widget').first();

  /** Clicks a row of the list that is open, wherever the keyboard's focus is. */
  const chooseRow = (text: string) =>
    widget().locator('.monaco-list-row', { hasText: text }).first().click({ timeout: appearLimitMs });

  /** The last result of a tool that the model was sent. */
  const lastResult = (): string => {
    const { messages } = model.requests.at(-1)?.body ?? {};
    const last = Array.isArray(messages) ? messages.findLast((each) => isRecord(each) && each['role'] === 'tool') : {};
    return JSON.stringify(last);
  };

  const sampling = (): number =>
    answers.push(
      toolCallAnswer([
        { name: 'bb7_trigger-sampling-request', arguments: { prompt: 'Why is the sky blue?', maxTokens: 50 } },
      ]),
    );

  it('sampling: says who asks what of which model, and the server gets the answer once it is allowed', async () => {
    sampling();
    answers.push(textAnswer('Because of scattering.'), textAnswer('Done.'));
    await host.chat.send('@mcp sample');
    const asked = await dialog();
    await picture('sampling');
    assert.match(asked.text, /everything/);
    assert.match(asked.text, /Scripted GPT/);
    assert.match(asked.text, /Why is the sky blue\?/);
    assert.match(asked.text, /You are a helpful test server/);
    assert.match(asked.text, /at most 50 tokens/);
    assert.equal(model.requests.length, 1, 'nothing is asked before the person allows it');
    await asked.answer('Allow Once');
    await host.chat.answered();
    const { body } = model.requests[1] ?? {};
    assert.equal(body?.['max_tokens'], 50);
    assert.equal(body?.['temperature'], 0.7);
    assert.match(JSON.stringify(body?.['messages']), /helpful test server.*sky blue/);
    assert.match(lastResult(), /Because of scattering/);
  });

  it('sampling: request and answer can be looked over before they leave, and are gone afterwards', async () => {
    sampling();
    answers.push(textAnswer('Because of Rayleigh.'), textAnswer('Done.'));
    await host.chat.send('@mcp sample');
    await (await dialog()).answer('Review or Edit…');
    await widget().getByText('Choose another model…').waitFor();
    await picture('sampling-review');
    assert.match(await host.workbench.activeEditorText(), /sky blue/);
    await host.workbench.pick('Send');
    await widget().getByText('to everything').waitFor({ timeout: appearLimitMs });
    await picture('sampling-answer');
    assert.match(await host.workbench.activeEditorText(), /Because of Rayleigh/);
    await host.workbench.pick('Send');
    await host.chat.answered();
    assert.match(lastResult(), /Because of Rayleigh/);
  });

  it('sampling: a refusal reaches the server as one', async () => {
    sampling();
    answers.push(textAnswer('Refused.'));
    await host.chat.send('@mcp sample');
    await (await dialog()).answer('Deny');
    await host.chat.answered();
    assert.match(lastResult(), /reject/i);
  });

  it('elicitation: what is needed is asked first, everything is looked over, and then it leaves', async () => {
    answers.push(toolCallAnswer([{ name: 'bb7_trigger-elicitation-request' }]), textAnswer('Thanks.'));
    await host.chat.send('@mcp elicit');
    await host.workbench.quickInput().waitFor({ state: 'visible', timeout: appearLimitMs });
    assert.match(await widget().innerText(), /everything/);
    await picture('elicitation-field');
    await host.page.keyboard.press('Enter');
    await widget().getByText('An answer is needed.').first().waitFor();
    await host.page.keyboard.type('Ada Lovelace');
    await host.page.keyboard.press('Enter');
    await widget().getByText('Your answers').waitFor();
    await picture('elicitation-review');
    const rows = await host.workbench.quickPick();
    const find = (text: string) => rows.find((row) => row.label.includes(text));
    assert.match(find('String *')?.description ?? '', /Ada Lovelace/);
    assert.match(find('String with default')?.description ?? '', /dark and stormy/);
    await host.workbench.pick('String with email format');
    await widget().getByText('String with email format:').waitFor();
    await host.workbench.fillQuickInput('nobody');
    await widget().getByText('This is not an e-mail address.').first().waitFor();
    await picture('elicitation-problem');
    await host.workbench.fillQuickInput('ada@example.com');
    await host.page.keyboard.press('Enter');
    await widget().getByText('Your answers').waitFor();
    await host.workbench.fillQuickInput('multiple');
    await host.workbench.pick('Titled Multiple Select Enum');
    await widget().getByText('Salmon').waitFor();
    await picture('elicitation-many');
    await widget().getByText('Salmon').click();
    await host.page.keyboard.press('Enter');
    await widget().getByText('Your answers').waitFor();
    await host.workbench.pick('Send');
    await host.chat.answered();
    const result = lastResult();
    assert.match(result, /Ada Lovelace/);
    assert.match(result, /ada@example\.com/);
    assert.match(result, /fish-1.*fish-2/);
    assert.match(result, /42/);
  });

  it('elicitation: to decline is not to cancel', async () => {
    for (const [act, words] of [
      ['decline', /declined/],
      ['cancel', /cancelled/],
    ] as const) {
      answers.push(toolCallAnswer([{ name: 'bb7_trigger-elicitation-request' }]), textAnswer('Well.'));
      await host.chat.send('@mcp elicit');
      await host.workbench.fillQuickInput('Ada');
      if (act === 'decline') {
        await host.page.keyboard.press('Enter');
        await widget().getByText('Your answers').waitFor();
        await host.workbench.pick('Decline');
      } else await host.page.keyboard.press('Escape');
      await host.chat.answered();
      assert.match(lastResult(), words);
    }
  });

  const pageCall = (more: Record<string, unknown> = {}): number =>
    answers.push(
      toolCallAnswer([
        {
          name: 'bb7_trigger-url-elicitation',
          arguments: { url: 'https://xn--pple-43d.example/login?next=1', message: 'Sign in, please.', ...more },
        },
      ]),
      textAnswer('Well.'),
    );

  it('elicitation by a page: the host by itself, the whole address and what is odd about it; nothing opens by itself', async () => {
    pageCall();
    await host.chat.send('@mcp page');
    const asked = await dialog();
    await picture('elicitation-page');
    assert.match(asked.text, /everything.*open a page of xn--pple-43d\.example/s);
    assert.match(asked.text, /https:\/\/xn--pple-43d\.example\/login\?next=1/);
    assert.match(asked.text, /other alphabets \(.pple\.example\)/);
    assert.match(asked.text, /Sign in, please/);
    await asked.answer('Decline');
    await host.chat.answered();
    assert.match(lastResult(), /declin/i);
  });

  it('elicitation by a refused call: it is made once more when the person is through', async () => {
    pageCall({ errorPath: true, elicitationId: 'again-1' });
    await host.chat.send('@mcp page');
    await (await dialog()).answer('Copy Address');
    await widget().getByText('waits until you are through').waitFor({ timeout: appearLimitMs });
    await picture('elicitation-wait');
    await host.workbench.pick('Continue');
    // The second call asks in the ordinary way.
    await (await dialog()).answer('Copy Address');
    await host.chat.answered();
    assert.match(lastResult(), /accept/i);
  });

  it('/prompt lists the prompts, and runs one with arguments by name', async () => {
    await host.chat.send('@mcp /prompt');
    const text = describeTurns([await host.chat.answered()]);
    await picture('prompts');
    assert.match(text, /args-prompt/);
    assert.match(text, /completable-prompt/);
    answers.push(textAnswer('It is sunny in Oslo.'));
    await host.chat.send('@mcp /prompt args-prompt city="New Oslo" state=Norway');
    assert.match(describeTurns([await host.chat.answered()]), /sunny in Oslo/);
    assert.match(JSON.stringify(model.requests.at(-1)?.body['messages']), /weather in New Oslo, Norway/);
  });

  it('/prompt asks for arguments with what the server proposes', async () => {
    answers.push(textAnswer('Promoted.'));
    await host.chat.send('@mcp /prompt completable-prompt');
    await widget().getByText('Choose the department').waitFor({ timeout: appearLimitMs });
    await host.workbench.fillQuickInput('Eng');
    await widget().locator('.monaco-list-row', { hasText: 'Engineering' }).first().waitFor();
    await picture('prompt-argument');
    await chooseRow('Engineering');
    await widget().locator('.monaco-list-row', { hasText: 'Alice' }).first().waitFor();
    await chooseRow('Alice');
    await host.chat.answered();
    assert.match(
      JSON.stringify(model.requests.at(-1)?.body['messages']),
      /promote Alice to the head of the Engineering/,
    );
  });

  it('/resource adds one to the conversation, by a pick or by its address', async () => {
    await host.chat.startNew();
    await host.chat.send('@mcp /resource');
    await widget()
      .locator('.monaco-list-row', { hasText: 'Dynamic Text Resource' })
      .first()
      .waitFor({ timeout: appearLimitMs });
    await picture('resource-pick');
    await chooseRow('Dynamic Text Resource');
    await widget().getByText('demo://resource/dynamic/text/{resourceId}').waitFor();
    await host.workbench.fillQuickInput('7');
    await chooseRow('as typed');
    const text = describeTurns([await host.chat.answered()]);
    await picture('resource');
    assert.match(text, /demo:\/\/resource\/dynamic\/text\/7/);
    assert.match(text, /Resource 7/);
    answers.push(textAnswer('Read.'));
    await host.chat.send('@mcp what did I add?');
    await host.chat.answered();
    assert.match(JSON.stringify(model.requests.at(-1)?.body['messages']), /Resource 7/);
    answers.push(textAnswer('Read.'));
    await host.chat.send('@mcp /resource demo://resource/dynamic/text/9 Summarise it');
    await host.chat.answered();
    assert.match(JSON.stringify(model.requests.at(-1)?.body['messages']), /Resource 9.*Summarise it/);
  });

  it('the model lists and reads resources in rows, without a question', async () => {
    answers.push(
      toolCallAnswer([{ name: 'list_resources' }]),
      toolCallAnswer([{ name: 'read_resource', arguments: { uri: 'demo://resource/dynamic/text/3' } }]),
      textAnswer('There.'),
    );
    await host.chat.send('@mcp read resource 3');
    await host.chat.answered();
    await host.chat.unfold();
    await picture('model-resources');
    assert.match(describeTurns([await host.chat.lastTurn()]), /read_resource — demo:\/\/resource\/dynamic\/text\/3/);
    assert.match(lastResult(), /Resource 3/);
  });
});
