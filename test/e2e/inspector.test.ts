import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { fromHar } from '../../src/wire/harImport.ts';
import { fromJsonLines } from '../../src/wire/jsonl.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';
import { startDemoServer, type DemoServer } from '../../scripts/demo/usersServer.ts';
import { startScriptedModel, textAnswer, toolCallAnswer, type ScriptedModel } from '../support/scriptedModel.ts';

/** Secrets in the settings of the server and in what it is asked. */
const PASS = 'Qw81zLk2Vn7TpX44';
const QUERY_KEY = 'Mz90xKj3Rt6YbC55';

describe('the wire inspector in the workbench', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-agent-wire-'));
  let server: DemoServer;
  let model: ScriptedModel;
  let host: VsCodeHost;

  before(async () => {
    server = await startDemoServer();
    model = await startScriptedModel();
    host = await openHost({
      theme: 'dark',
      size: { width: 1600, height: 950 },
      settings: {
        'mcp.servers': {
          'spring-ai-mcp-sample': {
            type: 'sse',
            url: `${server.url}?key=${QUERY_KEY}`,
            headers: { 'X-Team-Pass': PASS },
            autoApprove: ['*'],
          },
        },
        'mcpAgent.endpoints': [{ name: 'Scripted', url: model.url, models: [{ id: 'gpt-4o', name: 'Scripted GPT' }] }],
      },
    });
    await host.chat.open();
    await host.chat.chooseModel('Scripted GPT');
    model.enqueue(
      toolCallAnswer([{ name: 'bb7_getUsers' }], 'I check the list.'),
      toolCallAnswer([{ name: 'bb7_addUser', arguments: { arg0: { name: 'Carson', email: 'carson@example.com' } } }]),
      toolCallAnswer([{ name: 'bb7_getUsers' }]),
      textAnswer('Hello Carson! You were added.'),
    );
    await host.chat.send('@mcp Is there a user named Carson? If not, add Carson carson@example.com, and say hello.');
    await host.chat.answered();
  });

  after(async () => {
    await host?.close();
    await model?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The inspector's own frame, once it has drawn. */
  async function inspector(drawn = '.window .row'): Promise<Frame> {
    const end = Date.now() + 60_000;
    while (Date.now() < end) {
      for (const frame of host.page.frames()) {
        const found = await frame
          .locator(drawn)
          .first()
          .isVisible()
          .catch(() => false);
        if (found) return frame;
      }
      await host.page.waitForTimeout(200);
    }
    throw new Error('the inspector did not appear');
  }

  it('opens by its command and shows the captured exchange, live', async () => {
    await host.workbench.runCommand('MCP Agent: Open Wire Inspector');
    const frame = await inspector();
    const texts = await frame
      .locator('.window .row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
    const told = texts.map((text) =>
      text
        .replace(/^\d+, /, '')
        .replace(/\[session[^\]]*\]/g, 'S')
        .replace(/\[redacted[^\]]*\]/g, 'R'),
    );
    assert.ok(
      told.some((text) => text.startsWith('HTTP, out, spring-ai-mcp-sample, GET, /sse?key=R, 200')),
      told.join('\n'),
    );
    assert.ok(
      told.some((text) => text.startsWith('HTTP, out, spring-ai-mcp-sample, POST, /sse?key=R, 404')),
      told.join('\n'),
    );
    const calls = told.filter((text) => text.startsWith('RPC #')).map((text) => text.split(', ').slice(0, 5).join(' '));
    assert.deepEqual(
      calls.filter((text) => !text.includes('probe')),
      [
        'RPC #1 out spring-ai-mcp-sample initialize ok',
        'RPC #2 out spring-ai-mcp-sample tools/list ok',
        'RPC #3 out spring-ai-mcp-sample getUsers tools/call',
        'RPC #4 out spring-ai-mcp-sample addUser tools/call',
        'RPC #5 out spring-ai-mcp-sample getUsers tools/call',
      ],
    );
    assert.equal(told.filter((text) => text.startsWith('Model')).length, 4);
  });

  it('details come when a row is selected, and a body opens in an editor', async () => {
    const frame = await inspector();
    await frame.locator('.row.kind-rpc', { hasText: 'addUser' }).click();
    await frame.locator('.panel', { hasText: 'carson@example.com' }).waitFor();
    await host.workbench.screenshot(join(shots(), 'inspector-list-dark.png'));
    await frame.locator('.icon-button[title="Open in Editor"]').click();
    await host.page.locator('.tabs-container .tab', { hasText: 'addUser.json' }).first().waitFor();
    await host.workbench.runCommand('View: Close Editor');
  });

  it('copies as cURL through the host, secrets as variables', async () => {
    const frame = await inspector();
    await frame.locator('.row.kind-http', { hasText: 'POST' }).first().click({ button: 'right' });
    await frame.locator('.menu-item', { hasText: 'cURL (sh)' }).click();
    await frame.locator('.unseen[role=status]', { hasText: 'Copied' }).waitFor({ state: 'attached' });
    const copied: string = await host.page.evaluate('navigator.clipboard.readText()');
    assert.match(copied, /^curl -N -X POST 'http:\/\/127\.0\.0\.1:\d+\/sse\?key='"\$MCP_SECRET_\w{4}"/);
    assert.match(copied, /"\$MCP_X_TEAM_PASS"/i);
    assertNoSecret(copied);
  });

  it('a row can be pinned, and rows that come later are added', async () => {
    const frame = await inspector();
    await frame.locator('.row.kind-rpc', { hasText: 'addUser' }).click({ button: 'right' });
    await frame.locator('.menu-item', { hasText: /^Pin$/ }).click();
    await frame.locator('.row.pinned').waitFor();
    const before = (await frame.locator('.counts').textContent()) ?? '';
    model.enqueue(textAnswer('You are welcome.'));
    await host.chat.send('@mcp Thank you.');
    await host.chat.answered();
    await frame.locator('.row.kind-model', { hasText: 'You are welcome.' }).waitFor();
    assert.notEqual(await frame.locator('.counts').textContent(), before);
  });

  it('a note is asked for, shown and taken away again', async () => {
    const frame = await inspector();
    const row = frame.locator('.row.kind-rpc', { hasText: 'addUser' });
    await choose(frame, 'Add Note…');
    await host.workbench.fillQuickInput('look at the e-mail');
    await host.page.keyboard.press('Enter');
    await row.locator('.marks', { hasText: '✎' }).waitFor();
    await row.click();
    await frame.locator('.note-banner', { hasText: 'look at the e-mail' }).waitFor();
    await choose(frame, 'Add Note…');
    await host.workbench.fillQuickInput('');
    await host.page.keyboard.press('Enter');
    await frame.locator('.note-banner').waitFor({ state: 'detached' });
  });

  it('a call is repeated only after a question that shows its arguments, and is marked', async () => {
    const frame = await inspector();
    const calls = (): number =>
      server
        .messages()
        .filter(({ method, params }) => method === 'tools/call' && /addUser/.test(JSON.stringify(params))).length;
    const before = calls();
    const dialog = host.page.locator('.monaco-dialog-box');
    await choose(frame, 'Replay Call…');
    await dialog
      .locator('.dialog-message-text', { hasText: 'Call "addUser" on "spring-ai-mcp-sample" again?' })
      .waitFor();
    assert.match(await dialog.innerText(), /"email": "carson@example\.com"/);
    await host.workbench.screenshot(join(shots(), 'inspector-replay-dark.png'));
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(calls(), before);
    await choose(frame, 'Replay Call…');
    await dialog.getByRole('button', { name: 'Call addUser' }).click();
    await frame.locator('.row.kind-rpc .marks', { hasText: 'replay' }).waitFor();
    assert.equal(calls(), before + 1);
  });

  it('a row is saved as a test fixture that holds the call and its answer', async () => {
    const frame = await inspector();
    await choose(frame, 'Save as Test Fixture…');
    const file = join(host.workspace, 'addUser.mcpwire.jsonl');
    await saveUnder('addUser.mcpwire.jsonl');
    assert.ok(await host.fileWritten(file));
    const { entries, badLines } = fromJsonLines(readFileSync(file, 'utf8'));
    assert.deepEqual(badLines, []);
    const heads = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.head.kind] : []));
    assert.deepEqual(heads, ['request', 'response']);
  });

  it('the link of a tool row selects its call, whatever hides it', async () => {
    const frame = await inspector();
    await frame.locator('.filter-input').fill('kind:model');
    await frame.locator('.row.kind-rpc').first().waitFor({ state: 'detached' });
    const answer = host.page.locator('.interactive-session .monaco-list-row.response').first();
    const steps = answer.locator('details.completed-response-disclosure:not([open]) > summary');
    if ((await steps.count()) > 0) await steps.first().click();
    const links = answer.locator('a[data-href*="openInspector"]', { hasText: 'inspect' });
    await links.nth(1).click();
    await frame.locator('.row.selected.kind-rpc', { hasText: 'addUser' }).waitFor();
    await host.workbench.screenshot(join(shots(), 'inspector-from-row-dark.png'));
  });

  it('draws the sequence and the sizes', async () => {
    const frame = await inspector();
    await frame.locator('#view-sequence').click();
    await frame.locator('.arrow-label', { hasText: 'tools/call addUser' }).first().waitFor();
    const headings = await frame.locator('.heading-phase .heading-text').allTextContents();
    assert.deepEqual(
      headings.map((text) => text.replace('spring-ai-mcp-sample', '')),
      ['Connect', 'Initialize', 'Operate'],
    );
    await host.workbench.screenshot(join(shots(), 'inspector-sequence-dark.png'));
    await frame.locator('#view-sizes').click();
    assert.equal(await frame.locator('.size-bar').count(), 5);
    await host.workbench.screenshot(join(shots(), 'inspector-sizes-dark.png'));
    await frame.locator('#view-list').click();
  });

  it('/trace draws the turn in the chat', async () => {
    await host.chat.send('@mcp /trace ');
    const turn = await host.chat.answered();
    assert.doesNotMatch(JSON.stringify(turn.parts), /"error"/);
    await host.page
      .locator(
        '.interactive-session .chat-mermaid-container, .interactive-session iframe, .interactive-session .rendered-markdown svg',
      )
      .first()
      .waitFor({ state: 'attached', timeout: 30_000 })
      .catch(() => undefined);
  });

  it('exports HAR and JSON lines without any secret, and shows a saved file as it was', async () => {
    const har = await exportAs('HAR', 'wire.har');
    const lines = await exportAs('JSON lines', 'wire.mcpwire.jsonl');
    for (const text of [har, lines]) assertNoSecret(text);
    assert.equal(fromHar(har).length, fromJsonLines(lines).entries.length);
    const frame = await inspector();
    const shown = await frame
      .locator('.window .row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
    await host.workbench.runCommand('MCP Agent: Open Wire Record');
    await openFile(join(host.workspace, 'wire.har'));
    const saved = await inspector('.file:not(:empty)');
    await saved.locator('.window .row').first().waitFor();
    const again = await saved
      .locator('.window .row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
    assert.deepEqual(again.slice(0, 10), shown.slice(0, 10));
    await host.workbench.runCommand('View: Close Editor');
  });

  it('survives a reload of the window', async () => {
    await host.reload();
    const frame = await inspector('.toolbar');
    await frame.locator('.empty .big, .window .row').first().waitFor();
  });

  /** Answers the dialog for opening with a path, once it has read the folder; an answer that comes too soon is asked for again. */
  async function openFile(file: string): Promise<void> {
    const listed = host.page.locator('.quick-input-widget .quick-input-list .monaco-list-row', { hasText: 'wire.har' });
    await listed.first().waitFor({ timeout: 60_000 });
    for (let attempt = 0; attempt < 10 && (await listed.first().isVisible()); attempt += 1) {
      await host.workbench.fillQuickInput(file);
      await host.page.waitForTimeout(2000);
      await host.page.keyboard.press('Enter');
      await listed
        .first()
        .waitFor({ state: 'hidden', timeout: 5000 })
        .catch(() => undefined);
    }
  }

  /** Saves the record with the command under the name that is offered, in the workspace, and gives its text. */
  async function exportAs(format: string, name: string): Promise<string> {
    const file = join(host.workspace, name);
    await host.workbench.runCommand('MCP Agent: Export Wire Record');
    await host.workbench.pick(format);
    await saveUnder(name);
    assert.ok(await host.fileWritten(file));
    return readFileSync(file, 'utf8');
  }

  /** Takes the name that the dialog for saving offers, in the workspace. */
  async function saveUnder(name: string): Promise<void> {
    await host.page.waitForFunction(
      `document.querySelector('.quick-input-widget input.input')?.value.endsWith(${JSON.stringify(name)})`,
      undefined,
      { polling: 100, timeout: 60_000 },
    );
    await host.page.keyboard.press('Enter');
  }

  /** Chooses from the menu of the first row that called `addUser`. */
  async function choose(frame: Frame, label: string): Promise<void> {
    await frame.locator('.row.kind-rpc', { hasText: 'addUser' }).first().click({ button: 'right' });
    await frame.locator('.menu-item', { hasText: label }).click();
  }

  function assertNoSecret(text: string): void {
    for (const secret of [PASS, QUERY_KEY])
      for (let start = 0; start + 6 <= secret.length; start += 1)
        assert.ok(!text.includes(secret.slice(start, start + 6)), `part of a secret in ${text.slice(0, 300)}`);
  }

  function shots(): string {
    return process.env['MCP_AGENT_SHOTS'] ?? folder;
  }
});
