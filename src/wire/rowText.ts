import { formatBytes, formatDuration } from './format.ts';
import type { Row } from './row.ts';
import type { WireBody, WireEntry } from './wireEntry.ts';
import type { WireSession } from './wireSession.ts';

/** A row as one line of tab-separated text, as one pastes it into a report. */
export function rowLine(row: Row): string {
  const time = new Date(row.at).toISOString();
  const duration = row.end === undefined ? '' : formatDuration(row.end - row.at);
  const status = [row.status, row.state]
    .filter((part, index, parts) => part !== '' && parts.indexOf(part) === index)
    .join(' ');
  return [
    row.number,
    time,
    row.kind,
    row.model ?? row.server,
    row.method,
    row.what,
    status,
    formatBytes(row.up),
    formatBytes(row.down),
    duration,
  ]
    .flatMap((part) => (part === undefined ? [] : [String(part).replaceAll(/\s+/g, ' ')]))
    .join('\t');
}

/** What is kept of a body, with a word where it is not whole. */
function kept(body: WireBody): string {
  if (body.omitted) return `(${formatBytes(body.bytes)}, not kept)`;
  return body.text;
}

/** The text that stands for a row: the answer where there is one, else what was sent, else the row itself. */
export function rowValue(session: WireSession, row: Row): string {
  const { sent, received } = session.valueOf(row.key);
  const body = received ?? sent;
  return body ? kept(body) : row.what;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Everything about a row as one text for an editor: one body as it is, two as members `sent` and `received`. */
export function rowDocument(session: WireSession, row: Row): string {
  const { sent, received } = session.valueOf(row.key);
  if (sent && received) return JSON.stringify({ sent: parsed(kept(sent)), received: parsed(kept(received)) });
  return rowValue(session, row);
}

/** The entries of a row as JSON. */
export function rowJson(entries: readonly WireEntry[]): string {
  return JSON.stringify(entries, undefined, 2);
}
