/**
 * The user settings file of a host. A change is written to disk, then opened and saved in an editor of the workbench,
 * because a workbench in a browser stops listening to changes of this file on disk some seconds after its start.
 * That a change has been taken in shows in the window's title, which every change alters by an invisible character.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { appearLimitMs, type Workbench } from './workbench.ts';

export class SettingsFile {
  readonly file: string;
  #changes = 0;

  constructor(file: string) {
    this.file = file;
    mkdirSync(dirname(file), { recursive: true });
  }

  /** Writes `changes` over the present settings; `undefined` removes one. For a host that is not running yet. */
  merge(changes: Readonly<Record<string, unknown>>): void {
    this.#write(this.#merged(changes));
  }

  /** Writes `changes` over the present settings and resolves when the workbench has taken them in. */
  async change(workbench: Workbench, changes: Readonly<Record<string, unknown>>): Promise<void> {
    await this.replace(workbench, this.#merged(changes));
  }

  /** Writes the text of the file (a window title is added to it) and resolves when the workbench has taken it in. */
  async replace(workbench: Workbench, text: string): Promise<void> {
    this.#changes += 1;
    const title = `MCP Agent${'\u2060'.repeat(this.#changes)}`;
    const marked = text.replace(/"window\.title":\s*"[^"]*",?\s*/, '').replace('{', `{ "window.title": "${title}",`);
    const { page } = workbench;
    this.#write(marked);
    const wasOpen = (await page.locator('.editor-group-container .tab', { hasText: 'settings.json' }).count()) > 0;
    await workbench.runCommand('Preferences: Open User Settings (JSON)');
    const tab = page.locator('.editor-group-container.active .tab.active', { hasText: 'settings.json' });
    await tab.waitFor({ timeout: appearLimitMs });
    const editor = page.locator('.editor-group-container.active .editor-instance .native-edit-context').first();
    if (wasOpen) await workbench.runCommand('File: Revert File');
    await editor.focus({ timeout: appearLimitMs });
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+S');
    if (!(await titleShown(workbench, title, 30_000))) {
      throw new Error(`The workbench did not take in ${this.file}:\n${readFileSync(this.file, 'utf8')}`);
    }
    if (!wasOpen) await workbench.runCommand('View: Close Editor');
  }

  #merged(changes: Readonly<Record<string, unknown>>): string {
    const present: unknown = existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8')) : {};
    return `${JSON.stringify({ ...(isObject(present) ? present : {}), ...changes }, undefined, 2)}\n`;
  }

  #write(text: string): void {
    writeFileSync(this.file, text);
  }
}

/** Whether the window's title becomes `title` within `limitMs`. */
async function titleShown(workbench: Workbench, title: string, limitMs: number): Promise<boolean> {
  const end = Date.now() + limitMs;
  while ((await workbench.page.title()) !== title) {
    if (Date.now() > end) return false;
    await workbench.page.waitForTimeout(50);
  }
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
