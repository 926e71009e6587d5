/** Types of `inPage.js`. */

/** A tool row; `details` (input and output) is filled only while the row is unfolded, with lines wrapped as they are shown. */
export interface ToolPart {
  readonly kind: 'tool';
  readonly title: string;
  readonly state: 'running' | 'failed' | 'done';
  readonly details: string;
  readonly images: number;
}

/** A confirmation card that waits for an answer. */
export interface CardPart {
  readonly kind: 'card';
  readonly title: string;
  readonly text: string;
  readonly buttons: readonly string[];
  readonly links: readonly { readonly label: string; readonly href: string }[];
}

export type ChatPart =
  | ToolPart
  | CardPart
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'buttons'; readonly labels: readonly string[] };

/** One row of the chat: what the person sent, or the answer. `spoken` is what a screen reader says. */
export type ChatRow =
  | { readonly kind: 'request'; readonly index: number; readonly spoken: string; readonly text: string }
  | {
      readonly kind: 'response';
      readonly index: number;
      readonly spoken: string;
      readonly author: string;
      readonly loading: boolean;
      /** VS Code 1.139 folds a finished answer's steps away. They are in `parts` all the same. */
      readonly collapsed: boolean;
      readonly parts: readonly ChatPart[];
    };

export interface QuickPickRow {
  readonly index: number;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** The heading that stands above the row, or an empty string. */
  readonly separator: string;
  readonly spoken: string;
}

export function readChatRows(): ChatRow[];
export function readQuickPickRows(): QuickPickRow[];
/** The index of the focused row of an open quick pick; `undefined` when none is open. */
export function readFocusedRow(): number | undefined;
