import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator } from 'playwright-core';
import { isRecord, type JsonObject } from '../../src/base/json.ts';
import { describeTurns } from '../support/host/chat.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';
import { appearLimitMs, type ThemeName } from '../support/host/workbench.ts';
import { png } from '../support/images.ts';
import { startSseServer, type SseServer } from '../support/sseServer.ts';

const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Set to a folder to have pictures of the view in every theme. */
const pictures = process.env['MCP_AGENT_PICTURES'];

const noArguments = { type: 'object', properties: {} };
const hostileName = '[quit](command:workbench.action.quit) $(error) <b>x</b>\u202Egnp';

/** What the good server has besides tools. */
function offers(message: JsonObject): { result: unknown } | undefined {
  const params = isRecord(message['params']) ? message['params'] : {};
  switch (message['method']) {
    case 'prompts/list':
      return { result: { prompts: [{ name: 'review', title: 'Review the users', description: 'Looks for doubles' }] } };
    case 'prompts/get':
      return { result: { messages: [{ role: 'user', content: { type: 'text', text: 'list users' } }] } };
    case 'resources/list':
      return {
        result: {
          resources: [
            { uri: 'users://all', name: 'All users', mimeType: 'application/json' },
            { uri: 'users://photo', name: 'A photo', mimeType: 'image/png' },
          ],
        },
      };
    case 'resources/templates/list':
      return { result: { resourceTemplates: [{ uriTemplate: 'users://{id}', name: 'One user' }] } };
    case 'resources/read': {
      const { uri } = params;
      const content = uri === 'users://photo' ? { mimeType: 'image/png', blob: png } : { text: '{ "users": ["Ada"] }' };
      return {
        result: { contents: [{ uri, ...(uri === 'users://all' && { mimeType: 'application/json' }), ...content }] },
      };
    }
    default:
      return undefined;
  }
}

/** What an extension decides of a view; the rest of its markup is the editor's. */
const ownRules = [
  'aria-treeitem-name',
  'aria-toggle-field-name',
  'aria-command-name',
  'button-name',
  'image-alt',
  'label',
  'link-name',
];

/** The row of a server that has both of its tools on. */
const allTools = /good\s*2 tools/;

/** How often a server was asked with this method. */
function count(server: SseServer, wanted: string): number {
  return server.messages.filter(({ method }) => method === wanted).length;
}

