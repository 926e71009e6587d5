import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { ResourceContents } from '../mcp/offerTypes.ts';

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
    const path = `/${this.#next++}/${fileName(uri, mimeType)}`;
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

/** Endings by which the editor knows what it shows. */
const endings: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
};

/** The last part of the address as the name of a file, with an ending that fits its type. */
export function fileName(uri: string, mimeType: string | undefined): string {
  const [address = ''] = uri.split(/[?#]/, 1);
  const last = address.split(/[/\\:]+/).findLast((part) => part !== '') ?? '';
  const name = last.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').slice(-80) || 'resource';
  const ending = endings[mimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''];
  if (ending !== undefined && !name.toLowerCase().endsWith(`.${ending}`)) return `${name}.${ending}`;
  return name.includes('.') ? name : `${name}.txt`;
}
