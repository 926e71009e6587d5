import assert from 'node:assert/strict';

import type { Browser } from 'playwright-core';

import { launchBrowser } from '../support/host/browser.ts';
import {
  openInspectorPage,
  type InspectorPage,
  type InspectorPageOptions,
} from '../support/inspector/inspectorPage.ts';
import { manyCalls } from '../support/inspector/records.ts';

const many = manyCalls(25_000);

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

  async function open(options: Partial<InspectorPageOptions> = {}): Promise<InspectorPage> {
    opened = await openInspectorPage(browser, { entries: many, ...options });
    return opened;
  }

  it('draws at once, keeps few rows in the document and scrolls without dropping frames', async () => {
    const started = performance.now();
    const inspector = await open();
    const { page } = inspector;
    await page.locator('.counts', { hasText: '100,000' }).waitFor();
    const loaded = performance.now() - started;
    const painted: number = await page.evaluate(
      'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0',
    );
    assert.ok(painted > 0 && painted < 1000, `first paint after ${painted} ms`);
    assert.ok(loaded < 60_000);
    assert.ok((await page.locator('.window .row').count()) < 80);
    assert.equal(await page.locator('.grid').getAttribute('aria-rowcount'), '100001');
    const frames = await scrollThrough(inspector);
    const sorted = [...frames].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    assert.ok(median < 20, `half of the frames took longer than ${median.toFixed(1)} ms`);
  });

  it('End goes to the last row', async () => {
    const inspector = await open();
    const { page } = inspector;
    await page.locator('.counts', { hasText: '100,000' }).waitFor();
    await page.locator('.grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    await page.locator('.row.selected').waitFor();
    assert.match((await page.locator('.row.selected').getAttribute('aria-label')) ?? '', /^100000, /);
  });

  /** Times of frames while the grid scrolls from its start by some 200 rows a frame, in milliseconds. */
  function scrollThrough({ page }: InspectorPage): Promise<number[]> {
    return page.evaluate(`new Promise((resolve) => {
      const grid = document.querySelector('.grid');
      const times = [];
      let last = performance.now();
      grid.scrollTop = 0;
      const step = (now) => {
        times.push(now - last);
        last = now;
        grid.scrollTop += 4800;
        if (times.length < 240) requestAnimationFrame(step);
        else resolve(times.slice(5));
      };
      requestAnimationFrame(step);
    })`);
  }
});
