import type { Row } from './row.ts';
import type { RequestSizes } from './wireEntry.ts';

/** What the bytes of a model request are for. */
export type SizePart = 'instructions' | 'tools' | 'history' | 'results' | 'user' | 'other';

/** A part of a request's bar. `server` is set for the tools of one server. */
export interface SizeSegment {
  readonly part: SizePart;
  readonly server?: string;
  readonly bytes: number;
}

/** One model request as a bar. */
export interface SizeBar {
  readonly key: string;
  readonly turn: string;
  readonly step: number;
  readonly model: string;
  readonly bytes: number;
  readonly segments: readonly SizeSegment[];
  /** Exact only where the endpoint gave figures. */
  readonly tokens?: number;
  /** Bytes at which the model's window is full: by the figures of this chat, else by four bytes a token. */
  readonly limit?: { readonly bytes: number; readonly tokens: number; readonly estimated: boolean };
  /** What made it larger than the request before it in its turn or chat. */
  readonly growth: readonly { readonly label: string; readonly part: SizePart; readonly bytes: number }[];
}

/** The sizes of all model requests of a record, and what weighs most in them. */
export interface SizeStory {
  readonly bars: readonly SizeBar[];
  readonly largestTools: readonly { readonly name: string; readonly server: string; readonly bytes: number }[];
  readonly largestResults: readonly {
    readonly key: string;
    readonly name: string;
    readonly callId: string;
    readonly bytes: number;
  }[];
}

const BYTES_A_TOKEN = 4;
const LONGEST = 10;
/** Growth of fewer bytes is commas. */
const WORTH_TELLING = 16;

function sum(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}

/** The bar of one request: instructions, tools by server, history, results, user text, the rest. */
export function segmentsOf(sizes: RequestSizes): SizeSegment[] {
  const byServer = new Map<string, number>();
  for (const { server, bytes } of sizes.tools) byServer.set(server, (byServer.get(server) ?? 0) + bytes);
  const segments: SizeSegment[] = [
    { part: 'instructions', bytes: sizes.instructions },
    ...[...byServer].map(([server, bytes]) => ({ part: 'tools', server, bytes }) as const),
    { part: 'history', bytes: sizes.history },
    { part: 'results', bytes: sum(sizes.results) },
    { part: 'user', bytes: sizes.user },
    { part: 'other', bytes: sizes.other },
  ];
  return segments.filter(({ bytes }) => bytes > 0);
}

function limitOf(row: Row): SizeBar['limit'] {
  if (row.maxInputTokens === undefined) return undefined;
  const known = row.inputTokens !== undefined && row.inputTokens > 0;
  const bytes = known ? (row.up / (row.inputTokens ?? 1)) * row.maxInputTokens : row.maxInputTokens * BYTES_A_TOKEN;
  return { bytes, tokens: row.maxInputTokens, estimated: !known };
}

/** What `sizes` holds more than `before`, the largest first: new results by name, then the other parts. */
export function growthOf(sizes: RequestSizes, before: RequestSizes | undefined): SizeBar['growth'] {
  if (!before) return [];
  const known = new Set(before.results.map(({ callId }) => callId));
  const results = sizes.results
    .filter(({ callId }) => !known.has(callId))
    .map(({ name, bytes }) => ({ label: name, part: 'results', bytes }) as const);
  const parts = (['instructions', 'history', 'user', 'other'] as const).map((part) => {
    return { label: '', part, bytes: sizes[part] - before[part] };
  });
  const tools = { label: '', part: 'tools', bytes: sum(sizes.tools) - sum(before.tools) } as const;
  return [...results, ...parts, tools].filter(({ bytes }) => bytes >= WORTH_TELLING).sort((a, b) => b.bytes - a.bytes);
}

function largest<T extends { readonly bytes: number }>(items: Iterable<T>): T[] {
  return [...items].sort((a, b) => b.bytes - a.bytes).slice(0, LONGEST);
}

/** How the model requests among `rows` grew, and what is largest in them. */
export function sizeStory(rows: readonly Row[]): SizeStory {
  const bars: SizeBar[] = [];
  const tools = new Map<string, SizeStory['largestTools'][number]>();
  const results = new Map<string, SizeStory['largestResults'][number]>();
  let before: RequestSizes | undefined;
  for (const row of rows) {
    const { sizes, key, turn = '', step = 0, model = '' } = row;
    if (!sizes) continue;
    const limit = limitOf(row);
    bars.push({
      ...{ key, turn, step, model, bytes: row.up, segments: segmentsOf(sizes), growth: growthOf(sizes, before) },
      ...(row.inputTokens === undefined ? {} : { tokens: row.inputTokens }),
      ...(limit ? { limit } : {}),
    });
    for (const tool of sizes.tools) tools.set(tool.name, tool);
    for (const result of sizes.results) if (!results.has(result.callId)) results.set(result.callId, { key, ...result });
    before = sizes;
  }
  return { bars, largestTools: largest(tools.values()), largestResults: largest(results.values()) };
}
