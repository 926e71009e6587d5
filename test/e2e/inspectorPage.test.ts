import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { inspectorStrings, type InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import { launchBrowser } from '../support/host/browser.ts';
import {
  openInspectorPage,
  type InspectorPage,
  type InspectorPageOptions,
} from '../support/inspector/inspectorPage.ts';
import { brokenStreams, hostileRecord } from '../support/inspector/records.ts';
import { recordedConversation } from '../support/wire/recordedConversation.ts';

describe("the inspector's page", function () {
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

  function rowTexts({ page }: InspectorPage): Promise<string[]> {
    return page.locator('.window .row').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  }

  /** Waits until a row whose spoken text holds `text` is the selected one. */
  async function isSelected({ page }: InspectorPage, text: string): Promise<void> {
    await page.locator(`.row.selected[aria-label*="${text}"]`).waitFor();
  }

  it('shows the captured exchange in order', async () => {
    const inspector = await open();
    await inspector.page.locator('.row.kind-rpc').first().waitFor();
    const texts = (await rowTexts(inspector)).map((text) => text.replace(/\[session.*?\]/g, 'S'));
    assert.deepEqual(texts.slice(0, 7), [
      '1, HTTP, out, spring-ai-mcp-sample, GET, /sse, 200',
      '2, HTTP, out, spring-ai-mcp-sample, POST, /sse, 404',
      '3, RPC #1, out, spring-ai-mcp-sample, initialize, probe',
      '4, SSE, in, spring-ai-mcp-sample, event: endpoint',
      '5, HTTP, out, spring-ai-mcp-sample, POST, /mcp/messages?sessionId=S, 202',
      '6, RPC #1, out, spring-ai-mcp-sample, initialize, ok',
      '8, Session, none, spring-ai-mcp-sample, sse · MCP 2024-11-05, closed',
    ]);
    const calls = texts.filter((text) => /RPC #[3-5]|Model/.test(text)).map((text) => text.replace(/^\d+, /, ''));
    assert.deepEqual(calls, [
      'Model, there and back, gpt-4o, 2 messages, 4 tools, → bb7_getUsers, tool-calls',
      'RPC #3, out, spring-ai-mcp-sample, getUsers, tools/call, ok',
      'Model, there and back, gpt-4o, 4 messages, 4 tools, → bb7_addUser, tool-calls',
      'RPC #4, out, spring-ai-mcp-sample, addUser, tools/call, ok',
      'Model, there and back, gpt-4o, 6 messages, 4 tools, → bb7_getUsers, tool-calls',
      'RPC #5, out, spring-ai-mcp-sample, getUsers, tools/call, ok',
      'Model, there and back, gpt-4o, 8 messages, 4 tools, Hello Carson! You were not on the list, so I added you; the list now has three users., stop',
    ]);
  });

  it('works by the keyboard alone', async () => {
    const inspector = await open();
    const { page } = inspector;
    const { keyboard } = page;
    await page.locator('.row.kind-rpc').first().waitFor();
    await keyboard.press('/');
    await keyboard.type('ki');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await keyboard.type('rpc tool:add');
    await page.locator('.window .row').nth(1).waitFor({ state: 'detached' });
    assert.equal((await rowTexts(inspector)).length, 1);
    await keyboard.press('Escape');
    await keyboard.press('F6');
    await keyboard.press('ArrowDown');
    await isSelected(inspector, 'addUser, tools/call');
    assert.match((await page.locator('.grid').getAttribute('aria-activedescendant')) ?? '', /^row-r\d+$/);
    await keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.className'), 'panel');
    await keyboard.press('Shift+Tab');
    await page.locator('.tab').first().focus();
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    assert.equal(await page.locator('.tab[aria-selected=true]').textContent(), 'Body');
    await page.locator('.panel .json').first().waitFor();
    await keyboard.press('Escape');
    assert.equal(await page.evaluate('document.activeElement.className'), 'grid');
    await keyboard.press('Shift+F10');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Copy Value');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    const key = await page.locator('.row.selected').getAttribute('data-key');
    assert.deepEqual(inspector.sent.at(-1), { kind: 'copy', key, form: 'row' });
    await keyboard.press('Shift+F6');
    assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'combobox');
  });

  it('the sequence and the sizes work by the keyboard alone', async () => {
    const inspector = await open();
    const { page } = inspector;
    const { keyboard } = page;
    await page.locator('#view-list').focus();
    await keyboard.press('ArrowRight');
    await page.locator('#view-sequence[aria-selected=true]').waitFor();
    await page.locator('.arrow-label').first().waitFor();
    await keyboard.press('F6');
    assert.equal(await page.evaluate('document.activeElement.className'), 'sequence-scroller');
    await keyboard.press('Home');
    const spoken = async (): Promise<string> =>
      page.evaluate(
        `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent ?? ''`,
      );
    assert.match(await spoken(), /^Agent → spring-ai-mcp-sample: GET \/sse/);
    await keyboard.press('ArrowDown');
    assert.match(await spoken(), /^Agent → spring-ai-mcp-sample: POST \/sse/);
    await keyboard.press('End');
    await keyboard.press('ArrowUp');
    const selected = await page.locator('.arrow-label.selected').first().getAttribute('data-key');
    await keyboard.press('Enter');
    await page.locator('.panel .facts').first().waitFor();
    assert.equal(await page.evaluate('document.activeElement.className'), 'sequence-scroller');
    await keyboard.press('F6');
    assert.equal(await page.evaluate('document.activeElement.className'), 'panel');
    assert.ok(selected);
    await page.locator('#view-sequence').focus();
    await keyboard.press('ArrowRight');
    await page.locator('.size-bar').first().waitFor();
    await keyboard.press('F6');
    await keyboard.press('Tab');
    assert.match(await page.evaluate('document.activeElement.className'), /size-bar/);
    await keyboard.press('Enter');
    await page.locator('.size-bar.selected').waitFor();
  });

  it('moves through the grid by arrows, pages, Home and End', async () => {
    const inspector = await open();
    const { page } = inspector;
    await page.locator('.row.kind-rpc').first().waitFor();
    await page.locator('.grid').focus();
    await page.keyboard.press('Home');
    await isSelected(inspector, 'GET, /sse');
    await page.keyboard.press('ArrowDown');
    await isSelected(inspector, 'POST, /sse, 404');
    await page.keyboard.press('End');
    await isSelected(inspector, 'Hello Carson');
    await page.keyboard.press('PageUp');
    await page.locator('.row.selected:not([aria-label*="Hello Carson"])').waitFor();
  });

  it('a row marks the rows that belong to it', async () => {
    const inspector = await open();
    await inspector.page.locator('.row.kind-rpc', { hasText: 'addUser' }).click();
    await inspector.page.locator('.row.linked').first().waitFor();
    const linked = await inspector.page
      .locator('.row.linked')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
    assert.equal(linked.length, 2);
    assert.match(linked.join('\n'), /4 messages, 4 tools.*bb7_addUser[\s\S]*POST, \/mcp\/messages/);
  });

  it('hostile payloads are shown literally, and nothing of them runs or loads', async () => {
    const hostile = `<img src=x onerror="document.title='owned'"> & </script><script>document.title='owned'</script> \u001b[31mred\u001b[0m ![x](https://evil.test/x.png)`;
    const inspector = await open({ entries: hostileRecord(hostile) });
    const { page } = inspector;
    await page.locator('.row.kind-rpc').first().click();
    await page.locator('.tab', { hasText: 'Body' }).click();
    await page.locator('.panel .json').first().waitFor();
    await page.locator('.toggle', { hasText: 'Raw' }).click();
    const raw = await page.locator('.panel pre').last().textContent();
    assert.ok(JSON.parse(raw ?? '').result.content[0].text === hostile);
    assert.equal(await page.title(), 'Wire Inspector');
    assert.equal(await page.locator('img, iframe, object, embed').count(), 0);
    for (const tab of await page.locator('.tab').all()) await tab.click();
    await page.locator('#view-sequence').click();
    await page.locator('.arrow-label').first().waitFor();
    assert.equal(await page.title(), 'Wire Inspector');
  });

  it('an error that is the whole of a stream, and a stream that was cut, can be read', async () => {
    const inspector = await open({ entries: brokenStreams() });
    const { page } = inspector;
    const rows = page.locator('.row.kind-http.fault');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 2);
    await rows.first().click();
    await page.locator('.tab', { hasText: 'Body' }).click();
    await page.locator('.panel', { hasText: 'the model is overloaded' }).waitFor();
    await rows.nth(1).click();
    await page.locator('.panel', { hasText: 'data: {"cho' }).waitFor();
    assert.match((await rows.nth(1).getAttribute('aria-label')) ?? '', /incomplete/);
  });

  it('asks the host for what the page may not do itself', async () => {
    const inspector = await open();
    const { page, sent } = inspector;
    await page.locator('.row.kind-rpc', { hasText: 'addUser' }).click({ button: 'right' });
    await page.locator('.menu-item', { hasText: 'cURL (sh)' }).click();
    await page.locator('.icon-button[title="Export…"]').click();
    await page.locator('.record').click();
    const key = await page.locator('.row.selected').getAttribute('data-key');
    assert.deepEqual(
      sent.filter(({ kind }) => kind !== 'ready' && kind !== 'detail'),
      [{ kind: 'copy', key, form: 'curl-sh' }, { kind: 'export' }, { kind: 'record', on: false }],
    );
  });

  it('compares two rows', async () => {
    const inspector = await open();
    const { page, sent } = inspector;
    await page.locator('.row.kind-model').first().click({ button: 'right' });
    await page.locator('.menu-item', { hasText: 'Compare' }).click();
    await page.locator('.compare-banner').waitFor();
    await page.locator('.row.kind-model').nth(2).click();
    await page.locator('.compare-banner').waitFor({ state: 'hidden' });
    assert.equal(sent.at(-1)?.kind === 'compare' || sent.at(-2)?.kind === 'compare', true);
  });

  it('the difference to the model request before is shown', async () => {
    const inspector = await open();
    await inspector.page.locator('.row.kind-model').nth(1).click();
    await inspector.page.locator('.tab', { hasText: 'Difference' }).click();
    await inspector.page.locator('.diff-added', { hasText: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3' }).first().waitFor();
    assert.equal(await inspector.page.locator('.diff-removed').count(), 0);
  });

  it('remembers view, filter, toggles and selection', async () => {
    const first = await open();
    await first.page.locator('#view-sizes').click();
    await first.page.locator('.size-bar').nth(1).click();
    await first.page.locator('.toggle', { hasText: 'Frames' }).click();
    const state = await first.state();
    await first.close();
    const again = await open({ state });
    await again.page.locator('.size-bar.selected').waitFor();
    assert.equal(await again.page.locator('#view-sizes').getAttribute('aria-selected'), 'true');
    assert.equal(await again.page.locator('.toggle', { hasText: 'Frames' }).getAttribute('aria-pressed'), 'true');
  });

  it('a saved record says that it is one and offers no recording and no replay', async () => {
    const inspector = await open({ file: 'file:///tmp/my%20wire.har' });
    await inspector.page.locator('.file', { hasText: 'my wire.har' }).waitFor();
    assert.equal(await inspector.page.locator('.record').isVisible(), false);
    await inspector.page.locator('.row.kind-rpc', { hasText: 'addUser' }).click({ button: 'right' });
    for (const label of ['Replay', 'Pin', 'Note'])
      assert.equal(await inspector.page.locator('.menu-item', { hasText: label }).count(), 0, label);
  });

  it('opens filtered by a server, and at a call that the filter hides', async () => {
    const inspector = await open();
    const { page } = inspector;
    await page.locator('.row.kind-model').first().waitFor();
    await inspector.tell({ kind: 'reveal', filter: 'server:"spring-ai-mcp-sample"' });
    await page.locator('.row.kind-model').first().waitFor({ state: 'detached' });
    assert.equal(await page.locator('.filter-input').inputValue(), 'server:"spring-ai-mcp-sample"');
    const key = await page.locator('.row.kind-rpc', { hasText: 'addUser' }).getAttribute('data-key');
    await page.locator('.filter-input').fill('kind:model');
    await page.locator('.row.kind-rpc').first().waitFor({ state: 'detached' });
    await inspector.tell({ kind: 'reveal', key: key ?? '' });
    await isSelected(inspector, 'addUser, tools/call');
    assert.equal(await page.locator('.filter-input').inputValue(), '');
  });

  it('speaks Chinese throughout where the editor does', async () => {
    const bundle: Record<string, string> = JSON.parse(
      readFileSync(new URL('../../l10n/bundle.l10n.zh-cn.json', import.meta.url), 'utf8'),
    );
    const translated: Record<keyof InspectorStrings, string> = { ...inspectorStrings };
    for (const key of objectKeys(inspectorStrings)) translated[key] = bundle[inspectorStrings[key]] ?? '';
    const inspector = await open({ strings: translated });
    const { page } = inspector;
    // Texts that are the same in both, and short ones that a payload may hold by chance.
    const english = new Set<string>(
      objectKeys(inspectorStrings)
        .filter((key) => translated[key] !== inspectorStrings[key] && inspectorStrings[key].length > 3)
        .map((key) => inspectorStrings[key]),
    );
    const left = new Set<string>();
    const look = async (): Promise<void> => {
      const texts: string[] = await page.evaluate(`(() => {
        const texts = [];
        for (const node of document.body.querySelectorAll('button, h3, dt, th, caption, .label, .tab, .toggle, .counts, .quiet, .heading-text, .arrow-text, .menu-item, [title], [aria-label], [placeholder]'))
          texts.push(node.title, node.ariaLabel, node.placeholder, ...[...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data));
        return texts.filter(Boolean).map((text) => text.trim());
      })()`);
      for (const text of texts) if (english.has(text)) left.add(text);
    };
    await page.locator('.row.kind-rpc', { hasText: 'addUser' }).click();
    for (const tab of await page.locator('.tab').all()) {
      await tab.click();
      await look();
    }
    await page.locator('.row.kind-rpc').first().click({ button: 'right' });
    await look();
    await page.keyboard.press('Escape');
    for (const view of ['sequence', 'sizes']) {
      await page.locator(`#view-${view}`).click();
      await page
        .locator(view === 'sequence' ? '.arrow-label' : '.size-bar')
        .first()
        .waitFor();
      await look();
    }
    assert.deepEqual([...left], []);
    assert.equal(await page.locator('#view-sequence .label').textContent(), bundle['Sequence']);
  });

  it('is usable at 320 pixels', async () => {
    const inspector = await open({ size: { width: 320, height: 640 } });
    const { page } = inspector;
    await page.locator('.row.kind-rpc', { hasText: 'addUser' }).click();
    await page.locator('.panel .facts').waitFor();
    for (const part of ['.filter-input', '.row.selected .strong', '.tab >> nth=0', '.view-tab >> nth=2']) {
      const box = await page.locator(part).first().boundingBox();
      assert.ok(
        box && box.width > 10 && box.x >= 0 && box.x + box.width <= 320,
        `${part} lies at ${JSON.stringify(box)}`,
      );
    }
    const widest: number = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(widest <= 320, `the page is ${widest} pixels wide`);
  });

  it('moves nothing where a person wants no motion', async () => {
    const inspector = await open({ reducedMotion: true, entries: recordedConversation().slice(0, 60) });
    await inspector.page.locator('.row').nth(2).waitFor();
    const moving: number = await inspector.page.evaluate(
      'document.getAnimations().filter((a) => a.playState === "running").length',
    );
    assert.equal(moving, 0);
  });
});

function objectKeys(strings: InspectorStrings): readonly (keyof InspectorStrings)[] {
  return Object.keys(strings).filter((key): key is keyof InspectorStrings => Object.hasOwn(strings, key));
}
