import * as vscode from 'vscode';

import { isRecord } from '../base/json.ts';
import { serverIdentity } from '../servers/serverIdentity.ts';
import type { ServerEntry } from '../settings/serverEntry.ts';
import {
  configurationHash,
  decideStart,
  isOfWorkspace,
  type StartAnswer,
  type StartContext,
  type StartDecision,
} from '../settings/startPermission.ts';

/** An answer for one very configuration of one server. */
interface Remembered {
  readonly identity: string;
  readonly hash: string;
  readonly answer: StartAnswer;
}

/** A server of the workspace that the person has answered for. */
export interface AnsweredServer {
  readonly identity: string;
  readonly answer: StartAnswer;
}

const storageKey = 'mcpAgent.startAnswers';
const maxAnswers = 200;

/**
 * Which servers of the workspace may start. Each is asked about before its first start and again when its configuration changes;
 * the question itself is read when it is first put.
 */
export class StartPermissions {
  readonly #memory: vscode.Memento;
  /** Configurations whose question the person put off, for as long as the window is open. */
  readonly #putOff = new Set<string>();

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  decide(entry: ServerEntry, context: StartContext): StartDecision {
    return decideStart(entry, vscode.workspace.isTrusted, this.#answer(entry, context));
  }

  /** Why the entry must not start now, in words; undefined where it may. */
  heldBy(entry: ServerEntry, context: StartContext): string | undefined {
    switch (this.decide(entry, context)) {
      case 'start':
        return undefined;
      case 'ask':
        return vscode.l10n.t(
          'Not started: the workspace defines it, and you have not allowed it yet. Run “MCP Agent: Restart Server” to decide.',
        );
      case 'declined':
        return vscode.l10n.t('Not started: you did not allow it. Run “MCP Agent: Restart Server” to be asked again.');
      case 'restricted':
        return vscode.l10n.t(
          'Not started: in Restricted Mode nothing of the workspace runs. Trust the workspace to use it.',
        );
    }
  }

  /** True where the person agreed to the tools that the workspace lets run without asking. */
  allowsTools(entry: ServerEntry, context: StartContext): boolean {
    return (
      vscode.workspace.isTrusted && isOfWorkspace(entry.source) && this.#answer(entry, context) === 'start-with-tools'
    );
  }

  /** True where a question is due that the person has not put off. */
  isDue(entry: ServerEntry, context: StartContext): boolean {
    return this.decide(entry, context) === 'ask' && !this.#putOff.has(configurationHash(entry, context));
  }

  /** Puts the question, with all that the start does, and remembers the answer. False where the person put it off. */
  async ask(entry: ServerEntry, context: StartContext): Promise<boolean> {
    const hash = configurationHash(entry, context);
    // Also where the question cannot be shown: it must not come again and again.
    this.#putOff.add(hash);
    const { askToStart } = await import('./startQuestion.ts');
    const answer = await askToStart(entry, context);
    if (answer === undefined) return false;
    await this.#remember({ identity: serverIdentity(entry.source, entry.name), hash, answer });
    return true;
  }

  /** The servers that were answered for, each once. */
  list(): readonly AnsweredServer[] {
    return [...new Map(this.#read().map(({ identity, answer }) => [identity, { identity, answer }])).values()];
  }

  /** Forgets what was answered for a server; without one, for all. */
  async forget(identity?: string): Promise<void> {
    this.#putOff.clear();
    const kept = identity === undefined ? [] : this.#read().filter((each) => each.identity !== identity);
    await this.#memory.update(storageKey, kept);
  }

  #answer(entry: ServerEntry, context: StartContext): StartAnswer | undefined {
    const hash = configurationHash(entry, context);
    const identity = serverIdentity(entry.source, entry.name);
    return this.#read().findLast((each) => each.identity === identity && each.hash === hash)?.answer;
  }

  async #remember(answer: Remembered): Promise<void> {
    const others = this.#read().filter(({ identity, hash }) => identity !== answer.identity || hash !== answer.hash);
    await this.#memory.update(storageKey, [...others, answer].slice(-maxAnswers));
  }

  #read(): readonly Remembered[] {
    const value: unknown = this.#memory.get(storageKey);
    return Array.isArray(value) ? value.filter(isRemembered) : [];
  }
}

function isRemembered(value: unknown): value is Remembered {
  if (!isRecord(value)) return false;
  const { identity, hash, answer } = value;
  return (
    typeof identity === 'string' &&
    typeof hash === 'string' &&
    (answer === 'start' || answer === 'start-with-tools' || answer === 'decline')
  );
}
