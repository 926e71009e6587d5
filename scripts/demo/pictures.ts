/** Pictures of the window, each in a light and in a dark theme. */
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { VsCodeHost } from '../../test/support/host/vsCodeHost.ts';

/** Takes pictures of the workbench. */
export class Pictures {
  readonly #host: VsCodeHost;
  readonly #folder: string;
  #theme: 'light' | 'dark' = 'light';
  #count = 0;

  /** Takes away the pictures of an earlier run. */
  constructor(host: VsCodeHost, folder: string) {
    this.#host = host;
    this.#folder = folder;
    for (const file of globSync('[0-9][0-9]-*-{light,dark}.png', { cwd: folder })) rmSync(join(folder, file));
  }

  /** One picture in the theme of the moment, then one in the other, which stays. */
  async take(name: string): Promise<void> {
    await this.takeAsIs(name);
    this.#theme = this.#theme === 'light' ? 'dark' : 'light';
    await this.#host.setTheme(this.#theme);
    this.#count -= 1;
    await this.takeAsIs(name);
  }

  /** One picture in the theme of the moment. */
  async takeAsIs(name: string): Promise<void> {
    this.#count += 1;
    const number = String(this.#count).padStart(2, '0');
    await this.#host.workbench.screenshot(join(this.#folder, `${number}-${name}-${this.#theme}.png`));
  }
}
