/** A part of the page that F6 goes to; one that is not shown is skipped. */
export interface Pane {
  readonly node: HTMLElement;
  readonly isShown: () => boolean;
  readonly focus: () => void;
}

/** What the keys do. */
export interface PaneKeys {
  /** In the order of F6. */
  readonly panes: readonly Pane[];
  /** `/` */
  readonly focusFilter: () => void;
  /** Escape; `target` is where it was pressed. */
  readonly escape: (target: EventTarget | null) => void;
  /** Ctrl+C or ⌘C with nothing marked as text. */
  readonly copy: () => void;
}

/** The keys that work wherever the focus is. */
export function listenForKeys(keys: PaneKeys): void {
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === 'F6') nextPane(keys.panes, event.shiftKey ? -1 : 1);
    else if (event.key === '/' && !typing) keys.focusFilter();
    else if (event.key === 'Escape') keys.escape(event.target);
    else {
      if (isCopy(event) && !typing && (document.getSelection()?.toString() ?? '') === '') keys.copy();
      return;
    }
    event.preventDefault();
  });
}

function isCopy({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'c' && (ctrlKey || metaKey);
}

function nextPane(panes: readonly Pane[], step: number): void {
  const shown = panes.filter((pane) => pane.isShown());
  const now = shown.findIndex(({ node }) => node.contains(document.activeElement));
  shown.at((now + step) % shown.length)?.focus();
}
