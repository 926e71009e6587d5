import { isRecord, parseJson } from '../base/json.ts';
import type { WireEntry } from './wireEntry.ts';
import { isWireEntry } from './wireEntryGuard.ts';
import { withoutBodies } from './withoutBodies.ts';

/** First line of a saved record. */
const FORMAT = 'mcp-agent-wire';
const VERSION = 1;

/** What was read from a saved record. */
export interface SavedRecord {
  readonly entries: readonly WireEntry[];
  /** Lines that could not be read, from 1. */
  readonly badLines: readonly number[];
}

/** A record as JSON lines: one line of format, then one entry a line. */
export function toJsonLines(entries: readonly WireEntry[], options: { readonly bodies?: boolean } = {}): string {
  const kept = options.bodies === false ? entries.map(withoutBodies) : entries;
  return [{ format: FORMAT, version: VERSION }, ...kept].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads a record back. Throws an Error that says so where the text is no such record. */
export function fromJsonLines(text: string): SavedRecord {
  const lines = text.split('\n');
  const first = parseJson(lines[0] ?? '');
  if (!first.ok || !isRecord(first.value) || first.value.format !== FORMAT)
    throw new Error('This file is not a wire record of MCP Agent: its first line does not name the format.');
  if (first.value.version !== VERSION)
    throw new Error(
      `This wire record has version ${String(first.value.version)}; this MCP Agent reads version ${VERSION}.`,
    );
  const entries: WireEntry[] = [];
  const badLines: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const parsed = parseJson(line);
    if (parsed.ok && isWireEntry(parsed.value)) entries.push(parsed.value);
    else badLines.push(index + 1);
  }
  return { entries, badLines };
}
