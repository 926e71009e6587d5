/**
 * The inspector's page in plain Chromium: its real bundle and style sheet, with the editor's theme variables,
 * and a host that answers from a record. What the page sends is kept in `sent`.
 */
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { PageState, ToHost, ToPage } from '../../../src/wire/inspectorProtocol.ts';
import type { InspectorStrings } from '../../../src/wire/inspectorStrings.ts';
import type { WireEntry } from '../../../src/wire/wireEntry.ts';
import { fixedSource, WireSession } from '../../../src/wire/wireSession.ts';
import type { ThemeName } from '../host/workbench.ts';
import { themeClass, themeStyle } from './themes.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ORIGIN = 'http://inspector.test';

/** How the page is opened. */
export interface InspectorPageOptions {
  readonly entries: readonly WireEntry[];
  readonly theme?: ThemeName;
  readonly size?: { readonly width: number; readonly height: number };
  readonly state?: PageState;
  readonly reducedMotion?: boolean;
  readonly file?: string;
  /** The page's texts in another language, as its host gives them. */
  readonly strings?: InspectorStrings;
}

/** The page in a browser. */
export interface InspectorPage {
  readonly page: Page;
  /** What the page asked of its host, oldest first. */
  readonly sent: readonly ToHost[];
  /** What went wrong in the page: exceptions, violations of the content policy, requests beyond its own files. */
  readonly faults: readonly string[];
  /** Tells the page something, as the host does. */
  tell(message: ToPage): Promise<void>;
  /** What the page would remember after a reload. */
  state(): Promise<PageState>;
  close(): Promise<void>;
}

interface Bundle {
  readonly script: string;
  readonly style: string;
  readonly font: Uint8Array;
}

let bundle: Promise<Bundle> | undefined;

/** The page's bundle, built once a run from the sources, in memory. */
async function buildPage(): Promise<Bundle> {
  const built = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { script: 'media/inspector/main.ts', style: 'media/inspector/inspector.css' },
    outdir: 'out',
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    loader: { '.ttf': 'file' },
    assetNames: 'codicon',
  });
  const contents = (extension: string): Uint8Array => {
    const file = built.outputFiles.find(({ path }) => path.endsWith(extension));
    if (!file) throw new Error(`the bundle has no ${extension}`);
    return file.contents;
  };
  const text = (extension: string): string => new TextDecoder().decode(contents(extension));
  return { script: text('.js'), style: text('.css'), font: contents('.ttf') };
}

function html({ theme = 'light', strings }: InspectorPageOptions): string {
  const texts = strings && JSON.stringify(strings).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const policy = `default-src 'none'; script-src 'nonce-test'; style-src ${ORIGIN}; font-src ${ORIGIN}`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>Wire Inspector</title>
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/inspector.css"></head>
<body class="${themeClass(theme)}"${texts === undefined ? '' : ` data-strings="${texts}"`}><script nonce="test" src="/fake.js"></script><script nonce="test" src="/inspector.js"></script></body></html>`;
}

/** Stands in for the editor's side of the page. */
const fakeEditor = readFileSync(new URL('fakeEditor.js', import.meta.url), 'utf8');

/** Opens the page with a record. */
export async function openInspectorPage(browser: Browser, options: InspectorPageOptions): Promise<InspectorPage> {
  bundle ??= buildPage();
  const { script, style, font } = await bundle;
  const theme = options.theme ?? 'light';
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1280, height: 800 },
    reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
  });
  const page = await context.newPage();
  const sent: ToHost[] = [];
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  const files = new Map<string, { body: string | Buffer; contentType: string }>([
    ['/', { body: html(options), contentType: 'text/html' }],
    ['/theme.css', { body: themeStyle(theme), contentType: 'text/css' }],
    ['/inspector.css', { body: style, contentType: 'text/css' }],
    ['/inspector.js', { body: script, contentType: 'text/javascript' }],
    ['/fake.js', { body: fakeEditor, contentType: 'text/javascript' }],
    ['/codicon.ttf', { body: Buffer.from(font), contentType: 'font/ttf' }],
  ]);
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    const file = url.origin === ORIGIN ? files.get(url.pathname) : undefined;
    if (file) return route.fulfill(file);
    faults.push(`the page asked for ${url.href}`);
    return route.abort();
  });
  const session = new WireSession(fixedSource(options.entries));
  const bytes = options.entries.length * 900;
  const info = { file: options.file ?? '', recording: true, bytes, live: options.file === undefined };
  const tell = (message: ToPage): Promise<void> => page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  await page.exposeFunction('toHost', async (message: ToHost) => {
    sent.push(message);
    if (message.kind === 'ready') for (const told of session.start(info)) await tell(told);
    if (message.kind === 'detail')
      await tell({ kind: 'detail', key: message.key, entries: session.entriesOf(message.key) });
  });
  await page.addInitScript(`window.fakeState = ${JSON.stringify(options.state ?? {})}`);
  await page.goto(`${ORIGIN}/`);
  await page.locator('body.ready').waitFor({ timeout: 120_000 });
  return {
    page,
    sent,
    faults,
    tell,
    state: () => page.evaluate('window.fakeState'),
    close: () => context.close(),
  };
}
