/** `node scripts/run.mjs icon.ts`: draws media/icon.png (256 × 256, what the Extensions view shows) from its SVG. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from '../test/support/host/browser.ts';
import { projectRoot } from '../test/support/host/hostServer.ts';

const media = join(projectRoot, 'media');
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
  const image = readFileSync(join(media, 'icon-large.svg'), 'utf8');
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${image}`);
  await page.screenshot({ path: join(media, 'icon.png'), omitBackground: true });
} finally {
  await browser.close();
}
