/**
 * A real VS Code for tests and the demo: a server with fresh folders, our VSIX in it, and its workbench in headless
 * Chromium. A test reads like what a person does:
 *
 *     const host = await openHost({ settings: { 'mcp.servers': { users: { type: 'sse', url } } } });
 *     await host.chat.open();
 *     await host.chat.send('@mcp list the users');
 *     const card = await host.chat.card('addUser');            // { title, text, buttons, links }
 *     await host.chat.answerCard('Allow Once');                // or clickCardLink('Always allow this tool')
 *     const turn = await host.chat.answered();                 // { prompt, state, parts: text | tool | card | error … }
 *     await host.chat.unfold();                                // tool rows then carry input and output in `details`
 *     await host.workbench.runCommand('MCP Agent: List Tools');
 *     const rows = await host.workbench.quickPick();           // { label, description, detail, separator }
 *     await host.changeSettings({ 'mcp.servers': {} });        // applies at once, as when a person saves the file
 *     await host.close();                                      // ends every process, removes every folder
 *
 * Anything else: `host.page` is Playwright's page, `host.consoleLines` what the window and the extension host logged.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { Chat } from './chat.ts';
import {
  type HostFolders,
  type HostServer,
  hostVersions,
  installVsix,
  projectRoot,
  startHostServer,
} from './hostServer.ts';
import { SettingsFile } from './settingsFile.ts';
import { appearLimitMs, type ThemeName, themes, Workbench } from './workbench.ts';

/** What the editor starts with. */
export interface VsCodeHostOptions {
  /** The newest of `hostVersions` by default. */
  readonly version?: string;
  /** The VSIX to install; by default `dist/mcp-agent.vsix`. `false` installs none. */
  readonly vsix?: string | false;
  /** User settings, added to quiet ones. `quiet: false` leaves all of VS Code's defaults but two. */
  readonly quiet?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Files of the workspace folder, by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Light by default. */
  readonly theme?: ThemeName;
  /** Added to the environment of the host and thereby of the extension. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Pixels of the window; 1280 × 900 by default. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly port?: number;
  /** A folder to open instead of a fresh one. */
  readonly workspace?: string;
  /** Pairs for the workbench's `payload`, given the authority of remote URIs. */
  readonly payload?: (authority: string) => readonly (readonly [string, string])[];
  /** Is called with the page before it is opened. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** An editor in a browser. */
export interface VsCodeHost {
  readonly version: string;
  /** The address of the workbench, with the workspace folder. */
  readonly url: string;
  readonly page: Page;
  readonly workbench: Workbench;
  readonly chat: Chat;
  readonly workspace: string;
  readonly settingsFile: string;
  /** The host's logs: `exthost…/remoteexthost.log`, output channels of extensions. */
  readonly logFolder: string;
  readonly consoleLines: readonly string[];
  /** Writes user settings over the present ones (`undefined` removes one); resolves when the workbench has taken them in. */
  changeSettings(changes: Readonly<Record<string, unknown>>): Promise<void>;
  /** Writes the whole text of the user settings file; resolves when the workbench has taken it in. */
  replaceSettings(text: string): Promise<void>;
  setTheme(theme: ThemeName): Promise<void>;
  /** Loads the window anew, as "Developer: Reload Window" does. */
  reload(): Promise<void>;
  /** Whether the host or an extension writes a file within `limitMs` (60 s by default). */
  fileWritten(file: string, limitMs?: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Without these a dialog or a page would stand before the rest. */
const plainSettings = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
};

/** What keeps the workbench quiet, so that a test sees only what it asked for. */
const quietSettings = {
  ...plainSettings,
  'workbench.tips.enabled': false,
  'update.mode': 'none',
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'git.enabled': false,
  'chat.implicitContext.enabled': { panel: 'never' },
};

/** A host without a window: everything up to the address that a browser opens. */
export interface PreparedHost {
  readonly version: string;
  readonly url: string;
  readonly server: HostServer;
  readonly settings: SettingsFile;
  readonly workspace: string;
  readonly logFolder: string;
  /** Ends every process and removes every folder; what `own` was given is closed before. */
  readonly close: () => Promise<void>;
  readonly own: (close: () => Promise<void>) => void;
}

/** Starts a host with our VSIX and settings in it. Whatever was started is ended again when that fails. */
export async function prepareHost(options: VsCodeHostOptions = {}): Promise<PreparedHost> {
  const version = options.version ?? hostVersions[0];
  const base = mkdtempSync(join(tmpdir(), 'mcp-agent-host-'));
  const removeNow = (): void => rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  process.once('exit', removeNow);
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
    removeNow();
    process.off('exit', removeNow);
  };
  try {
    const folders: HostFolders = { data: join(base, 'data'), extensions: join(base, 'extensions') };
    const workspace = options.workspace ?? join(base, 'workspace');
    writeFiles(workspace, options.files ?? {});
    const settings = new SettingsFile(join(folders.data, 'data', 'User', 'settings.json'));
    const theme = { 'workbench.colorTheme': themes[options.theme ?? 'light'].setting };
    const usual = options.quiet === false ? plainSettings : quietSettings;
    settings.merge({ ...options.settings, ...theme, ...usual, ...options.settings });
    if (options.vsix !== false) installVsix(version, folders, options.vsix ?? defaultVsix());
    const server = await startHostServer({ version, folders, env: options.env, port: options.port });
    closers.push(() => server.close());
    const payload = options.payload?.(new URL(server.url).host);
    const query = new URLSearchParams({ folder: workspace, ...(payload && { payload: JSON.stringify(payload) }) });
    return {
      version,
      url: `${server.url}?${query.toString()}`,
      server,
      settings,
      workspace,
      logFolder: join(folders.data, 'data', 'logs'),
      close,
      own: (closer) => void closers.push(closer),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a host and its window; resolves when the workbench is up. Whatever was started is ended again when that fails. */
export async function openHost(options: VsCodeHostOptions = {}): Promise<VsCodeHost> {
  const { own, close, url, server, settings, version, workspace, logFolder } = await prepareHost(options);
  try {
    const browser = await launchBrowser();
    own(() => browser.close());
    const viewport = options.size ?? { width: 1280, height: 900 };
    const context = await browser.newContext({ viewport, locale: 'en-US' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
    const page = await context.newPage();
    const consoleLines: string[] = [];
    page.on('console', (message) => consoleLines.push(message.text()));
    await options.prepare?.(page);
    await page.goto(url, { waitUntil: 'commit', timeout: appearLimitMs });
    await workbenchUp(page);
    const workbench = new Workbench(page);
    return {
      version,
      url,
      page,
      workbench,
      chat: new Chat(workbench),
      workspace,
      settingsFile: settings.file,
      logFolder,
      consoleLines,
      changeSettings: (changes) => settings.change(workbench, changes),
      replaceSettings: (text) => settings.replace(workbench, text),
      setTheme: (theme) => settings.changeTheme(workbench, theme),
      reload: async () => {
        await page.reload({ waitUntil: 'commit', timeout: appearLimitMs });
        await workbenchUp(page);
      },
      fileWritten: async (file, limitMs = appearLimitMs) => {
        const end = Date.now() + limitMs;
        while (!existsSync(file) || statSync(file).size === 0) {
          if (Date.now() > end) return false;
          await page.waitForTimeout(100);
        }
        return true;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function defaultVsix(): string {
  const file = process.env['MCP_AGENT_VSIX'] ?? join(projectRoot, 'dist', 'mcp-agent.vsix');
  if (!existsSync(file)) throw new Error('dist/mcp-agent.vsix is missing: run "npm run package"');
  return file;
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Waits until the workbench has drawn itself and its extension host answers. */
async function workbenchUp(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 3 * appearLimitMs });
  await page.locator('.monaco-workbench .activitybar .action-item').first().waitFor({ timeout: appearLimitMs });
}
