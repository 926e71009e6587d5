import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import type { InspectorView } from '../../src/wire/inspectorProtocol.ts';
import { launchBrowser } from '../support/host/browser.ts';
import type { ThemeName } from '../support/host/workbench.ts';
import {
  openInspectorPage,
  type InspectorPage,
  type InspectorPageOptions,
} from '../support/inspector/inspectorPage.ts';
import { recordedConversation } from '../support/wire/recordedConversation.ts';

const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const themes: readonly ThemeName[] = ['light', 'dark', 'hc-dark', 'hc-light'];
const views: readonly InspectorView[] = ['list', 'sequence', 'sizes'];

describe("the accessibility of the inspector's page", function () {
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
    opened = await openInspectorPage(browser, { entries: recordedConversation(), ...options });
    return opened;
  }

  for (const theme of themes) {
    for (const view of views) {
      it(`axe finds nothing in the ${view} in the theme ${theme}`, async () => {
        const inspector = await open({ theme, state: { view, tab: view === 'list' ? 'body' : 'overview' } });
        await inspector.page
          .locator(view === 'list' ? '.row.kind-rpc' : view === 'sequence' ? '.arrow-label' : '.size-bar')
          .first()
          .waitFor();
        const chosen = view === 'list' ? '.row.kind-model' : view === 'sequence' ? '.arrow-label.fault' : '.size-bar';
        await inspector.page.locator(chosen).first().click();
        await inspector.page.locator('.panel .json, .panel .facts').first().waitFor();
        assert.deepEqual(await violations(inspector), []);
      });
    }
  }

  it('axe finds nothing in any tab of the details', async () => {
    const inspector = await open({ theme: 'dark' });
    await inspector.page.locator('.row.kind-model').nth(1).click();
    await inspector.page.locator('.tab').first().waitFor();
    for (const tab of await inspector.page.locator('.tab').all()) {
      await tab.click();
      assert.deepEqual(await violations(inspector), [], (await tab.textContent()) ?? '');
    }
  });

  it('axe finds nothing in the open menu and in the suggestions of the filter', async () => {
    const inspector = await open();
    await inspector.page.locator('.row.kind-rpc').first().click({ button: 'right' });
    await inspector.page.locator('.menu-item').first().waitFor();
    assert.deepEqual(await violations(inspector), []);
    await inspector.page.keyboard.press('Escape');
    await inspector.page.keyboard.press('/');
    await inspector.page.locator('.offer').first().waitFor();
    assert.deepEqual(await violations(inspector), []);
  });

  async function violations({ page }: InspectorPage): Promise<string[]> {
    await page.evaluate(axeSource);
    const found: { id: string; nodes: { html: string; failureSummary?: string }[] }[] = await page.evaluate(
      'axe.run(document, { rules: { "page-has-heading-one": { enabled: false } } }).then(({ violations }) => violations)',
    );
    return found.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ''}`).join('\n')}`,
    );
  }
});
