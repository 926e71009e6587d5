/** The browser that shows the workbench: any installed Chromium, driven by playwright-core. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Names on the path, and usual places, in the order in which they are tried. */
const commandNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** Usual places of a browser on macOS and Windows. */
function usualPlaces(): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform !== 'win32') return ['/snap/bin/chromium'];
  const roots = [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']];
  const programs = [
    'Google\\Chrome\\Application\\chrome.exe',
    'Chromium\\Application\\chrome.exe',
    'Microsoft\\Edge\\Application\\msedge.exe',
  ];
  return roots.flatMap((root) => (root === undefined ? [] : programs.map((program) => join(root, program))));
}

/**
 * The executable of an installed Chromium, Chrome or Edge; `undefined` when there is none.
 * `CHROMIUM_PATH` goes first; throws when it names a file that does not exist.
 */
export function findBrowser(): string | undefined {
  const wanted = process.env['CHROMIUM_PATH'];
  if (wanted !== undefined && wanted !== '') {
    if (!existsSync(wanted)) throw new Error(`CHROMIUM_PATH names ${wanted}, which does not exist`);
    return wanted;
  }
  const folders = process.platform === 'win32' ? [] : (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = commandNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...usualPlaces()].find((file) => existsSync(file));
}

/** Starts the browser, headless. Throws with what to install when there is none. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    throw new Error('No Chromium, Chrome or Edge found: install one, or set CHROMIUM_PATH to its executable');
  }
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return chromium.launch({
    executablePath,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      ...(asRoot ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
    ],
  });
}
