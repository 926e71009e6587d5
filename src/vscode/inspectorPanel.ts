import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { SessionInfo, ToHost, ToPage } from '../wire/inspectorProtocol.ts';
import type { WireBatch, WireLog } from '../wire/wireLog.ts';
import { fixedSource, WireSession, type EntrySource } from '../wire/wireSession.ts';
import { act } from './inspectorActions.ts';
import { inspectorHtml, inspectorRoot } from './inspectorHtml.ts';
import type { CallTool } from './actionContext.ts';
import { readReveal, revealMessage, type Reveal } from './reveal.ts';
import type { WireDocuments } from './wireDocuments.ts';
import { chooseRecord, exportRecord, readRecord } from './wireFiles.ts';

const VIEW_TYPE = 'mcpAgent.inspector';
/** The page is told of changes at most ten times a second. */
const BATCH_MS = 100;

/** What the panel shows, and what its actions need. */
export interface InspectorOptions {
  readonly extension: vscode.Uri;
  readonly version: string;
  readonly log: WireLog;
  readonly documents: WireDocuments;
  readonly callTool: CallTool;
}

/** The inspector's panels: one of this window's traffic, and one for each saved file that is open. */
export class Inspector implements Disposable {
  readonly #options: InspectorOptions;
  readonly #panels = new Map<string, InspectorPanel>();

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /** Opens the panel of this window's traffic, or brings it to the front; `reveal` is what the command was told. */
  open(reveal?: unknown): void {
    const panel =
      this.#panels.get('') ??
      this.#add('', this.#options.log, newPanel(vscode.l10n.t('Wire Inspector'), this.#options.extension));
    panel.reveal(readReveal(reveal));
  }

  /** Asks for a saved record, or takes `path`, and shows it. */
  async import(path?: string): Promise<void> {
    const file = path === undefined ? await chooseRecord() : vscode.Uri.file(path);
    if (!file) return;
    const name = file.toString();
    const panel =
      this.#panels.get(name) ??
      this.#add(name, fixedSource(await readRecord(file)), newPanel(titleOf(file), this.#options.extension));
    panel.reveal({});
  }

