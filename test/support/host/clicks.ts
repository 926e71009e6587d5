import type { Locator } from 'playwright-core';
import { appearLimitMs } from './workbench.ts';

/** Clicks if that is possible within 2 s; the element may be drawn anew or be covered just then. */
export async function tryClick(target: Locator): Promise<void> {
  try {
    await target.click({ timeout: 2000 });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
  }
}

/** Clicks as a person does; what has scrolled out of the window's list is clicked all the same. */
export async function press(target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached', timeout: appearLimitMs });
  try {
    await target.click({ timeout: 5000 });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
    await target.dispatchEvent('click');
  }
}
