import * as vscode from 'vscode';

import { inputLookup, type Input } from '../settings/inputs.ts';
import type { SettingsSource } from '../settings/serverEntry.ts';
import { oneLine } from './plainText.ts';
import type { SourcedInput } from './settingsSource.ts';

/** Answers that the window has been given already, so that a reconnect does not ask again. Passwords live in secret storage. */
export class InputPrompts {
  readonly #secrets: vscode.SecretStorage;
  readonly #answers = new Map<string, string>();
  readonly #asking = new Map<string, Promise<string | undefined>>();
  /** Told every answer, so that records hide it. */
  readonly #onSecret: (value: string) => void;

  constructor(secrets: vscode.SecretStorage, onSecret: (value: string) => void) {
    this.#secrets = secrets;
    this.#onSecret = onSecret;
  }

  /**
   * The `input` of a lookup for one server. Servers that want the same input at the same time share one question. A server of the
   * workspace may use an input of the user settings, and yet is asked for anew: it never gets what was typed for the person's own.
   */
  lookup(
    inputs: readonly SourcedInput[],
    { name, source }: { readonly name: string; readonly source: SettingsSource },
  ): (id: string) => Promise<string> {
    return inputLookup(inputs, (input) => this.#answer({ input, server: name, key: inputKey(input.id, source) }));
  }

  async #answer(question: Question): Promise<string | undefined> {
    const { input, key } = question;
    const known = this.#answers.get(key) ?? (isPassword(input) ? await this.#secrets.get(key) : undefined);
    if (known !== undefined) return this.#keep(key, known);
    let asking = this.#asking.get(key);
    if (asking === undefined) {
      asking = this.#ask(question).finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    return asking;
  }

  async #ask({ input, server, key }: Question): Promise<string | undefined> {
    const answer = await prompt(input, server);
    if (answer === undefined) return undefined;
    if (isPassword(input)) await this.#secrets.store(key, answer);
    return this.#keep(key, answer);
  }

  #keep(key: string, answer: string): string {
    this.#answers.set(key, answer);
    this.#onSecret(answer);
    return answer;
  }
}

interface Question {
  readonly input: Input;
  readonly server: string;
  /** Under which the answer is kept. */
  readonly key: string;
}

/**
 * Under which the answer to an input lies in secret storage. It belongs to the place that asks: a workspace never receives what was
 * typed for the user settings or for another workspace.
 */
export function inputKey(id: string, source: SettingsSource): string {
  if (source.startsWith('usr')) return `mcpAgent.input:${id}`;
  const folder = /^wf(\d+)$/.exec(source)?.[1];
  const { workspaceFolders, workspaceFile } = vscode.workspace;
  const place = folder === undefined ? workspaceFile : workspaceFolders?.[Number(folder)]?.uri;
  return `mcpAgent.input:${place?.toString() ?? source}:${id}`;
}

function isPassword(input: Input): boolean {
  return input.kind === 'promptString' && input.password;
}

async function prompt(input: Input, server: string): Promise<string | undefined> {
  const title = vscode.l10n.t('MCP server {0}', oneLine(server, 60));
  const words = oneLine(input.description ?? input.id, 300);
  switch (input.kind) {
    case 'promptString':
      return vscode.window.showInputBox({
        title,
        prompt: words,
        value: input.default,
        password: input.password,
        ignoreFocusOut: true,
      });
    case 'pickString': {
      const items = input.options.map(({ label, value }) => ({
        label: oneLine(label),
        value,
        ...(value === input.default && { picked: true }),
      }));
      return (await vscode.window.showQuickPick(items, { title, placeHolder: words, ignoreFocusOut: true }))?.value;
    }
    case 'command': {
      const result: unknown = await vscode.commands.executeCommand(
        input.command,
        ...(input.args === undefined ? [] : [input.args]),
      );
      return typeof result === 'string' ? result : undefined;
    }
  }
}
