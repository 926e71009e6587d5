import { isRecord } from '../../base/json.ts';

/** What a line of a server's stdout is. */
export type StdoutLine = { readonly message: unknown } | { readonly noise: string };

// oxlint-disable-next-line no-control-regex
const TERMINAL_CODES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;

/**
 * Reads one line of a server's stdout (MCP, transports: stdio). Servers and what starts them print banners, logs and colours there too:
 * only JSON-RPC counts, alone on its line or behind text that was printed without a line end.
 */
export function readStdoutLine(line: string): StdoutLine | undefined {
  if (line.startsWith('{') || line.startsWith('[')) {
    const message = parseMessage(line);
    if (message !== undefined) return { message };
  }
  const text = line.replaceAll(TERMINAL_CODES, '').trim();
  if (text === '') return undefined;
  const start = text.search(/\{\s*"(?:jsonrpc|id|result|error|method)"\s*:/);
  const message = start < 0 ? undefined : (parseMessage(text.slice(start)) ?? parseSeveral(text.slice(start)));
  return message === undefined ? { noise: text } : { message };
}

/** Messages of servers that forget the line end between them, as a batch. In a text of JSON these signs cannot follow on each other. */
function parseSeveral(text: string): unknown {
  const parts = text.split(/(?<=\})\s*(?=\{\s*"jsonrpc"\s*:)/);
  const messages = parts.length > 1 ? parts.map(parseMessage) : [];
  return messages.length > 0 && !messages.includes(undefined) ? messages : undefined;
}

function parseMessage(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isMessage(value) ? value : undefined;
  } catch {
    // No JSON is no fault here: the line is told as noise.
    return undefined;
  }
}

/** JSON-RPC, or a batch of it. A log line may be JSON too, so without `jsonrpc` only what has the shape of an answer counts. */
function isMessage(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => !Array.isArray(item) && isMessage(item));
  if (!isRecord(value)) return false;
  return 'jsonrpc' in value || ('id' in value && ('result' in value || 'error' in value) && !('method' in value));
}
