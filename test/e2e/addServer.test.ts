import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeTurns } from '../support/host/chat.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';
import { appearLimitMs } from '../support/host/workbench.ts';
import { nodeCommand } from '../support/peerProcess.ts';
import { startUsersServer, type UsersServer } from '../support/usersServer.ts';

const program = join(import.meta.dirname, '../support/stdioServer.mjs');
const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
/** Where pictures of the steps go; nowhere by default. */
const pictures = process.env['MCP_AGENT_PICTURES'];

describe('adding servers in the workbench', function () {
  this.timeout(300_000);
  let users: UsersServer;
  let host: VsCodeHost;
  let home: string;

  before(async () => {
    users = await startUsersServer();
    home = mkdtempSync(join(tmpdir(), 'mcp-agent-home-'));
    host = await openHost({
      env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), GHOST: 'x' },
      files: { '.vscode/settings.json': '{\n  // keep me\n  "editor.tabSize": 3, // and me\n}\n' },
    });
  });

  before(async () => {
    // The palette has the commands of extensions a moment after the window.
    await host.chat.open();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await picture(`failed-${this.currentTest.title.slice(0, 20)}`);
    await host.page.keyboard.press('Escape');
  });

  after(async () => {
    await host?.close();
    await users?.close();
    rmSync(home, { recursive: true, force: true });
  });

  const settings = (): string => readFileSync(host.settingsFile, 'utf8');

  async function picture(name: string): Promise<void> {
    if (pictures !== undefined) await host.workbench.screenshot(join(pictures, `${name}.png`));
  }

  /** Waits for a notification that waits in the centre, and closes the centre again. */
  async function told(text: string): Promise<string> {
    const center = host.page.locator('.notifications-center');
    const item = center.locator('.notification-list-item-message', { hasText: text }).first();
    for (const end = Date.now() + appearLimitMs; ;) {
      await host.workbench.runCommand('Notifications: Show Notifications');
      await item.waitFor({ timeout: 5000 }).catch(() => undefined);
      if ((await item.count()) > 0) break;
      if (Date.now() > end) throw new Error(`No notification "${text}": ${(await center.allInnerTexts()).join()}`);
    }
    const message = await item.innerText();
    await host.workbench.runCommand('Notifications: Clear All Notifications');
    return message;
  }

  async function enter(text?: string): Promise<void> {
    if (text !== undefined) await host.workbench.fillQuickInput(text);
    await host.page.keyboard.press('Enter');
  }

  /** Waits until the open quick input has this title. */
  async function step(title: string): Promise<void> {
    await host.page
      .locator('.quick-input-widget .quick-input-title', { hasText: title })
      .waitFor({ timeout: appearLimitMs });
  }

  it('a URL is looked at, shown and written, and the server runs', async () => {
    await host.workbench.runCommand('MCP Agent: Add Server');
    await step('Add MCP Server');
    await picture('add-paste');
    await enter(users.url);
    await step('Name of the Server');
    assert.match(await host.page.locator('.quick-input-widget').innerText(), /HTTP\+SSE/);
    await enter('users');
    await step('Write users into which settings?');
    const preview = await host.workbench.activeEditorText();
    assert.match(preview, /"users": \{\s*"type": "sse",\s*"url": "http:\/\/127\.0\.0\.1:\d+\/sse"/);
    await picture('add-preview');
    await host.workbench.pick('User Settings');
    assert.match(await told('users is ready'), /users is ready: 2 tools\./);
    assert.match(settings(), /"mcp\.servers": \{\s*"users": \{\s*"type": "sse"/);
    assert.match(await host.workbench.activeEditor(), /settings\.json/);
    await picture('add-done');
  });

  it('an address that nothing answers at can be corrected', async () => {
    await host.workbench.runCommand('MCP Agent: Add Server');
    await step('Add MCP Server');
    await enter('http://127.0.0.1:9/sse');
    await step('was not reached');
    const [first] = await host.workbench.quickPick();
    assert.match(first?.detail ?? '', /127\.0\.0\.1:9/);
    await host.workbench.pick('Correct the address');
    await step('Add MCP Server');
    assert.equal(await host.workbench.quickInput().inputValue(), 'http://127.0.0.1:9/sse');
    await enter('{"mcpServers": {');
    await host.page.locator('.quick-input-widget', { hasText: 'broken' }).waitFor();
    await host.workbench.quickInput().press('Escape');
    await host.workbench.quickInput().waitFor({ state: 'hidden' });
  });

  it('JSON of a README is written into the folder, its secret into no file, comments stay', async () => {
    const entry = { command: nodeCommand, args: [program], env: { API_TOKEN: secret } };
    await host.workbench.runCommand('MCP Agent: Add Server');
    await step('Add MCP Server');
    await enter(JSON.stringify({ mcpServers: { readme: entry } }));
    await step('Name of the Server');
    await enter();
    await step('Write readme into which settings?');
    assert.doesNotMatch(await host.workbench.activeEditorText(), /ghp_/);
    await host.workbench.pick('Settings of the Folder');
    const file = join(host.workspace, '.vscode', 'settings.json');
    for (const end = Date.now() + appearLimitMs; !readFileSync(file, 'utf8').includes('readme');) {
      assert(Date.now() < end, readFileSync(file, 'utf8'));
      await host.page.waitForTimeout(100);
    }
    const text = readFileSync(file, 'utf8');
    assert.match(text, /\/\/ keep me\n {2}"editor\.tabSize": 3, \/\/ and me/);
    assert.match(text, /"API_TOKEN": "\$\{input:readme-api-token\}"/);
    assert.match(text, /"id": "readme-api-token"/);
    assert.doesNotMatch(text, /ghp_/);
    const start = host.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Start', exact: true });
    await start.click({ timeout: appearLimitMs });
    assert.match(await told('readme is ready'), /readme is ready: \d+ tool/);
  });

  it('servers of another product are imported after a look at them', async () => {
    const file = join(home, '.cursor', 'mcp.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ mcpServers: { fromcursor: { command: nodeCommand, args: [program] } } }));
    await host.workbench.runCommand('MCP Agent: Import Servers');
    await step('Import which servers?');
    const rows = await host.workbench.quickPick();
    const row = rows.find(({ label }) => label === 'fromcursor');
    assert.match(row?.detail ?? '', /^Cursor: .*\.cursor\/mcp\.json$/);
    await picture('import');
    await enter();
    await step('Write fromcursor into which settings?');
    await host.workbench.pick('User Settings');
    assert.match(await told('fromcursor is ready'), /fromcursor is ready/);
    assert.match(settings(), /"fromcursor": \{/);
  });

  it('a link shows all that it brings, invisible signs too, and asks first', async () => {
    const config = JSON.stringify({ command: 'node', args: ['-e', 'x\u202Ey', 'z'.repeat(300)] });
    await openLink(`add?name=linked&config=${encodeURIComponent(config)}`);
    const dialog = host.page.locator('.monaco-dialog-box', { hasText: 'A link asks to add' });
    await dialog.waitFor({ timeout: appearLimitMs });
    const text = await dialog.innerText();
    assert.match(text, /x<U\+202E>y/);
    assert(text.includes('z'.repeat(300)), 'it is shown whole');
    await picture('link');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.doesNotMatch(settings(), /linked/);
    await openLink('add?name=linked');
    assert.match(await told('adds no MCP server'), /needs "url", "command" or "config"/);
    await openLink(`add?name=linked&url=${encodeURIComponent(users.url)}`);
    await dialog.getByRole('button', { name: 'Continue' }).click({ timeout: appearLimitMs });
    await step('Write linked into which settings?');
    await host.workbench.pick('User Settings');
    assert.match(await told('linked is ready'), /2 tools/);
  });

  async function openLink(rest: string): Promise<void> {
    await host.workbench.runCommand('Developer: Open URL');
    await enter(`vscode://mcp-agent.mcp-agent/${rest}`);
    const allow = host.page.locator('.monaco-dialog-box', { hasText: 'extension to open this URI' });
    await allow.getByRole('button', { name: 'Open' }).click({ timeout: appearLimitMs });
    await allow.waitFor({ state: 'hidden' });
  }

  it('the walkthrough leads from the demo server to the wire', async () => {
    await host.workbench.runCommand('Welcome: Open Walkthrough...');
    await host.workbench.pick('Get Started with MCP Agent');
    const page = host.page.locator('.gettingStartedContainer');
    await page.locator('.getting-started-step', { hasText: 'Add a server' }).waitFor({ timeout: appearLimitMs });
    await page
      .getByRole('button', { name: 'Add Demo Server' })
      .or(page.locator('a', { hasText: 'Add Demo Server' }))
      .first()
      .click();
    assert.match(await told('demo is ready'), /demo is ready: 3 tools\./);
    assert.match(settings(), /"demo": \{\s*"command": "mcp-agent:demo"/);
    await host.workbench.runCommand('Welcome: Open Walkthrough...');
    await host.workbench.pick('Get Started with MCP Agent');
    const done = page.locator('.getting-started-step .codicon-getting-started-step-checked').first();
    await done.waitFor({ state: 'attached', timeout: appearLimitMs });
    await picture('walkthrough');
    await host.workbench.runCommand('MCP Agent: Ask @mcp in Chat');
    await host.chat.modelReady();
    await host.chat.submit();
    await host.chat.card('addUser');
    await picture('walkthrough-ask');
    await host.chat.answerCard('Allow Once');
    assert.match(describeTurns([await host.chat.answered()]), /carson@example\.com/i);
  });
});
