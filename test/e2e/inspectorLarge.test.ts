import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/host/browser.ts';
import { openInspectorPage, type InspectorPage } from '../support/inspector/inspectorPage.ts';

/**
 * Makes rows in the page and tells them to it as the host does, the newest first, one message after another: to send so many through the
 * test would take minutes.
 */
const tellRows = (count: number): string => `(async () => {
  const row = (number) => ({
    key: 'r' + number, number, kind: ['http', 'rpc', 'model', 'note'][number % 4], direction: 'out', connection: 'c',
    server: 'demo', peer: 'mcp', at: 1745652796000 + number, end: 1745652796003 + number, what: 'tools/call echo ' + number,
    method: 'tools/call', state: number % 50 ? 'ok' : 'error', status: 'ok', up: 90, down: 120, links: [],
  });
  const session = { file: '', recording: false, bytes: 1, live: true };
  const numbers = (from, to) => Array.from({ length: to - from }, (_, index) => row(from + index + 1));
  const first = numbers(${count} - 1000, ${count});
  window.told = performance.now();
  window.postMessage({ kind: 'start', session, rows: first }, '*');
  for (let end = ${count} - 1000; end > 0; end -= 20000) {
    await new Promise((resolve) => setTimeout(resolve));
    window.postMessage({ kind: 'rows', changed: numbers(Math.max(0, end - 20000), end), removed: [], bytes: 1 }, '*');
  }
})()`;

describe("the inspector's page with 100,000 rows", function () {
  this.timeout(120_000);
  let browser: Browser;
  let opened: InspectorPage | undefined;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(async () => {
    const { faults = [] } = opened ?? {};
    await opened?.close();
    opened = undefined;
    assert.deepEqual(faults, []);
  });

  async function open(count = 100_000): Promise<InspectorPage> {
    await opened?.close();
    opened = await openInspectorPage(browser, { entries: [] });
    await opened.page.evaluate(tellRows(count));
    const text = count.toLocaleString('en-US');
    await opened.page.locator('.counts', { hasText: text }).waitFor({ timeout: 60_000 });
    return opened;
  }

  it('keeps few rows in the document, and scrolls at the cost of 2,000 rows', async () => {
    const inspector = await open();
    const { page } = inspector;
    assert.ok((await page.locator('.window .row').count()) < 80);
    assert.equal(await page.locator('.grid').getAttribute('aria-rowcount'), '100001');
    const many = await costOfScrolling(inspector, 150);
    const few = await costOfScrolling(await open(2000), 150);
    assert.ok(
      many < 2 * few,
      `a frame takes ${many.toFixed(1)} ms of the page's thread, with few rows ${few.toFixed(1)} ms`,
    );
  });

  it('draws the newest rows at once, before the older ones have come', async () => {
    opened = await openInspectorPage(browser, { entries: [] });
    const { page } = opened;
    const drawn: { first: number; all: number; text: string } = await page.evaluate(`(async () => {
      const until = async (isSo) => {
        while (!isSo()) await new Promise(requestAnimationFrame);
        return Math.round(performance.now() - window.told);
      };
      const counts = () => document.querySelector('.counts').textContent;
      void ${tellRows(100_000)};
      const first = await until(() => document.querySelector('.window .row') !== null);
      const text = document.querySelector('.window .row').ariaLabel;
      return { first, text, all: await until(() => counts().includes('100,000')) };
    })()`);
    const paint: number = await page.evaluate(
      'Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0)',
    );
    console.log(
      `      first rows of 100,000 drawn after ${drawn.first} ms, all known after ${drawn.all} ms; the page itself painted ${paint} ms after it was opened`,
    );
    assert.ok(drawn.first <= drawn.all);
    assert.match(drawn.text, /^(99\d{3}|100000), .*tools\/call echo/);
  });

  it('End goes to the last row', async () => {
    const { page } = await open();
    await page.locator('.grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    await page.locator('.row.selected').waitFor();
    assert.match((await page.locator('.row.selected').getAttribute('aria-label')) ?? '', /^100000, /);
  });

  /** CPU milliseconds of the page's main thread for each frame, while the grid scrolls by some 200 rows a frame. */
  async function costOfScrolling({ page }: InspectorPage, frames: number): Promise<number> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
    };
    const before = await busy();
    await page.evaluate(`new Promise((resolve) => {
      const grid = document.querySelector('.grid');
      let left = ${frames};
      const step = () => {
        grid.scrollTop = (left * 4800) % (grid.scrollHeight - grid.clientHeight);
        left -= 1;
        if (left > 0) requestAnimationFrame(step);
        else resolve(undefined);
      };
      requestAnimationFrame(step);
    })`);
    return ((await busy()) - before) / frames;
  }
});
