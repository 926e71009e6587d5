import type { Row } from './row.ts';
import type { WireEntry } from './wireEntry.ts';

/** Ways in which a row can be copied. */
export type CopyForm = 'value' | 'json' | 'row' | 'curl-sh' | 'curl-cmd' | 'curl-powershell';

/** What the host tells the page. Rows come changed or new, at most ten times a second. */
export type ToPage =
  | {
      readonly kind: 'start';
      readonly session: SessionInfo;
      readonly rows: readonly Row[];
    }
  | {
      readonly kind: 'rows';
      readonly changed: readonly Row[];
      readonly removed: readonly string[];
      readonly bytes: number;
    }
  | { readonly kind: 'cleared' }
  | { readonly kind: 'session'; readonly session: SessionInfo }
  /** The entries that a row is made of. */
  | { readonly kind: 'detail'; readonly key: string; readonly entries: readonly WireEntry[] }
  | {
      readonly kind: 'reveal';
      readonly key?: string;
      readonly view?: InspectorView;
      readonly filter?: string;
      readonly turn?: string;
    }
  /** Something that a person should be told, as it was done for them. */
  | { readonly kind: 'said'; readonly text: string };

/** The views of the inspector. */
export type InspectorView = 'list' | 'sequence' | 'sizes';

/** What the page shows of the record as a whole. */
export interface SessionInfo {
  /** The name of the saved file, or empty for this window's own traffic. */
  readonly file: string;
  readonly recording: boolean;
  readonly bytes: number;
  /** Calls can be repeated: the traffic is our own. */
  readonly live: boolean;
}

/** What the page asks of the host. */
export type ToHost =
  | { readonly kind: 'ready' }
  | { readonly kind: 'detail'; readonly key: string }
  | { readonly kind: 'copy'; readonly key: string; readonly form: CopyForm }
  | { readonly kind: 'copy-text'; readonly text: string }
  | { readonly kind: 'copy-mermaid'; readonly turn?: string }
  | { readonly kind: 'open'; readonly key: string }
  | { readonly kind: 'compare'; readonly left: string; readonly right: string }
  | { readonly kind: 'replay' | 'pin' | 'note' | 'fixture' | 'show-in-chat'; readonly key: string }
  | { readonly kind: 'record'; readonly on: boolean }
  | { readonly kind: 'clear' | 'export' | 'import' | 'help' };

/** What the page remembers of itself; the host gives it back after a reload. */
export interface PageState {
  readonly view?: InspectorView;
  readonly filter?: string;
  readonly toggles?: Partial<Record<Toggle, boolean>>;
  readonly turn?: string;
  readonly selected?: string;
  readonly tab?: string;
  readonly split?: 'bottom' | 'right';
  readonly size?: number;
  /** A saved file that this page shows. */
  readonly file?: string;
}

/** What is switched on and off beside the filter. */
export type Toggle = 'faults' | 'frames' | 'hide-ping' | 'latest-turn' | 'raw';
