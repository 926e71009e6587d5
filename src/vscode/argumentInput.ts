import * as vscode from 'vscode';

import { onAbort } from '../base/abort.ts';
import { DisposableStore } from '../base/disposables.ts';
import { label, type Answer } from './quickInputs.ts';

/** The pause after a key before the server is asked, in milliseconds. */
const quietMs = 150;

/** What is asked about one argument. */
export interface ArgumentQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly prompt?: string;
  readonly isRequired: boolean;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly canGoBack?: boolean;
  readonly signal: AbortSignal;
  /** Values that the server proposes for what was typed so far; fails silently. */
  readonly complete: (value: string, signal: AbortSignal) => Promise<readonly string[]>;
}

type Item = vscode.QuickPickItem & { readonly value: string };

/** Asks for one argument. What is typed stands first, the server's proposals follow; anything typed is taken. */
export function askArgument(question: ArgumentQuestion): Promise<Answer<string>> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<Item>());
  const { title, placeholder, prompt, step, totalSteps, canGoBack, signal } = question;
  Object.assign(pick, { title, placeholder, step, totalSteps, ignoreFocusOut: true });
  if (prompt !== undefined && 'prompt' in pick) pick.prompt = prompt;
  if (canGoBack === true) pick.buttons = [vscode.QuickInputButtons.Back];
  const proposals = store.add(
    new Proposals(question.complete, (values, isBusy) => {
      pick.busy = isBusy;
      pick.items = itemsFor(pick.value, values, question.isRequired);
    }),
  );
  store.add(pick.onDidChangeValue((value) => proposals.ask(value, quietMs)));
  proposals.ask('', 0);
  return new Promise((resolve) => {
    const end = (answer: Answer<string>): void => {
      store.dispose();
      resolve(answer);
    };
    store.add(
      pick.onDidAccept(() => {
        const value = pick.selectedItems[0]?.value ?? pick.value;
        if (value !== '' || !question.isRequired) end({ kind: 'value', value });
      }),
    );
    store.add(pick.onDidTriggerButton(() => end({ kind: 'back' })));
    store.add(pick.onDidHide(() => end({ kind: 'dismissed' })));
    store.add(onAbort(signal, () => end({ kind: 'dismissed' })));
    if (!signal.aborted) pick.show();
  });
}

function itemsFor(typed: string, values: readonly string[], isRequired: boolean): Item[] {
  const own: Item[] =
    typed === ''
      ? isRequired
        ? []
        : [{ label: `$(dash) ${vscode.l10n.t('Leave it out')}`, alwaysShow: true, value: '' }]
      : [{ label: label(typed), description: vscode.l10n.t('as typed'), alwaysShow: true, value: typed }];
  const others = values.filter((value) => value !== typed);
  return [...own, ...others.map((value): Item => ({ label: label(value), alwaysShow: true, value }))];
}

/** Asks the server a little after each key; an answer that a later key has overtaken counts for nothing. */
class Proposals {
  readonly #complete: ArgumentQuestion['complete'];
  readonly #show: (values: readonly string[], isBusy: boolean) => void;
  #values: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #asking = new AbortController();

  constructor(complete: ArgumentQuestion['complete'], show: (values: readonly string[], isBusy: boolean) => void) {
    this.#complete = complete;
    this.#show = show;
  }

  ask(value: string, afterMs: number): void {
    this.dispose();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#show(this.#values, true);
    this.#timer = setTimeout(() => void this.#run(value, signal), afterMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
  }

  async #run(value: string, signal: AbortSignal): Promise<void> {
    const values = await this.#complete(value, signal).catch((): readonly string[] => []);
    if (signal.aborted) return;
    this.#values = values;
    this.#show(values, false);
  }
}
