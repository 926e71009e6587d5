import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import { serverIdentity } from '../servers/serverIdentity.ts';
import type { ServerEntry } from '../settings/serverEntry.ts';
import type { StartContext } from '../settings/startPermission.ts';
import { oneLine } from './plainText.ts';
import { inputsFor, type ServerSettings } from './settingsSource.ts';
import type { StartPermissions } from './startPermissions.ts';

/** What the gate wants of the permissions. */
export type AskedPermissions = Pick<StartPermissions, 'decide' | 'heldBy' | 'allowsTools' | 'isDue' | 'ask'>;

/** What decides about a first start, and who is told. */
export interface StartGateOptions {
  readonly permissions: AskedPermissions;
  readonly settings: () => ServerSettings | undefined;
  /** An answer was given: what may start has to be looked at again. */
  readonly onAnswer: () => void;
  readonly log: (level: 'warning', text: string, server: string) => void;
}

/** Stands between the settings and the servers: says what is held back, and puts the questions one after another. */
export class StartGate {
  readonly #options: StartGateOptions;
  #asking: Promise<void> | undefined;
  #announced = false;

  constructor(options: StartGateOptions) {
    this.#options = options;
  }

  /** Why an entry must not start now; undefined where it may. */
  heldBy(entry: ServerEntry): string | undefined {
    return this.#options.permissions.heldBy(entry, this.#contextOf(entry));
  }

  /** Whether the workspace's own `autoApprove` of an entry counts. */
  allowsTools(entry: ServerEntry): boolean {
    return this.#options.permissions.allowsTools(entry, this.#contextOf(entry));
  }

  /** Asks about every server that waits for its first answer. Resolves when none is left, or the person has put one off. */
  askForDue(): Promise<void> {
    this.#asking ??= this.#askForDue().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  /** The person acts on one server that is held back: asks anew. False where nothing holds it that an answer could change. */
  async askAgain(identity: string): Promise<boolean> {
    const entry = this.#entries().find(({ source, name }) => serverIdentity(source, name) === identity);
    if (entry === undefined || entry.disabled) return false;
    const decision = this.#options.permissions.decide(entry, this.#contextOf(entry));
    if (decision === 'start') return false;
    if (decision === 'restricted') await vscode.commands.executeCommand('workbench.trust.manage');
    else await this.#ask(entry);
    return true;
  }

  /** Says once a window that a server waits for an answer, where nobody has asked for it yet: no dialog in somebody's way. */
  async announce(): Promise<void> {
    const due = this.#due();
    const [first] = due;
    if (first === undefined || this.#announced || this.#asking !== undefined) return;
    this.#announced = true;
    const review = vscode.l10n.t('Review…');
    const text =
      due.length === 1
        ? vscode.l10n.t('This workspace wants to start the MCP server “{0}”.', oneLine(first.name, 80))
        : vscode.l10n.t('This workspace wants to start {0} MCP servers.', due.length);
    if ((await vscode.window.showInformationMessage(text, review)) === review) await this.askForDue();
  }

  async #askForDue(): Promise<void> {
    for (let next = this.#due()[0]; next !== undefined; next = this.#due()[0]) {
      await this.#ask(next);
    }
  }

  /** A question that cannot be shown leaves the server held back, which is told wherever servers are. */
  async #ask(entry: ServerEntry): Promise<void> {
    const { permissions, onAnswer, log } = this.#options;
    try {
      if (await permissions.ask(entry, this.#contextOf(entry))) onAnswer();
    } catch (error) {
      log('warning', `It was not started: the question about it could not be shown. ${messageOf(error)}`, entry.name);
    }
  }

  #due(): ServerEntry[] {
    return this.#entries().filter(
      (entry) => !entry.disabled && this.#options.permissions.isDue(entry, this.#contextOf(entry)),
    );
  }

  #entries(): readonly ServerEntry[] {
    return this.#options.settings()?.entries ?? [];
  }

  #contextOf(entry: ServerEntry): StartContext {
    const index = Number(/^wf(\d+)$/.exec(entry.source)?.[1] ?? 0);
    const folder = vscode.workspace.workspaceFolders?.[index]?.uri.fsPath;
    return {
      ...(folder !== undefined && { folder }),
      inputs: inputsFor(entry.source, this.#options.settings()?.inputs ?? []),
    };
  }
}
