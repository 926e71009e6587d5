import type { CancellationToken } from 'vscode';

import type { Disposable } from '../base/disposables.ts';

/** Turns the editor's token into a signal. Dispose it when the work is over, so that nothing listens on. */
export function toAbortSignal(token: CancellationToken): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const subscription = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => subscription.dispose() };
}
