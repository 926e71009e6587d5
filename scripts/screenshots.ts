/**
 * `npm run screenshots`: makes the pictures of the README (`media/pictures/`) and of the walkthrough (`media/walkthrough/`) anew, from
 * the packaged extension in a real VS Code, each in a light and a dark theme. `-- --theme dark` makes one theme.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Frame, Locator } from 'playwright-core';
import { hostVersions, projectRoot } from '../test/support/host/hostServer.ts';
import { openHost, type VsCodeHost } from '../test/support/host/vsCodeHost.ts';
import { appearLimitMs } from '../test/support/host/workbench.ts';
import { startDemoServer, type DemoServer } from './demo/usersServer.ts';
import { tasks } from './demo/options.ts';
import { setUp } from './setUp/setUp.ts';

type Theme = 'light' | 'dark';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** One window in one theme, and the pictures that it gives. */
class Session {
  readonly #host: VsCodeHost;
  readonly #server: DemoServer;
  readonly #theme: Theme;

  constructor(host: VsCodeHost, server: DemoServer, theme: Theme) {
    this.#host = host;
    this.#server = server;
    this.#theme = theme;
  }

  async run(): Promise<void> {
    await this.#host.chat.open();
    await this.#addServer();
    await this.#chat();
    await this.#model();
    await this.#inspector();
  }

  /** The second address is only looked at. */
  async #addServer(): Promise<void> {
    const { workbench, page } = this.#host;
    await workbench.runCommand('MCP Agent: Add Server');
    await this.#step('Add MCP Server');
    await workbench.fillQuickInput(this.#server.url);
    await page.keyboard.press('Enter');
    await this.#step('Name of the Server');
    await workbench.fillQuickInput('users');
    await page.keyboard.press('Enter');
    await this.#step('Write users into which settings?');
    await page.waitForTimeout(1000);
    await this.#take('add-server');
    await this.#takeStep('server');
    await workbench.pick('User Settings');
    await page
      .locator('.editor-instance .view-line', { hasText: '"users"' })
      .first()
      .waitFor({ timeout: appearLimitMs });
  }

  /** Up to the card that asks, then to the end. */
  async #chat(): Promise<void> {
    const { chat, workbench } = this.#host;
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await chat.widen(560);
    await chat.send(`@mcp ${tasks.en}`);
    await chat.card('getUsers');
    await chat.answerCard('Allow Once');
    await chat.card('addUser');
    await this.#settled();
    await this.#take('chat');
    await this.#takeStep('ask', chat.view);
    await chat.answerCard('Allow Once');
    for (let turn = await chat.settled(); turn.state === 'waiting'; turn = await chat.settled())
      await chat.answerCard('Allow Once');
  }

  async #model(): Promise<void> {
    const { page, chat } = this.#host;
    await page.locator('.interactive-session .model-picker-name').first().click({ timeout: appearLimitMs });
    await page.locator('.action-widget .monaco-list-row').first().waitFor({ timeout: appearLimitMs });
    await this.#settled();
    await this.#takeStep('model', chat.view);
    await page.keyboard.press('Escape');
  }

  async #inspector(): Promise<void> {
    const { workbench, page } = this.#host;
    await workbench.runCommand('MCP Agent: Open Wire Inspector');
    const frame = await this.#frame();
    await page.setViewportSize({ width: 1440, height: 900 });
    await frame.locator('.window .row', { hasText: 'addUser' }).first().click();
    await this.#settled();
    await this.#take('inspector-list');
    await this.#takeStep('wire', page.locator('.part.editor'));
    for (const view of ['sequence', 'sizes']) {
      await frame.locator(`#view-${view}`).click();
      await this.#settled();
      await this.#take(`inspector-${view}`);
    }
  }

  async #frame(): Promise<Frame> {
    for (const end = Date.now() + appearLimitMs; Date.now() < end;) {
      for (const frame of this.#host.page.frames()) {
        if (
          (await frame
            .locator('.window .row')
            .count()
            .catch(() => 0)) > 0
        )
          return frame;
      }
      await this.#host.page.waitForTimeout(200);
    }
    throw new Error('The inspector did not appear');
  }

  async #step(title: string): Promise<void> {
    await this.#host.page.locator('.quick-input-title', { hasText: title }).waitFor({ timeout: appearLimitMs });
  }

  /** What moves has come to rest. */
  async #settled(): Promise<void> {
    await this.#host.page.waitForTimeout(1500);
  }

  async #take(name: string, part?: Locator): Promise<void> {
    await this.#host.workbench.screenshot(join(projectRoot, 'media', 'pictures', `${name}-${this.#theme}.png`), part);
  }

  /** Steps of the walkthrough have one picture, in dark: it stands well on either background. */
  async #takeStep(name: string, part?: Locator): Promise<void> {
    if (this.#theme === 'dark')
      await this.#host.workbench.screenshot(join(projectRoot, 'media', 'walkthrough', `${name}.png`), part);
  }
}

async function picturesIn(theme: Theme): Promise<void> {
  const server = await startDemoServer({ port: 8080 }).catch(() => startDemoServer());
  const host = await openHost({ theme, size: { width: 1440, height: 900 } });
  try {
    await new Session(host, server, theme).run();
  } catch (error) {
    await host.workbench.screenshot(join(projectRoot, 'media', 'pictures', `failure-${theme}.png`));
    throw error;
  } finally {
    await host.close();
    await server.close();
  }
}

const { values } = parseArgs({ options: { theme: { type: 'string' } } });
await setUp(hostVersions.slice(0, 1), print);
const { status } = spawnSync(process.execPath, [join(projectRoot, 'scripts', 'package.ts')], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
for (const theme of ['dark', 'light'] as const) {
  if (values.theme !== undefined && values.theme !== theme) continue;
  print(`Pictures in the ${theme} theme …`);
  await picturesIn(theme);
}
