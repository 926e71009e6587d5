import * as vscode from 'vscode';

import { onAbort } from '../base/abort.ts';
import { DisposableStore } from '../base/disposables.ts';
import { oneLine } from './plainText.ts';

/** Quick inputs that stay until they are answered: a server waits for them, and the person may have to look something up. */

/** How a question ended: with a value, or the person went back, or dismissed it (also by the signal). */
export type Answer<T> = { readonly kind: 'value'; readonly value: T } | { readonly kind: 'back' | 'dismissed' };

/** The texts of one question. */
export interface QuestionText {
  readonly title: string;
  /** Below the input. */
  readonly prompt?: string;
  readonly placeholder?: string;
  readonly canGoBack?: boolean;
  readonly step?: number;
  readonly totalSteps?: number;
}

/** A foreign text must not draw icons. */
export function iconless(text: string): string {
  return text.replaceAll('$(', String.raw`\$(`);
}

/** Foreign text for a label, a description or a detail. */
export function label(text: string, limit = 200): string {
  return iconless(oneLine(text, limit));
}

/** Shows a pick and resolves with what the person chose. `isFine` may refuse with a sentence, and the pick stays. */
export function askPick<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  text: QuestionText,
  options: {
    readonly signal: AbortSignal;
    readonly many?: boolean;
    readonly selected?: readonly Item[];
    readonly isFine?: (items: readonly Item[]) => string | undefined;
  },
): Promise<Answer<readonly Item[]>> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.items = items;
  pick.canSelectMany = options.many === true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const { selected = [] } = options;
  if (options.many === true) pick.selectedItems = selected;
  // Without one that is chosen already the first row is active, as Enter expects.
  else if (selected.length > 0) pick.activeItems = selected;
  pick.placeholder = text.placeholder;
  setPrompt(pick, text.prompt);
  return settle(pick, { text, signal: options.signal }, () => {
    const chosen = pick.selectedItems;
    const problem = options.isFine?.(chosen);
    setPrompt(pick, problem ?? text.prompt);
    return problem === undefined && (options.many === true || chosen.length > 0) ? { value: chosen } : undefined;
  });
}

/** Shows an input box. `problemOf` says at each key what is wrong; only what is fine is taken. */
export function askText(
  text: QuestionText,
  options: {
    readonly signal: AbortSignal;
    readonly value: string;
    readonly problemOf: (value: string) => string | undefined;
  },
): Promise<Answer<string>> {
  const box = vscode.window.createInputBox();
  box.value = options.value;
  box.valueSelection = [0, options.value.length];
  box.prompt = text.prompt;
  box.placeholder = text.placeholder;
  // Nobody is told off for what they have not typed yet.
  const changes = box.onDidChangeValue((value) => (box.validationMessage = options.problemOf(value)));
  return settle(box, { text, signal: options.signal }, () => {
    const problem = options.problemOf(box.value);
    box.validationMessage = problem;
    return problem === undefined ? { value: box.value } : undefined;
  }).finally(() => changes.dispose());
}

/** The line below the input of a pick: not in every version of the editor. */
function setPrompt(pick: vscode.QuickPick<vscode.QuickPickItem>, prompt: string | undefined): void {
  if ('prompt' in pick) pick.prompt = prompt;
}

type Input = vscode.QuickInput & {
  buttons: readonly vscode.QuickInputButton[];
  readonly onDidAccept: vscode.Event<void>;
  readonly onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
};

function settle<T>(
  input: Input,
  { text, signal }: { readonly text: QuestionText; readonly signal: AbortSignal },
  accept: () => { readonly value: T } | undefined,
): Promise<Answer<T>> {
  const store = new DisposableStore();
  store.add(input);
  input.title = text.title;
  input.step = text.step;
  input.totalSteps = text.totalSteps;
  input.ignoreFocusOut = true;
  if (text.canGoBack === true) input.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    const end = (answer: Answer<T>): void => {
      store.dispose();
      resolve(answer);
    };
    store.add(
      input.onDidAccept(() => {
        const accepted = accept();
        if (accepted !== undefined) end({ kind: 'value', ...accepted });
      }),
    );
    store.add(input.onDidTriggerButton(() => end({ kind: 'back' })));
    store.add(input.onDidHide(() => end({ kind: 'dismissed' })));
    store.add(onAbort(signal, () => end({ kind: 'dismissed' })));
    if (!signal.aborted) input.show();
  });
}
