import { RpcError } from './errors.ts';
import { errorCode } from './jsonrpc.ts';
import { readToolPage, type Cursor, type ToolPage } from './readResult.ts';
import type { Tool } from './schema.ts';

/** A walk over more pages than this ends with a warning. */
const MOST_PAGES = 10_000;

/** How the pages of `tools/list` are fetched, and who is told of what is odd in them. */
export interface ToolWalk {
  readonly server: string;
  fetchPage(params: { readonly cursor?: Cursor }): Promise<unknown>;
  /** Something that a person should know about the list. */
  warn(text: string): void;
}

/**
 * All pages of `tools/list` (MCP "Pagination"): the empty string is a cursor like any other, none or null ends the list. A
 * cursor that comes again ends the walk with a warning; what was listed is kept. Of several tools of one name the first
 * counts. A server that does not know the method has no tools. Rejects as `fetchPage` does.
 */
export async function listAllTools(walk: ToolWalk): Promise<Tool[]> {
  const tools = new Map<string, Tool>();
  const cursors = new Set<Cursor>();
  let cursor: Cursor | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await onePage(walk, cursor);
    for (const tool of page.tools) if (!tools.has(tool.name)) tools.set(tool.name, tool);
    for (const skipped of page.skipped) walk.warn(`an entry of tools/list is no tool and was left out: ${skipped}`);
    cursor = page.nextCursor;
    if (cursor === undefined) return [...tools.values()];
    if (cursors.has(cursor)) {
      const kept = `the ${tools.size} tools listed so far are kept`;
      walk.warn(`tools/list repeats the page cursor ${JSON.stringify(cursor)}; ${kept}`);
      return [...tools.values()];
    }
    cursors.add(cursor);
  }
  walk.warn(`tools/list has more than ${MOST_PAGES} pages; the ${tools.size} tools listed so far are kept`);
  return [...tools.values()];
}

async function onePage(walk: ToolWalk, cursor: Cursor | undefined): Promise<ToolPage> {
  try {
    return readToolPage(await walk.fetchPage(cursor === undefined ? {} : { cursor }), walk.server);
  } catch (error) {
    const unknown = error instanceof RpcError && error.code === errorCode.methodNotFound && cursor === undefined;
    if (!unknown) throw error;
    return { tools: [], skipped: [] };
  }
}
