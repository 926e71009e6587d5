/** The workbench in the page: commands, quick picks, notifications, themes, screenshots. */
import { mkdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type QuickPickRow, readFocusedRow, readQuickPickRows } from './inPage.js';

/** How long a part of the workbench may take to appear, in ms; generous, for a busy machine. */
export const appearLimitMs = 60_000;

/** The themes that tests switch between. */
export type ThemeName = 'light' | 'dark' | 'hc-dark' | 'hc-light';

/** The value of `workbench.colorTheme` for a theme, and the class that the workbench then carries. */
export const themes: Readonly<Record<ThemeName, { readonly setting: string; readonly className: string }>> = {
  light: { setting: 'Light Modern', className: 'vs' },
  dark: { setting: 'Dark Modern', className: 'vs-dark' },
  'hc-dark': { setting: 'Default High Contrast', className: 'hc-black' },
  'hc-light': { setting: 'Default High Contrast Light', className: 'hc-light' },
};

/** The window as a person uses it. */
export class Workbench {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Runs a palette command by its full title, such as `MCP Agent: List Tools`. Throws with the titles offered when there is none. */
  async runCommand(title: string): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await this.openPalette(title);
      const rows = await this.page.evaluate(readQuickPickRows);
      const row = rows.find(({ label }) => label.toLowerCase() === title.toLowerCase());
      if (row !== undefined && (await this.#accept(row.index))) return;
      if (row === undefined && (await this.quickInput().isVisible())) {
        await this.closeQuickPick();
        throw new Error(`No command "${title}"; the palette offers: ${rows.map(({ label }) => label).join(', ')}`);
      }
    }
    throw new Error(`The command palette did not stay open for "${title}"`);
  }

