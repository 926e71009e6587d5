/** Makes sure that there is a browser, and fonts for what it is to show. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findBrowser } from '../../test/support/host/browser.ts';
import { runProgram } from './runProgram.ts';

const packages = ['chromium', 'fonts-liberation', 'fonts-wqy-zenhei'];

/** What a person has to do where we cannot install a browser. */
const advice =
  'No browser found. Install Google Chrome, Chromium or Microsoft Edge, or set CHROMIUM_PATH to the executable of one' +
  (process.platform === 'linux'
    ? ' (on Debian, as root: apt-get install chromium fonts-liberation fonts-wqy-zenhei).'
    : '.');

/** Whether a browser, and on Debian as root the fonts too, are there. */
export function isBrowserReady(): boolean {
  return findBrowser() !== undefined && (!canInstall() || hasChineseFont());
}

/** Installs Debian's chromium and fonts when we may; throws with what to install otherwise. */
export async function installBrowser(say: (text: string) => void): Promise<void> {
  if (!canInstall()) {
    if (findBrowser() === undefined) throw new Error(advice);
    return;
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  const wanted = findBrowser() === undefined ? packages : packages.slice(1);
  await runProgram({ title: 'Package lists of Debian', program: 'apt-get', args: ['update', '-q', ...wait], env, say });
  await runProgram({
    title: `Debian packages ${wanted.join(', ')}`,
    program: 'apt-get',
    args: ['install', '-y', '-q', '--no-install-recommends', ...wait, ...wanted],
    env,
    say,
  });
  if (findBrowser() === undefined) throw new Error(advice);
}

/** Debian itself and root: elsewhere `chromium` is another kind of package, or not ours to install. */
function canInstall(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

function hasChineseFont(): boolean {
  const list = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' });
  return list.status === 0 && list.stdout.trim() !== '';
}
