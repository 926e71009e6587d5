import * as vscode from 'vscode';

import type { Disposable } from '../base/disposables.ts';
import type { Card } from './toolRows.ts';

/** The command behind the buttons. Buttons stay clickable for ever, so it acts only on the id of an open question. */
export const answerCommand = 'mcpAgent.answerCall';

/** Questions asked with buttons in the chat, where the editor's own card would offer more than one call. */
export class ButtonQuestions implements Disposable {
  readonly #open = new Map<string, (allowed: boolean) => void>();
  readonly #registration: Disposable;

  constructor() {
    this.#registration = vscode.commands.registerCommand(answerCommand, (id: unknown, allowed: unknown) => {
      if (typeof id === 'string' && this.answer(id, allowed === true)) return;
      void vscode.window.showInformationMessage(vscode.l10n.t('This question has been answered already.'));
    });
  }

  /** Resolves with the answer, and with false when `token` says that nobody waits any more. */
  wait(id: string, token: vscode.CancellationToken): Promise<boolean> {
    return new Promise((resolve) => {
      const subscription = token.onCancellationRequested(() => this.answer(id, false));
      this.#open.set(id, (allowed) => {
        this.#open.delete(id);
        subscription.dispose();
        resolve(allowed);
      });
    });
  }

  /** False where no such question is open. */
  answer(id: string, allowed: boolean): boolean {
    const open = this.#open.get(id);
    open?.(allowed);
    return open !== undefined;
  }

  dispose(): void {
    for (const id of this.#open.keys()) this.answer(id, false);
    this.#registration.dispose();
  }
}

/** A question that is put as buttons in the chat. */
export interface ButtonRequest {
  readonly id: string;
  readonly card: Card;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
  /** What the buttons say, where they are not about running a tool. */
  readonly buttons?: { readonly yes: string; readonly no: string };
}

/** Shows the card's words with two buttons and waits. The links in the words answer as well. */
export async function askByButtons(questions: ButtonQuestions, request: ButtonRequest): Promise<boolean> {
  const { id, card, stream, token } = request;
  const buttons = request.buttons ?? { yes: vscode.l10n.t('Allow Once'), no: vscode.l10n.t('Skip') };
  const title = new vscode.MarkdownString();
  title.appendText(card.title);
  stream.markdown(new vscode.MarkdownString(`\n\n**${title.value}**\n\n`));
  stream.markdown(card.message);
  stream.button({ command: answerCommand, title: buttons.yes, arguments: [id, true] });
  stream.button({ command: answerCommand, title: buttons.no, arguments: [id, false] });
  const answered = questions.wait(id, token);
  if (token.isCancellationRequested) questions.answer(id, false);
  return answered;
}
