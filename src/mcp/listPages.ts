import { isRecord } from '../base/json.ts';
import { ProtocolError } from './errors.ts';
import type { Cursor } from './readResult.ts';

/** A walk over more pages than this ends. */
const MOST_PAGES = 1000;

/** A list that comes in pages, and how one is fetched. */
export interface PageWalk {
  /** The method that lists, for error texts. */
  readonly method: string;
  /** The member of each page that holds its entries. */
  readonly member: string;
  readonly fetchPage: (params: { readonly cursor?: Cursor }) => Promise<unknown>;
}

/**
 * The entries of all pages of a list, as they came (MCP "Pagination": the empty string is a cursor like any other, none or
 * null ends the list). A cursor that comes again ends the walk; what was listed is kept. Rejects as `fetchPage` does, and
 * with a ProtocolError for a page without a list.
 */
export async function listPages({ method, member, fetchPage }: PageWalk): Promise<unknown[]> {
  const entries: unknown[] = [];
  const cursors = new Set<Cursor>();
  let cursor: Cursor | undefined;
  do {
    const page = await fetchPage(cursor === undefined ? {} : { cursor });
    // Null is how Go writes a list that nobody has put anything in.
    const list = isRecord(page) ? (page[member] === null ? [] : page[member]) : undefined;
    if (!isRecord(page) || !Array.isArray(list)) {
      throw new ProtocolError('result', `the result of ${method} has no list of ${member}`);
    }
    for (const entry of list) entries.push(entry);
    const { nextCursor } = page;
    const isCursor = typeof nextCursor === 'string' || typeof nextCursor === 'number';
    cursor = isCursor && !cursors.has(nextCursor) ? nextCursor : undefined;
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined && cursors.size < MOST_PAGES);
  return entries;
}
