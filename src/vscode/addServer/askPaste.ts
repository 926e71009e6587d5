import * as vscode from 'vscode';

import { packageEntry, readPaste, type Paste } from '../../settings/newServer/readPaste.ts';
import { proposeName } from '../../settings/newServer/proposeName.ts';
import { oneLine } from '../plainText.ts';
import { toldText } from './toldText.ts';

/** What was pasted and can be added. */
export type Understood = Exclude<Paste, { kind: 'problem' | 'word' }>;

/** Asks for what is to be added and says while it is typed how it is understood. Undefined: the person left. */
export async function askPaste(value: string): Promise<Understood | undefined> {
  const paste = await input(value);
  return paste?.kind === 'word' ? whichWord(paste.word) : paste;
}

function input(value: string): Promise<Exclude<Paste, { kind: 'problem' }> | undefined> {
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Add MCP Server');
  box.prompt = vscode.l10n.t('A URL, a command line, an npm or Python package, an install link, or JSON from a README');
  box.placeholder = vscode.l10n.t('https://example.com/mcp · npx -y some-server · { "mcpServers": … }');
  box.ignoreFocusOut = true;
  box.value = value;
  const clipboard: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('clippy'),
    tooltip: vscode.l10n.t('Take What Is in the Clipboard'),
  };
  box.buttons = [clipboard];
  return new Promise((resolve) => {
    const accept = async (text: string): Promise<void> => {
      const paste = await readWithBreaks(text);
      if (paste.kind === 'problem') {
        box.validationMessage = {
          message: toldText(paste),
          severity: vscode.InputBoxValidationSeverity.Error,
        };
        return;
      }
      resolve(paste);
      box.hide();
    };
    box.onDidAccept(() => void accept(box.value));
    box.onDidTriggerButton(async () => accept(await vscode.env.clipboard.readText()));
    box.onDidChangeValue((text) => (box.validationMessage = hint(text)));
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

/** An input box has one line. Where JSON with comments was pasted, the clipboard still has its line breaks. */
async function readWithBreaks(text: string): Promise<Paste> {
  const paste = readPaste(text);
  if (paste.kind !== 'problem' || !/^\s*[{["`]/.test(text)) return paste;
  const copied = await vscode.env.clipboard.readText();
  const squeezed = (each: string): string => each.replaceAll(/\s/g, '');
  return squeezed(copied) === squeezed(text) ? readPaste(copied) : paste;
}

function hint(text: string): vscode.InputBoxValidationMessage | undefined {
  if (text.trim().length < 3) return undefined;
  const paste = readPaste(text);
  if (paste.kind === 'problem') return undefined;
  return { message: describe(paste), severity: vscode.InputBoxValidationSeverity.Info };
}

function describe(paste: Exclude<Paste, { kind: 'problem' }>): string {
  if (paste.kind === 'url') return vscode.l10n.t('A server behind a URL: Enter looks at it');
  if (paste.kind === 'word') return vscode.l10n.t('A package or a program: Enter asks which');
  const names = paste.servers.map(({ name }) => oneLine(name, 40)).join(', ');
  return paste.servers.length === 1
    ? vscode.l10n.t('One server: {0}', names)
    : vscode.l10n.t('{0} servers: {1}', paste.servers.length, names);
}

async function whichWord(word: string): Promise<Understood | undefined> {
  const kinds = [
    { label: vscode.l10n.t('npm package'), kind: 'npm' },
    { label: vscode.l10n.t('Python package'), kind: 'python' },
    { label: vscode.l10n.t('Program on this machine'), kind: 'program' },
  ] as const;
  const items = kinds.map(({ label, kind }) => {
    const entry = packageEntry(word, kind);
    const args = Array.isArray(entry['args']) ? entry['args'] : [];
    return { label, description: [entry['command'], ...args].map(String).join(' '), entry };
  });
  const title = vscode.l10n.t('What is {0}?', oneLine(word, 60));
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (!picked) return undefined;
  return {
    kind: 'servers',
    servers: [{ name: proposeName(picked.entry), entry: picked.entry }],
    inputs: [],
    notes: [],
  };
}
