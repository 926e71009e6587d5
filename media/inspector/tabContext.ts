import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { Row } from '../../src/wire/row.ts';
import type { DetailParts } from './detailParts.ts';
import type { Store } from './store.ts';

/** What a tab of the details is drawn from. */
export interface TabContext {
  readonly strings: InspectorStrings;
  readonly store: Store;
  readonly row: Row;
  readonly parts: DetailParts;
  readonly raw: boolean;
  readonly go: (key: string) => void;
  readonly copy: (text: string) => void;
}
