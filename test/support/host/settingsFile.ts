/**
 * The user settings file of a host, changed as a person changes it: pasted into an editor of the workbench and saved.
 * (A workbench in a browser stops listening to changes of this file on disk some seconds after its start.)
 * That a change has been taken in shows in the window's title, which every change alters by an invisible character.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { appearLimitMs, type ThemeName, themes, type Workbench } from './workbench.ts';

/** A settings.json that the workbench watches. */
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
    await this.save(workbench, marked, () => titleShown(workbench, title, appearLimitMs));
  }

  /** Pastes a text over the settings in an editor, saves, and waits until `isTakenIn` says so. Throws when it says no. */
  async save(workbench: Workbench, text: string, isTakenIn: () => Promise<boolean>): Promise<void> {
    const { page } = workbench;
    const wasOpen = (await page.locator('.editor-group-container .tab', { hasText: 'settings.json' }).count()) > 0;
    await workbench.runCommand('Preferences: Open User Settings (JSON)');
    const tab = page.locator('.editor-group-container.active .tab.active', { hasText: 'settings.json' });
    await tab.waitFor({ timeout: appearLimitMs });
    const editor = page.locator('.editor-group-container.active .editor-instance .native-edit-context').first();
    await editor.focus({ timeout: appearLimitMs });
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+V');
    await page.keyboard.press('ControlOrMeta+S');
    if (!(await isTakenIn())) {
      throw new Error(`The workbench did not take in ${this.file}:\n${readFileSync(this.file, 'utf8')}`);
    }
    if (!wasOpen) await workbench.runCommand('View: Close Editor');
  }

  /** Changes the colour theme; resolves when it is shown. */
  async changeTheme(workbench: Workbench, theme: ThemeName): Promise<void> {
    const text = this.#merged({ 'workbench.colorTheme': themes[theme].setting });
    await this.save(workbench, text, () => workbench.themeShown(theme));
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
