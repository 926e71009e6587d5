import { isRecord, type JsonObject } from '../base/json.ts';
import { ProtocolError } from './errors.ts';
import type { CallToolResult, ContentBlock, Tool } from './schema.ts';

/** Reads the result of `tools/call`: what is missing becomes empty, what is not a block is left out. Throws a ProtocolError for no object. */
export function readCallToolResult(result: unknown, server: string): CallToolResult {
  if (!isRecord(result)) throw new ProtocolError('result', `${server}: the result of tools/call is no object`);
  const { content } = result;
  if (Array.isArray(content) && content.every(isBlock)) return { ...result, content };
  return { ...result, content: blocksIn(content) };
}

function blocksIn(content: unknown): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (isBlock(content)) return [content];
  return Array.isArray(content) ? content.flatMap(blockIn) : [];
}

/** Text that a server did not dress as a block is text all the same. */
function blockIn(item: unknown): ContentBlock[] {
  if (isBlock(item)) return [item];
  if (typeof item === 'string') return [{ type: 'text', text: item }];
  return isRecord(item) && typeof item['text'] === 'string' ? [{ ...item, type: 'text', text: item['text'] }] : [];
}

function isBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && typeof value['type'] === 'string';
}

/** One page of `tools/list`. `skipped` names what is no tool. Throws a ProtocolError when there is no list. */
export interface ToolPage {
  readonly tools: readonly Tool[];
  readonly skipped: readonly string[];
  /** Present (also as the empty string) when there is another page. */
  readonly nextCursor?: Cursor;
}

/** Opaque text; careless servers count pages, and get their number back. */
export type Cursor = string | number;

/** One page of `tools/list`; what is no tool is skipped and named. Throws a ProtocolError where there is no list. */
export function readToolPage(result: unknown, server: string): ToolPage {
  // Null is how Go writes a list that nobody has put anything in.
  const list = isRecord(result) ? (result['tools'] === null ? [] : result['tools']) : undefined;
  if (!isRecord(result) || !Array.isArray(list)) {
    throw new ProtocolError('result', `${server}: the result of tools/list has no list of tools`);
  }
  const tools: Tool[] = [];
  const skipped: string[] = [];
  for (const value of list) {
    if (isTool(value)) tools.push(value);
    else if (isRecord(value) && typeof value['name'] === 'string' && value['name'] !== '')
      tools.push(asTool(value, value['name']));
    else skipped.push(JSON.stringify(value)?.slice(0, 80) ?? 'nothing');
  }
  const { nextCursor } = result;
  const isCursor = typeof nextCursor === 'string' || typeof nextCursor === 'number';
  return isCursor ? { tools, skipped, nextCursor } : { tools, skipped };
}

function isTool(value: unknown): value is Tool {
  return isRecord(value) && typeof value['name'] === 'string' && value['name'] !== '' && isRecord(value['inputSchema']);
}

/** A tool without a schema takes any arguments. */
function asTool(value: JsonObject, name: string): Tool {
  return { ...value, name, inputSchema: { type: 'object' } };
}
