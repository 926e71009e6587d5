/** Where a peer finds the benchmark's server. */
export type Target =
  | { readonly transport: 'sse' | 'http'; readonly url: string }
  | { readonly transport: 'unknown'; readonly url: string }
  | { readonly transport: 'stdio'; readonly command: string; readonly args: readonly string[] };

/** What every peer is asked for. */
export interface Session {
  /** All pages, as whoever offers the tools keeps them. */
  listTools(): Promise<readonly unknown[]>;
  /** Calls `echo` or `big`; the text of the answer. */
  call(name: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export interface Peer {
  /** Imports the library; the result connects. */
  load(): Promise<(target: Target) => Promise<Session>>;
}

/** `recorded` is ours with the wire record on. */
export type PeerName = 'floor' | 'ours' | 'sdk1' | 'sdk2' | 'recorded';

/** The text of a tool result's first block. */
export function textOf(result: unknown): string {
  const content = typeof result === 'object' && result !== null && 'content' in result ? result.content : undefined;
  const block: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string'
    ? block.text
    : '';
}
