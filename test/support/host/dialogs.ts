/** Answers modal dialogs inside the extension host in a person's place. */
import * as vscode from 'vscode';

/** What a dialog said and which buttons it had. */
export interface Dialog {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** The dialogs that came, and how to stop answering. */
export interface AnsweredDialogs {
  /** The dialogs so far. */
  readonly shown: readonly Dialog[];
  /** Resolves with dialog number `count` (from 1). */
  dialog(count: number): Promise<Dialog>;
  dispose(): void;
}

/** Until it is disposed of, every modal warning gets the button that `answer` names; undefined closes it. Others are shown as ever. */
export function answerDialogs(answer: (dialog: Dialog) => string | undefined): AnsweredDialogs {
  const shown: Dialog[] = [];
  const waiting = new Set<() => void>();
  const original = vscode.window.showWarningMessage;
  const replacement = async (message: string, ...rest: readonly unknown[]): Promise<unknown> => {
    const [options, ...items] = rest;
    if (!isModal(options)) return Reflect.apply(original, vscode.window, [message, ...rest]);
    const titleOf = (item: unknown): string => (isItem(item) ? item.title : String(item));
    const dialog = { message, detail: options.detail ?? '', buttons: items.map(titleOf) };
    shown.push(dialog);
    for (const tell of waiting) tell();
    const title = answer(dialog);
    return items.find((item) => titleOf(item) === title);
  };
  Reflect.set(vscode.window, 'showWarningMessage', replacement);
  return {
    shown,
    dialog: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = shown[count - 1];
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    dispose: () => Reflect.set(vscode.window, 'showWarningMessage', original),
  };
}

function isModal(value: unknown): value is vscode.MessageOptions {
  return typeof value === 'object' && value !== null && 'modal' in value && value.modal === true;
}

function isItem(value: unknown): value is vscode.MessageItem {
  return typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string';
}
