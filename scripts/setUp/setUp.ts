/**
 * Everything that tests and the demo need beyond the npm dependencies: VS Code hosts and a browser.
 * Says a line for each stage that has something to do, and nothing when all is there. Two runs at once wait for each other.
 */
import { join } from 'node:path';
import { hostCache } from '../../test/support/host/hostServer.ts';
import { withLock } from '../lock.mjs';
import { installBrowser, isBrowserReady } from './browserInstall.ts';
import { installHost, isHostComplete } from './hosts.ts';

/** Sets up the given hosts and the browser. Throws with what a person can do. */
export async function setUp(hosts: readonly string[], say: (text: string) => void): Promise<void> {
  if (hosts.every(isHostComplete) && isBrowserReady()) return;
  await withLock(
    join(hostCache, 'set-up.lock'),
    async () => {
      for (const version of hosts) {
        if (!isHostComplete(version)) await installHost(version, say);
      }
      if (!isBrowserReady()) await installBrowser(say);
    },
    say,
  );
}