describe('the servers view in the workbench', function () {
  this.timeout(240_000);
  let good: SseServer;
  let locked: SseServer;
  let host: VsCodeHost;

  before(async () => {
    good = await startSseServer({
      capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} },
      instructions: 'Ask for users by name.\n# [quit](command:workbench.action.quit)',
      tools: [
        { name: 'listUsers', title: 'All users', description: 'List the users', inputSchema: noArguments },
        { name: 'addUser', description: 'Add a user', inputSchema: noArguments },
      ],
      reply: async (message) => offers(message),
    });
    locked = await startSseServer({
      intercept: (request, response) => {
        if (request.url.includes('.well-known')) response.writeHead(404).end();
        else response.writeHead(401, { 'WWW-Authenticate': 'Bearer realm="users"' }).end('no');
        return true;
      },
    });
    host = await openHost({
      settings: {
        'mcp.servers': {
          good: { type: 'sse', url: good.url },
          dead: { type: 'sse', url: 'http://127.0.0.1:9/sse' },
          locked: { type: 'sse', url: locked.url },
          [hostileName]: { type: 'sse', url: good.url, disabled: true },
          bad: { type: 'sse', url: 'not a url' },
        } satisfies JsonObject,
      },
    });
  });

  after(async () => {
    await host?.close();
    await good?.close();
    await locked?.close();
  });

  const picture = async (name: string): Promise<void> => {
    if (pictures === undefined) return;
    await host.page.waitForTimeout(500);
    await host.workbench.screenshot(`${pictures}/${name}.png`);
  };

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await picture(`failed-${this.currentTest.title.slice(0, 30)}`);
  });

  const pane = (): Locator => host.page.locator('.pane', { has: host.page.locator('[aria-label^="Servers"]') }).first();
  const row = (text: string | RegExp): Locator => pane().locator('.monaco-list-row', { hasText: text }).first();
  const status = (): Locator => host.page.locator('.statusbar-item', { hasText: /MCP \d/ }).first();
  /** Points at a row and clicks one of the buttons that appear there. */
  const press = async (text: string | RegExp, button: string): Promise<void> => {
    await row(text).hover({ timeout: appearLimitMs });
    await row(text).locator(`.action-label[aria-label="${button}"]`).click({ timeout: appearLimitMs });
  };
  const shows = (text: string | RegExp, words: string | RegExp): Promise<void> =>
    row(text).filter({ hasText: words }).waitFor({ timeout: appearLimitMs });

  /** Opens the view where another stands in its place. */
  const open = (): Promise<void> => host.workbench.runCommand('MCP Agent: Focus on Servers View');
  const expand = async (text: string): Promise<void> => {
    await row(text).waitFor({ timeout: appearLimitMs });
    if ((await row(text).getAttribute('aria-expanded')) !== 'true') await row(text).click();
  };
  /** Waits until the row that a screen reader would read has these words. */
  const focused = async (words: RegExp): Promise<void> => {
    const focus = pane().locator('.monaco-list-row.focused');
    for (const end = Date.now() + appearLimitMs; !words.test((await focus.getAttribute('aria-label')) ?? '');) {
      if (Date.now() > end) assert.match((await focus.getAttribute('aria-label')) ?? '', words);
      await host.page.waitForTimeout(50);
    }
  };

  /** Opens the menu of the focused row and goes to one of its entries, all by keyboard. */
  const chooseInMenu = async (entry: string, name?: string): Promise<void> => {
    const { keyboard } = host.page;
    await keyboard.press('Shift+F10');
    const menu = host.page.locator('.monaco-menu').last();
    await menu.waitFor({ timeout: appearLimitMs });
    if (name !== undefined) await picture(name);
    const focus = menu.locator('.action-item.focused', { hasText: entry });
    for (let presses = 0; (await focus.count()) === 0; presses += 1) {
      assert(presses < 20, `the menu has no ${entry}: ${await menu.innerText()}`);
      await keyboard.press('ArrowDown');
    }
    await keyboard.press('Enter');
    await menu.waitFor({ state: 'hidden', timeout: appearLimitMs });
  };

  it('the item in the status bar tells of the servers before any is started, and opens the view', async () => {
    await status().filter({ hasText: 'MCP 0/3' }).waitFor({ timeout: appearLimitMs });
    assert.equal(count(good, 'initialize'), 0);
    await status().click();
    await shows('good', allTools);
    await shows('good', 'user settings');
    await shows('dead', 'failed');
    await status().filter({ hasText: 'MCP 1/3' }).waitFor({ timeout: appearLimitMs });
    assert.match((await status().getAttribute('class')) ?? '', /error-kind/);
    const badge = host.page.locator('.activitybar .action-item .badge-content', { hasText: /^3$/ });
    await badge.first().waitFor({ timeout: appearLimitMs });
    await picture('view');
  });

  it('a server that is down says why, and its log is one click away', async () => {
    await shows('dead', /127\.0\.0\.1:9/);
    await expand('dead');
    await pane().locator('.monaco-list-row[aria-level="2"]', { hasText: '127.0.0.1:9' }).first().click();
    await host.page.locator('.part.panel', { hasText: 'MCP Agent: dead' }).first().waitFor({ timeout: appearLimitMs });
    await host.page.keyboard.press('ControlOrMeta+J');
    await host.page.locator('.part.panel').first().waitFor({ state: 'hidden', timeout: appearLimitMs });
  });

  it('tools stand below their server with what they cost, and are switched by their boxes', async () => {
    await expand('good');
    await shows('listUsers', /All users · ~\d+ tokens/);
    await row('listUsers').locator('.monaco-custom-toggle, .custom-view-tree-node-item-checkbox').first().click();
    await shows('good', '1 of 2 tools');
    await host.chat.open();
    await host.chat.send('@mcp /tools ');
    const text = describeTurns([await host.chat.answered()]);
    assert.match(text, /bb7_listUsers \(off/);
    await row('listUsers').locator('.monaco-custom-toggle, .custom-view-tree-node-item-checkbox').first().click();
    await shows('good', allTools);
    await row('listUsers').locator('.label-name').first().click();
    assert.match(await host.workbench.activeEditor(), /listUsers/);
  });

  it('prompts and resources are used from the view', async () => {
    await expand('Resources');
    await shows('users://all', 'All users');
    await row('users://all').click();
    await host.page.locator('.tab.active', { hasText: 'all.json' }).waitFor({ timeout: appearLimitMs });
    assert.match(await host.workbench.activeEditorText(), /"Ada"/);
    await row('A photo').click();
    await host.page.locator('.tab.active', { hasText: 'photo.png' }).waitFor({ timeout: appearLimitMs });
    await host.chat.startNew();
    await press('users://all', 'Attach to the Chat');
    assert.match(describeTurns([await host.chat.answered()]), /users:\/\/all/);
    await expand('Prompts');
    await host.chat.startNew();
    await press('Review the users', 'Use Prompt in the Chat');
    await host.chat.card('listUsers');
    await host.chat.answerCard('Skip');
    assert.match(describeTurns([await host.chat.answered()]), /review/);
    await picture('offers');
  });

  it('a server that is stopped stays so in the next window, until it is started', async () => {
    await press('good', 'Stop');
    await shows('good', 'stopped');
    await status().filter({ hasText: 'MCP 0/2' }).waitFor({ timeout: appearLimitMs });
    const initialized = count(good, 'initialize');
    await host.reload();
    await status().filter({ hasText: 'MCP 0/2' }).waitFor({ timeout: appearLimitMs });
    await open();
    await shows('good', 'stopped');
    await shows('dead', 'failed');
    assert.equal(count(good, 'initialize'), initialized);
    await press('good', 'Start');
    await shows('good', allTools);
  });

  it('all of it works by keyboard', async () => {
    const { keyboard } = host.page;
    await host.workbench.runCommand('MCP Agent: Focus on Servers View');
    await keyboard.press('Home');
    await keyboard.press('ArrowLeft');
    await focused(/server, good/);
    await keyboard.press('ArrowRight');
    await row('listUsers').waitFor({ timeout: appearLimitMs });
    await keyboard.press('ArrowDown');
    await focused(/Tools/);
    await keyboard.press('ArrowDown');
    await focused(/listUsers/);
    await chooseInMenu('Leave Out');
    await shows('good', '1 of 2 tools');
    await focused(/listUsers/);
    await chooseInMenu('Offer to Models');
    await shows('good', allTools);
    await keyboard.press('Home');
    await focused(/server, good/);
    await chooseInMenu('Restart', 'menu');
    await shows('good', allTools);
    await host.workbench.runCommand('MCP Agent: Stop Server');
    await host.workbench.pick('good');
    await shows('good', 'stopped');
    await host.workbench.runCommand('MCP Agent: Start Server');
    await host.workbench.pick('good');
    await shows('good', allTools);
  });

  for (const theme of ['light', 'dark', 'hc-dark', 'hc-light'] as const satisfies readonly ThemeName[]) {
    it(`axe finds nothing in the view in the theme ${theme}`, async () => {
      await host.setTheme(theme);
      await open();
      await shows('good', allTools);
      await picture(`view-${theme}`);
      await host.page.evaluate(axeSource);
      const found = await host.page.evaluate(
        `axe.run(document.querySelector('.pane .customview-tree'), { runOnly: { type: 'rule', values: ${JSON.stringify(ownRules)} } }).then(({ violations, passes }) => ({ passed: passes.length, faults: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 300))) }))`,
      );
      assert(isRecord(found) && Number(found['passed']) > 0, 'no rule applied');
      assert.deepEqual(found['faults'], []);
    });
  }

  it('a view without servers says how to begin', async () => {
    await host.changeSettings({ 'mcp.servers': {} });
    await open();
    const welcome = pane().locator('.welcome-view-content');
    await welcome.waitFor({ timeout: appearLimitMs });
    for (const button of ['Add Server', 'Import Servers', 'Set Up a Model'])
      await welcome.getByRole('button', { name: button }).waitFor({ timeout: appearLimitMs });
    await status().waitFor({ state: 'hidden', timeout: appearLimitMs });
    await picture('welcome');
    await welcome.getByRole('button', { name: 'Set Up a Model' }).click();
    assert.match((await host.workbench.quickPick()).map(({ label }) => label).join(), /Look for Models/);
    await host.workbench.closeQuickPick();
  });
});
