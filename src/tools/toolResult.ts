import { isRecord } from '../base/json.ts';
import { isForModel, plainText, readBlock } from './contentBlock.ts';
import { isTold } from './isTold.ts';
import type { ToolOutcome, ToolPart } from './tool.ts';

/**
 * A result of `tools/call` as an outcome. `content` keeps every block as the server sent it; `parts` is never empty: where the server
 * said nothing, a sentence says so, and `content` has what they say where its own blocks are empty texts or none. Structured content is added as JSON unless the blocks already tell it. Takes any value.
 */
export function readResult(result: unknown): ToolOutcome {
  const body = isRecord(result) ? result : { content: result };
  const blocks = blocksOf(body.content);
  const isError = body.isError === true || body.isError === 'true';
  const parts = blocks.filter(isForModel).flatMap(readBlock).filter(saysSomething);
  const structured = body.structuredContent ?? (blocks.length === 0 ? body.toolResult : undefined);
  if (structured !== undefined && structured !== null && !isTold(structured, parts)) {
    parts.push({ kind: 'text', text: plainText(structured) });
  }
  if (parts.length === 0) parts.push({ kind: 'text', text: emptySentence(isError, blocks.length) });
  return { isError, content: blocks.every(isBlank) ? parts.map(asBlock) : blocks, parts };
}

function blocksOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

function isBlank(block: unknown): boolean {
  return isRecord(block) && block.type === 'text' && plainText(block.text).trim() === '';
}

function saysSomething(part: ToolPart): boolean {
  return part.kind !== 'text' || part.text !== '';
}

function emptySentence(isError: boolean, blocks: number): string {
  if (isError) return 'The tool failed and gave no reason.';
  if (blocks > 0) return 'The tool finished. What it returned was for the user alone, or empty.';
  return 'The tool finished and returned nothing.';
}

function asBlock(part: ToolPart): unknown {
  return part.kind === 'text' ? { type: 'text', text: part.text } : part;
}