  /** Writes the record of this window. */
  export(path?: string): Promise<void> {
    return exportRecord(this.#options.log.entries(), this.#options.version, path);
  }

  clear(): void {
    this.#options.log.clear();
  }

  dispose(): void {
    for (const panel of this.#panels.values()) panel.dispose();
  }

  /** Takes over a panel that the editor has kept from before the window was loaded anew. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const file =
      typeof state === 'object' && state !== null && 'file' in state && typeof state.file === 'string'
        ? state.file
        : '';
    if (file === '') {
      this.#add('', this.#options.log, panel);
      return;
    }
    try {
      this.#add(file, fixedSource(await readRecord(vscode.Uri.parse(file, true))), panel);
    } catch (error) {
      panel.dispose();
      await vscode.window.showWarningMessage(messageOf(error));
    }
  }

  #add(file: string, source: EntrySource, panel: vscode.WebviewPanel): InspectorPanel {
    const made = new InspectorPanel({ ...this.#options, file, source, panel, openFile: () => this.import() });
    this.#panels.set(file, made);
    panel.onDidDispose(() => {
      made.dispose();
      if (this.#panels.get(file) === made) this.#panels.delete(file);
    });
    return made;
  }
}

function titleOf(file: vscode.Uri): string {
  return file.path.split('/').at(-1) ?? file.path;
}

function newPanel(title: string, extension: vscode.Uri): vscode.WebviewPanel {
  const options = { enableScripts: true, localResourceRoots: [inspectorRoot(extension)] };
  return vscode.window.createWebviewPanel(VIEW_TYPE, title, vscode.ViewColumn.Active, options);
}

interface PanelOptions extends InspectorOptions {
  /** The saved file that is shown; empty for this window's traffic. */
  readonly file: string;
  readonly source: EntrySource;
  readonly panel: vscode.WebviewPanel;
  readonly openFile: () => Promise<void>;
}

/** One panel. Its page is made anew whenever it comes to the front, and then told everything. */
class InspectorPanel implements Disposable {
  readonly #options: PanelOptions;
  readonly #store = new DisposableStore();
  #session: WireSession;
  #waiting: WireBatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #reveal: Reveal = {};

  constructor(options: PanelOptions) {
    this.#options = options;
    this.#session = new WireSession(options.source);
    const { panel, extension, log, file } = options;
    panel.iconPath = new vscode.ThemeIcon('pulse');
    panel.webview.options = { enableScripts: true, localResourceRoots: [inspectorRoot(extension)] };
    this.#store.add(panel.webview.onDidReceiveMessage((message: ToHost) => void this.#hear(message)));
    this.#store.add(panel.onDidChangeViewState(() => this.#shownOrHidden()));
    if (file === '') this.#store.add(log.onDidAppend((batch) => this.#changed(batch)));
    panel.webview.html = inspectorHtml(panel.webview, extension);
  }

  reveal(reveal: Reveal): void {
    this.#reveal = reveal;
    this.#options.panel.reveal();
    if (this.#isReady) this.#tellReveal();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#isReady = false;
    this.#store.dispose();
    this.#options.panel.dispose();
  }

  get #info(): SessionInfo {
    const { log, file } = this.#options;
    const live = file === '';
    return { file, recording: live && log.recording, bytes: live ? log.bytes : 0, live };
  }

  #tell(message: ToPage): void {
    // It is the editor's own channel, which has no origins.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    if (this.#isReady) void this.#options.panel.webview.postMessage(message);
  }

  /** A hidden page is gone: what it misses it is told when it comes back. */
  #shownOrHidden(): void {
    if (!this.#options.panel.visible) this.#isReady = false;
  }

  #start(): void {
    this.#isReady = true;
    this.#waiting = undefined;
    this.#session = new WireSession(this.#options.source);
    for (const message of this.#session.start(this.#info)) this.#tell(message);
    this.#tellReveal();
  }

  #tellReveal(): void {
    const reveal = this.#reveal;
    this.#reveal = {};
    const message = revealMessage(reveal, this.#session);
    if (message) this.#tell(message);
    if (reveal.callId !== undefined && message?.key === undefined)
      void vscode.window.showInformationMessage(vscode.l10n.t('The record holds this call no more.'));
  }

  #changed(batch: WireBatch): void {
    if (!this.#isReady) return;
    const before = this.#waiting;
    if (batch.cleared) this.#waiting = batch;
    else
      this.#waiting = { cleared: before?.cleared ?? false, appended: [...(before?.appended ?? []), ...batch.appended] };
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS);
  }

  #flush(): void {
    this.#timer = undefined;
    const batch = this.#waiting;
    this.#waiting = undefined;
    if (!batch || !this.#isReady) return;
    if (batch.cleared) {
      this.#session = new WireSession(this.#options.source);
      this.#tell({ kind: 'cleared' });
      this.#tell({ kind: 'rows', changed: this.#session.rows(), removed: [], bytes: this.#options.log.bytes });
      return;
    }
    this.#tell({ kind: 'rows', ...this.#session.update(batch), bytes: this.#options.log.bytes });
  }

  async #hear(message: ToHost): Promise<void> {
    try {
      await this.#do(message);
    } catch (error) {
      await vscode.window.showErrorMessage(messageOf(error));
    }
  }

  async #do(message: ToHost): Promise<void> {
    const { log, file, source, documents, version, callTool, openFile } = this.#options;
    switch (message.kind) {
      case 'ready':
        return this.#start();
      case 'detail':
        return this.#tell({ kind: 'detail', key: message.key, entries: this.#session.entriesOf(message.key) });
      case 'record':
        log.recording = message.on;
        return this.#tell({ kind: 'session', session: this.#info });
      case 'clear':
        return file === '' ? log.clear() : undefined;
      case 'import':
        return openFile();
      default: {
        const own = file === '' ? log : undefined;
        const tell = (told: ToPage): void => this.#tell(told);
        await act(message, {
          session: this.#session,
          log: own,
          documents,
          version,
          callTool,
          tell,
          entries: () => source.entries(),
        });
      }
    }
  }
}
