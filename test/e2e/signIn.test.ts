import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { startGuardedServer, type GuardedServer } from '../support/guardedServer.ts';
import { describeTurns } from '../support/host/chat.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';
import { startPortProxy, type PortProxy } from '../support/portProxy.ts';
import { startOidcProvider, type RealAuthorizationServer } from '../support/oidcProvider.ts';

/** Tokens of the first part of the test live long; later ones end within the editor's margin for renewing, so at once. */
const LONG_SECONDS = 3600;
const SHORT_SECONDS = 20;

describe('a sign-in in the workbench', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-agent-sign-in-'));
  const shots = process.env['MCP_AGENT_SHOTS'] ?? folder;
  const secretKey = randomBytes(32);
  const tokens = { scopes: 'read write', seconds: LONG_SECONDS };
  /** All pages that the workbench opened, in order. */
  const opened: Page[] = [];
  let signIns: RealAuthorizationServer;
  let server: GuardedServer;
  let ports: PortProxy;
  let host: VsCodeHost;

  before(async () => {
    ports = await startPortProxy();
    signIns = await startOidcProvider(tokens);
    server = await startGuardedServer(signIns);
    host = await openHost({
      settings: { 'mcp.servers': { guarded: { type: 'http', url: server.url } } },
      // The browser reaches the ports of the extension's machine under other addresses, as in a remote window.
      env: { VSCODE_PROXY_URI: ports.template },
      // The browser's half of what encrypts the secret storage, which the package's own front gives out.
      prepare: async (page) => {
        await page.route('**/mint-key', (route) => route.fulfill({ body: secretKey }));
      },
    });
    host.page.context().on('page', (page) => void opened.push(page));
    await host.chat.open();
  });

  after(async () => {
    await host?.close();
    await server?.close();
    await signIns?.close();
    await ports?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await host.workbench.screenshot(join(shots, 'sign-in-failed.png'));
  });

  it('a server that needs one says so, with a button, and nothing opens by itself', async () => {
    await host.chat.send('@mcp /servers ');
    const turn = await host.chat.answered();
    const text = describeTurns([turn]);
    assert.match(text, /guarded — asks you to sign in .*\n+.*asks you to sign in at 127\.0\.0\.1:\d+/);
    assert.match(text, /\[Sign in to guarded\]/);
    await host.workbench.runCommand('MCP Agent: List Tools');
    await listed('asks you to sign in').waitFor();
    await host.workbench.closeQuickPick();
    await host.workbench.screenshot(join(shots, 'sign-in-needed-light.png'));
    assert.equal(opened.length, 0);
  });

  it('the button opens the page of the authorization server; consent connects the server', async () => {
    await host.chat.click('Sign in to guarded');
    const page = await nextPage(0);
    assert.equal(new URL(page.url()).origin, signIns.issuer);
    await consent(page, 'light');
    assert.match(
      ports.asked.at(-1) ?? '',
      /^\/\d+\/callback\?/,
      'the browser came back by the address that it can reach',
    );
    await connected();
    await host.workbench.runCommand('MCP Agent: List Tools');
    await listed('bb7_hello').waitFor();
    await host.workbench.closeQuickPick();
  });

  it('a tool that needs more asks for more, and works when it is granted', async () => {
    await callHello();
    const refused = describeTurns([await host.chat.answered()]);
    assert.match(refused, /asks for more permissions \(write\)/);
    assert.match(refused, /\[Sign in to guarded\]/);
    const answer = host.chat.view.locator('.monaco-list-row.response').last();
    await answer.locator('.rendered-markdown', { hasText: 'asks for more permissions (write)' }).last().waitFor();
    await answer.locator('.monaco-button', { hasText: 'Sign in to guarded' }).waitFor();
    assert.equal(server.calls(), 0);
    assert.equal(opened.length, 1, 'no page without a click');
    await host.setTheme('dark');
    await host.chat.click('Sign in to guarded');
    const page = await nextPage(1);
    assert.deepEqual(scopesAsked(), ['read offline_access', 'read offline_access write']);
    await host.workbench.screenshot(join(shots, 'sign-in-waiting-dark.png'));
    await consent(page, 'dark');
    await connected();
    await callHello();
    await host.chat.answered();
    assert.equal(server.calls(), 1);
  });

  it('a token that is refused in mid-life is renewed, and the call goes on', async () => {
    const before = server.tokens.size;
    for (const token of server.tokens) await signIns.expire(token);
    await callHello();
    await assertAnsweredBy(2);
    assert.equal(server.tokens.size, before + 1);
    assert.equal(opened.length, 2, 'nobody was asked');
  });

  it('a token that ends is renewed before it is used', async () => {
    // The next token ends so soon that each request comes with a new one.
    tokens.seconds = SHORT_SECONDS;
    for (const token of server.tokens) await signIns.expire(token);
    await callHello();
    await assertAnsweredBy(3);
    const [before, refusals] = [server.tokens.size, server.refusals.get(401)];
    await callHello();
    await assertAnsweredBy(4);
    assert.ok(server.tokens.size > before);
    assert.equal(server.refusals.get(401), refusals, 'the server had nothing to refuse');
    tokens.seconds = LONG_SECONDS;
    assert.equal(opened.length, 2, 'nobody was asked');
  });

  it('a reload of the window keeps the sign-in', async () => {
    await host.reload();
    await host.chat.open();
    await callHello();
    await assertAnsweredBy(5);
    assert.equal(opened.length, 2, 'nobody was asked');
  });

  it('no token is in a file of the editor, a log, a setting or the exported record', async () => {
    await host.workbench.runCommand('MCP Agent: Export Wire Record');
    await host.workbench.pick('HAR');
    await host.page.waitForFunction(
      `document.querySelector('.quick-input-widget input.input')?.value.endsWith('wire.har')`,
      undefined,
      { polling: 100, timeout: 60_000 },
    );
    await host.page.keyboard.press('Enter');
    const record = join(host.workspace, 'wire.har');
    assert.ok(await host.fileWritten(record));
    assert.match(readFileSync(record, 'utf8'), /redacted/);
    const base = dirname(host.workspace);
    assert.ok(server.tokens.size > 3);
    for (const file of filesUnder(base)) {
      const bytes = readFileSync(file);
      for (const token of server.tokens) assert.equal(bytes.includes(token), false, `a token is in ${file}`);
    }
    const stored: string = await host.page.evaluate('JSON.stringify({ ...localStorage })');
    assert.match(stored, /secrets\.provider/, 'the secret storage is there');
    for (const token of server.tokens) assert.equal(stored.includes(token), false, 'a token is in clear text');
    const said = host.consoleLines.join('\n');
    for (const token of server.tokens) assert.equal(said.includes(token), false, 'a token is on the console');
  });

  it('signing out ends the tokens, here and there, and the server asks for a sign-in again', async () => {
    await host.workbench.runCommand('MCP Agent: Sign Out');
    await host.workbench.pick('guarded');
    await host.chat.startNew();
    await untilText('@mcp /servers ', /asks you to sign in/);
    for (const token of server.tokens) assert.equal(await signIns.check(token), undefined);
    assert.equal(opened.length, 2, 'nothing opens by itself');
    await host.workbench.screenshot(join(shots, 'signed-out-dark.png'));
  });

  it('a person who refuses is told, and may try again', async () => {
    await host.workbench.runCommand('MCP Agent: Sign In');
    await host.workbench.pick('guarded');
    const page = await nextPage(2);
    await page.locator('a[href*="/abort"]').first().click();
    await page.locator('[role=status]', { hasText: 'was not completed' }).waitFor();
    await page.close();
    await host.workbench.runCommand('Notifications: Show Notifications');
    await host.page
      .locator('.notifications-center .notification-list-item-message', { hasText: 'Signing in failed' })
      .waitFor();
    await host.workbench.screenshot(join(shots, 'sign-in-refused-dark.png'));
    await host.page.locator('.notifications-center .codicon-notifications-hide').click();
    await host.chat.send('@mcp /servers ');
    assert.match(describeTurns([await host.chat.answered()]), /\[Sign in to guarded\]/);
  });

  /** What each page of the authorization server was asked for. */
  function scopesAsked(): readonly (string | null)[] {
    const urls = ports.asked.map((path) => new URL(path, 'http://127.0.0.1'));
    return urls.flatMap(({ pathname, searchParams }) =>
      /^\/\d+\/auth$/.test(pathname) ? [searchParams.get('scope')] : [],
    );
  }

  /** The page with this number among those that the workbench opened. */
  async function nextPage(number: number): Promise<Page> {
    for (const end = Date.now() + 60_000; Date.now() < end; await host.page.waitForTimeout(100)) {
      const page = opened[number];
      if (page === undefined) continue;
      await page.waitForURL(/\/interaction\//);
      return page;
    }
    await host.workbench.screenshot(join(shots, 'no-page.png'));
    throw new Error('no page was opened');
  }

  /** Logs in where that is asked, consents, and waits for the page that says it is done. */
  async function consent(page: Page, theme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme: theme });
    const done = page.locator('[role=status]', { hasText: 'You are signed in. You can close this page.' });
    const login = page.locator('input[name=login]');
    const submit = page.locator('button[type=submit]');
    await submit.or(done).first().waitFor();
    if (await login.isVisible()) {
      await login.fill('ada');
      await page.locator('input[name=password]').fill('secret');
      await submit.click();
    }
    await page.locator('input[name=prompt][value=consent]').or(done).first().waitFor({ state: 'attached' });
    if (!(await done.isVisible())) await submit.click();
    await done.waitFor();
    await page.screenshot({ path: join(shots, `signed-in-page-${theme}.png`) });
    await page.close();
  }

  /** Waits until the server is ready. */
  function connected(): Promise<void> {
    return untilText('@mcp /servers ', /guarded — 1 tool/);
  }

  /** Asks until the answer has these words. */
  async function untilText(message: string, wanted: RegExp): Promise<void> {
    let text = '';
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await host.chat.send(message);
      text = describeTurns([await host.chat.answered()]);
      if (wanted.test(text)) return;
      await host.page.waitForTimeout(500);
    }
    assert.fail(text);
  }

  async function callHello(): Promise<void> {
    await host.chat.startNew();
    await host.chat.send('@mcp call the tool hello');
    await host.chat.card('hello');
    await host.chat.answerCard('Allow Once');
  }

  async function assertAnsweredBy(calls: number): Promise<void> {
    const turn = await host.chat.answered();
    assert.equal(server.calls(), calls, describeTurns([turn]));
    assert.ok(
      turn.parts.some((part) => part.kind === 'tool' && part.state === 'done'),
      describeTurns([turn]),
    );
  }

  /** A row of the open list. */
  function listed(text: string): Locator {
    return host.page.locator('.quick-input-widget .quick-input-list .monaco-list-row', { hasText: text }).first();
  }
});

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => existsSync(file) && statSync(file).isFile());
}