  /**
   * Accepts a row with the keyboard: the second half of a mouse click would hit a list that opens in its place.
   * False when the list closed before.
   */
  async #accept(index: number): Promise<boolean> {
    for (let presses = 0; presses < 200; presses += 1) {
      const focused = await this.page.evaluate(readFocusedRow);
      if (focused === undefined) {
        if (!(await this.quickInput().isVisible())) return false;
        await this.page.waitForTimeout(50);
        continue;
      }
      await this.page.keyboard.press(focused === index ? 'Enter' : focused < index ? 'ArrowDown' : 'ArrowUp');
      if (focused === index) return true;
    }
    return false;
  }

  /** The palette's rows for `filter`, as labels; the palette is closed again. */
  async commandTitles(filter: string): Promise<string[]> {
    await this.openPalette(filter);
    const rows = await this.quickPick();
    await this.closeQuickPick();
    return rows.map(({ label }) => label);
  }

  /** Opens the command palette with `filter` typed in, and waits until it shows what fits. */
  async openPalette(filter: string): Promise<void> {
    for (const end = Date.now() + appearLimitMs; ;) {
      await this.closeQuickPick();
      await this.page.keyboard.press('F1');
      if (await this.#typeIntoPalette(`>${filter}`)) break;
      if (Date.now() > end) throw new Error(`The command palette did not stay open for "${filter}"`);
    }
    const wanted = filter.toLowerCase();
    await this.page
      .waitForFunction(
        `[...document.querySelectorAll('.quick-input-list .monaco-list-row')].some((row) => row.ariaLabel?.toLowerCase().includes(${JSON.stringify(wanted)}) || row.textContent.includes('No matching'))`,
        undefined,
        { polling: 50, timeout: 10_000 },
      )
      .catch(passTimeout);
  }

  /** Whether the palette took the text; it closes when something else takes the focus while the window starts. */
  async #typeIntoPalette(text: string): Promise<boolean> {
    try {
      await this.quickInput().fill(text, { timeout: 5000 });
      await this.page.waitForTimeout(100);
      return await this.quickInput().isVisible();
    } catch (error) {
      passTimeout(error);
      return false;
    }
  }

  /** The input field of the open quick pick, palette or input box. */
  quickInput(): Locator {
    return this.page.locator('.quick-input-widget input.input').first();
  }

  /** Waits for an open quick pick with rows and reads those that are in view. */
  async quickPick(): Promise<QuickPickRow[]> {
    await this.page
      .locator('.quick-input-widget .quick-input-list .monaco-list-row')
      .first()
      .waitFor({ state: 'visible', timeout: appearLimitMs });
    return this.page.evaluate(readQuickPickRows);
  }

  /** Waits until a row that contains `text` is in view, and accepts it; where several can be chosen, it is ticked. */
  async pick(text: string): Promise<void> {
    const rows = this.page.locator('.quick-input-widget .quick-input-list .monaco-list-row');
    const row = rows.filter({ hasText: text }).first();
    await row.waitFor({ timeout: appearLimitMs });
    if ((await row.locator('.quick-input-list-checkbox:visible, .monaco-checkbox:visible').count()) > 0) {
      await row.click({ timeout: appearLimitMs });
      return;
    }
    const index = Number(await row.getAttribute('data-index'));
    if (!(await this.#accept(index))) throw new Error(`The list closed before "${text}" could be chosen`);
  }

  /** Types into the open quick pick or input box in place of what stands there. */
  async fillQuickInput(text: string): Promise<void> {
    await this.quickInput().waitFor({ state: 'visible', timeout: appearLimitMs });
    await this.quickInput().fill(text);
  }

  /** Waits for the workbench's own file dialog and answers it with a path; resolves when the dialog has closed. */
  async chooseFile(file: string): Promise<void> {
    await this.page.waitForFunction(
      `document.querySelector('.quick-input-widget input.input')?.value.includes(${JSON.stringify(sep)})`,
      undefined,
      { polling: 100, timeout: appearLimitMs },
    );
    for (const end = Date.now() + appearLimitMs; Date.now() < end;) {
      await this.fillQuickInput(file);
      // The dialog reads the folder that the path is in before it takes the path.
      await this.page.waitForTimeout(500);
      await this.page.locator('.quick-input-widget .quick-input-progress.active').waitFor({ state: 'hidden' });
      await this.quickInput().press('Enter');
      await this.quickInput().waitFor({ state: 'hidden', timeout: 3000 }).catch(passTimeout);
      if (!(await this.quickInput().isVisible())) return;
    }
    throw new Error(`The file dialog did not take ${file}`);
  }

  /** Closes a quick pick, if one is open. */
  async closeQuickPick(): Promise<void> {
    if (!(await this.quickInput().isVisible())) return;
    await this.page.keyboard.press('Escape');
    await this.quickInput().waitFor({ state: 'hidden', timeout: appearLimitMs });
  }

  /** The texts of the notifications that are shown at the moment. */
  async notifications(): Promise<string[]> {
    const texts = await this.page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
    return texts.map((text) => text.trim());
  }

  /** Waits for a notification that contains `text` and gives its whole text. */
  async notification(text: string): Promise<string> {
    const toast = this.page.locator('.notifications-toasts .notification-list-item-message', { hasText: text }).first();
    await toast.waitFor({ state: 'visible', timeout: appearLimitMs });
    return (await toast.innerText()).trim();
  }

  /** Clicks a button of the notification that contains `text`. */
  async clickNotification(text: string, button: string): Promise<void> {
    const toast = this.page.locator('.notifications-toasts .notification-list-item', { hasText: text }).first();
    await toast.getByRole('button', { name: button }).click({ timeout: appearLimitMs });
  }

  /** The title of the active editor tab. */
  async activeEditor(): Promise<string> {
    const tab = this.page.locator('.editor-group-container.active .tab.active .label-name').first();
    return (await tab.innerText({ timeout: appearLimitMs })).trim();
  }

  /** The lines of the active text editor that are in view. */
  async activeEditorText(): Promise<string> {
    const lines = this.page.locator('.editor-group-container.active .editor-instance .view-line');
    await lines.first().waitFor({ timeout: appearLimitMs });
    const texts = await lines.evaluateAll((all: { textContent: string; style: { top: string } }[]) =>
      all
        .map((line) => ({ top: Number.parseFloat(line.style.top), text: line.textContent.replace(/\u00a0/g, ' ') }))
        .sort((one, other) => one.top - other.top)
        .map(({ text }) => text),
    );
    return texts.join('\n');
  }

  /** Whether the workbench comes to show `theme` (`VsCodeHost.setTheme` changes it). */
  async themeShown(theme: ThemeName): Promise<boolean> {
    const shown = this.page.locator(`.monaco-workbench.${themes[theme].className}`);
    await shown.waitFor({ state: 'attached', timeout: appearLimitMs }).catch(passTimeout);
    return (await shown.count()) > 0;
  }

  /** Writes a PNG of the whole window, or of `part` of it. Folders are made. */
  async screenshot(file: string, part?: Locator): Promise<void> {
    mkdirSync(dirname(file), { recursive: true });
    if (part === undefined) await this.page.screenshot({ path: file });
    else await part.screenshot({ path: file });
  }
}

/** Lets a wait that ran out pass: the caller looks at what is there. */
function passTimeout(error: unknown): void {
  if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
}
