import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { toHar } from '../../src/wire/har.ts';
import { launchBrowser } from '../support/host/browser.ts';
import { recordedConversation } from '../support/wire/recordedConversation.ts';

/** The DevTools that come with the browser, as a page of their own. */
const DEV_TOOLS = 'devtools://devtools/bundled/devtools_app.html?panel=network';

describe("an exported HAR in the browser's DevTools", function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-agent-har-'));
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function openNetworkPanel(): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
    await page.goto(DEV_TOOLS, { waitUntil: 'commit', timeout: 60_000 });
    await page.getByRole('button', { name: /Import HAR/ }).waitFor({ timeout: 90_000 });
    return page;
  }

  it('loads: every exchange with its method, status and size', async () => {
    const file = join(folder, 'wire.har');
    writeFileSync(file, toHar(recordedConversation(), { version: '0.1.0' }));
    const page = await openNetworkPanel();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser', { timeout: 60_000 }),
      page.getByRole('button', { name: /Import HAR/ }).click(),
    ]);
    await chooser.setFiles(file);
    const exchanges = recordedConversation().filter(({ kind }) => kind === 'http-request');
    await page.getByText(`${exchanges.length} requests`).first().waitFor({ timeout: 60_000 });
    const rows = await page.getByRole('row').allInnerTexts();
    const told = rows.join('\n');
    assert.match(told, /sse[\s\S]*404/);
    assert.match(told, /completions[\s\S]*200/);
    if (process.env['MCP_AGENT_SHOTS'])
      await page.screenshot({ path: join(process.env['MCP_AGENT_SHOTS'], 'devtools-har.png') });
  });
});
