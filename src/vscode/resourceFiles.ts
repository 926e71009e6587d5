import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { ResourceContents } from '../mcp/offerTypes.ts';
import { resourceName } from './resourceName.ts';

const scheme = 'mcp-agent-resource';
/** So many resources stay readable; older ones go. */
const mostKept = 100;

/** What was read of servers, as read-only files of the editor: texts open in an editor, images in a preview. */
export class ResourceFiles implements Disposable {
  readonly #files = new Map<string, Uint8Array>();
  readonly #store = new DisposableStore();
  #next = 1;

  constructor() {
    const changed = this.#store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
    const provider: vscode.FileSystemProvider = {
      onDidChangeFile: changed.event,
      watch: () => new vscode.Disposable(() => {}),
      stat: ({ path }) => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.#read(path).length }),
      readFile: ({ path }) => this.#read(path),
      readDirectory: () => [],
      createDirectory: refuse,
      writeFile: refuse,
      delete: refuse,
      rename: refuse,
    };
    this.#store.add(vscode.workspace.registerFileSystemProvider(scheme, provider, { isReadonly: true }));
  }

  /** Opens one piece of a resource in an editor that fits it. */
  async open({ uri, mimeType, text, blob }: ResourceContents): Promise<void> {
    const path = `/${this.#next++}/${resourceName(uri, mimeType)}`;
    this.#files.set(path, text === undefined ? Buffer.from(blob ?? '', 'base64') : Buffer.from(text, 'utf8'));
    for (const old of this.#files.keys()) if (this.#files.size > mostKept) this.#files.delete(old);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.from({ scheme, path }), { preview: true });
  }

  dispose(): void {
    this.#store.dispose();
  }

  #read(path: string): Uint8Array {
    const bytes = this.#files.get(path);
    if (bytes === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return bytes;
  }
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions();
}
