import type { JsonObject } from '../base/json.ts';
import type { ToPage } from '../wire/inspectorProtocol.ts';
import type { WireLog } from '../wire/wireLog.ts';
import type { WireSession } from '../wire/wireSession.ts';
import type { WireDocuments } from './wireDocuments.ts';

/**
 * Calls a tool of a server by the server's own name of it, over the session that is ready now.
 * Rejects with an Error fit to show when there is none, or when the call fails.
 */
export type CallTool = (
  server: string,
  tool: string,
  args: JsonObject,
  onRequestId: (id: number | string) => void,
) => Promise<void>;

/** What the inspector's actions work with. */
export interface ActionContext {
  readonly session: WireSession;
  /** The log behind the session; absent for a saved file, which nothing can be added to. */
  readonly log: WireLog | undefined;
  readonly documents: WireDocuments;
  readonly version: string;
  readonly callTool: CallTool;
  readonly tell: (message: ToPage) => void;
  readonly entries: () => ReturnType<WireLog['entries']>;
}
