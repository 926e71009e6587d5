import { MARK_PATTERN } from './secretMarks.ts';
import type { EntryOf } from './wireEntry.ts';

/** The shells that a command can be quoted for. */
export type CurlShell = 'sh' | 'cmd' | 'powershell';

/** Headers that the tool makes itself. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
]);

/** A text in pieces: what can be written down, and names of variables for what is hidden. */
type Piece = { readonly text: string } | { readonly variable: string };

/** `MCP_TOKEN` for credentials, `MCP_SESSION` for the session, else by the name that they stand under. */
function variableFor(mark: string, name: string): string {
  if (mark.startsWith('[session')) return 'MCP_SESSION';
  if (/^(?:proxy-)?authorization$/i.test(name)) return 'MCP_TOKEN';
  const hash = /#([0-9a-f]{4})/.exec(mark)?.[1] ?? '';
  return name === '' ? `MCP_SECRET_${hash}` : `MCP_${name.toUpperCase().replaceAll(/\W/g, '_')}`;
}

function piecesOf(text: string, name: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(MARK_PATTERN)) {
    pieces.push({ text: text.slice(from, match.index) }, { variable: variableFor(match[0], name) });
    from = match.index + match[0].length;
  }
  pieces.push({ text: text.slice(from) });
  return pieces.filter((piece) => !('text' in piece) || piece.text !== '');
}

/** For POSIX shells: texts in single quotes, variables in double ones beside them. */
function quoteSh(pieces: readonly Piece[]): string {
  const quoted = pieces.map((piece) =>
    'variable' in piece ? `"$${piece.variable}"` : `'${piece.text.replaceAll("'", String.raw`'\''`)}'`,
  );
  return quoted.join('') || "''";
}

/** For cmd.exe: the quotes themselves are escaped too, so that a caret guards every special character inside. */
function quoteCmd(pieces: readonly Piece[]): string {
  const escape = (text: string): string =>
    text
      .replaceAll(/(\\*)"/g, String.raw`$1$1\"`)
      .replaceAll(/(\\+)$/g, '$1$1')
      .replaceAll(/[^\w\s\-:=+~/.,?;*`@[\]{}']/g, '^$&')
      .replaceAll(/\r?\n/g, '^\n\n');
  const inner = pieces.map((piece) => ('variable' in piece ? `%${piece.variable}%` : escape(piece.text))).join('');
  return `^"${inner}^"`;
}

/** For PowerShell: single-quoted texts and variables of the environment, added up. */
function quotePowerShell(pieces: readonly Piece[]): string {
  const quoted = pieces.map((piece) =>
    'variable' in piece ? `$env:${piece.variable}` : `'${piece.text.replaceAll("'", "''")}'`,
  );
  return quoted.length > 1 ? `(${quoted.join(' + ')})` : (quoted[0] ?? "''");
}

function headersOf(request: EntryOf<'http-request'>): [string, string][] {
  return Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
}

/** The request as a command; what was hidden is a variable. A stream is told as it arrives (`-N`). */
export function toCurl(request: EntryOf<'http-request'>, shell: CurlShell): string {
  if (shell === 'powershell') return toPowerShell(request);
  const quote = shell === 'sh' ? quoteSh : quoteCmd;
  const body = request.body?.text;
  const words = [
    `curl -N -X ${request.method} ${quote(piecesOf(request.url, ''))}`,
    ...headersOf(request).map(
      ([name, value]) => `-H ${quote([{ text: `${name}: ` }, ...piecesOf(value, name)].reduce(joinTexts, []))}`,
    ),
    ...(body === undefined || body === '' ? [] : [`--data-raw ${quote(piecesOf(body, ''))}`]),
  ];
  return words.join(shell === 'sh' ? ' \\\n  ' : ' ^\n  ');
}

function joinTexts(pieces: readonly Piece[], piece: Piece): Piece[] {
  const last = pieces.at(-1);
  if (last && 'text' in last && 'text' in piece) return [...pieces.slice(0, -1), { text: last.text + piece.text }];
  return [...pieces, piece];
}

function toPowerShell(request: EntryOf<'http-request'>): string {
  const headers = headersOf(request);
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const others = headers.filter(([name]) => !/^(?:content-type|user-agent)$/i.test(name));
  const table = others.map(
    ([name, value]) => `  ${quotePowerShell([{ text: name }])} = ${quotePowerShell(piecesOf(value, name))}`,
  );
  const body = request.body?.text;
  const words = [
    `Invoke-WebRequest -Method ${request.method} -Uri ${quotePowerShell(piecesOf(request.url, ''))}`,
    ...(table.length > 0 ? [`-Headers @{\n${table.join('\n')}\n}`] : []),
    ...(type === undefined ? [] : [`-ContentType ${quotePowerShell(piecesOf(type, ''))}`]),
    ...(body === undefined || body === '' ? [] : [`-Body ${quotePowerShell(piecesOf(body, ''))}`]),
  ];
  return words.join(' `\n');
}
