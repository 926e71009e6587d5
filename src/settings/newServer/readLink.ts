import { isRecord, parseJson, type JsonObject } from '../../base/json.ts';
import { problem, type PasteProblem } from './told.ts';

/** What an install link asks for: the value in some product's spelling. */
export type Link = { readonly kind: 'link'; readonly value: unknown; readonly name?: string } | PasteProblem;

/** More than any honest link carries, in characters. */
const longest = 32_768;

/** Reads an install link of ours or of another product, also through a web page that forwards to one. Undefined for any other text. */
export function readLink(text: string): Link | undefined {
  if (/\s/.test(text.trim()) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const place = `${url.host}${url.pathname}`.replace(/\/$/, '');
  if (/^(?:vscode|vscode-insiders):$/.test(url.protocol) && /^mcp\/install$/.test(place))
    return readAddQuery(url.search.slice(1));
  if (/^(?:mcp-agent\.mcp-agent\/add|anysphere\.cursor-deeplink\/mcp\/install)$/i.test(place))
    return readAddQuery(url.search.slice(1));
  const isForwarding =
    /^(?:(?:insiders\.)?vscode\.dev\/redirect\/mcp\/install|cursor\.com\/(?:\w\w\/)?install-mcp)$/i.test(place);
  if (isForwarding) return readAddQuery(url.search.slice(1));
  const forwarded = /^(?:insiders\.)?vscode\.dev\/redirect$/i.test(place) ? url.searchParams.get('url') : null;
  return forwarded === null ? undefined : readLink(forwarded);
}

/**
 * Reads what stands behind the `?` of an add link: one JSON object (percent-encoded), or the fields `name` and `config` (JSON, plain
 * or Base64), or `name` and `url` (with `type` and `header`), or `name` and `command` (with `args` and `env`, as often as needed).
 */
export function readAddQuery(query: string): Link {
  if (query.length > longest) return problem('linkTooLong', longest);
  const whole = decode(query);
  if (whole === undefined) return problem('linkPercent');
  if (whole.trim() === '') return problem('linkEmpty');
  if (whole.trimStart().startsWith('{')) return readJson(whole, undefined);
  const fields = new URLSearchParams(query);
  const name = fields.get('name') ?? undefined;
  if (name?.trim() === '') return problem('linkNoName');
  const config = fields.get('config');
  if (config !== null) return readJson(jsonOf(config), name);
  return readFields(fields, name);
}

function readFields(fields: URLSearchParams, name: string | undefined): Link {
  const url = fields.get('url');
  const command = fields.get('command');
  if (url !== null && command !== null) return problem('linkBoth');
  if (url === null && command === null) return problem('linkEmpty');
  const value: JsonObject =
    url === null
      ? { command, args: fields.getAll('args'), env: pairs(fields.getAll('env'), '=') }
      : { url, type: fields.get('type') ?? undefined, headers: pairs(fields.getAll('header'), ':') };
  return { kind: 'link', value, ...(name !== undefined && { name }) };
}

function pairs(texts: readonly string[], mark: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(mark);
      return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}

function readJson(text: string, name: string | undefined): Link {
  const parsed = parseJson(text);
  if (!parsed.ok) return problem('linkNoJson', parsed.reason);
  if (!isRecord(parsed.value)) return problem('linkNoObject');
  return { kind: 'link', value: parsed.value, ...(name !== undefined && { name }) };
}

/** Base64 (also of the kind for URLs) becomes its text; anything else stays. */
function jsonOf(config: string): string {
  if (config.trimStart().startsWith('{')) return config;
  const plain = config.replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]+=*$/.test(plain)) return config;
  return Buffer.from(plain, 'base64').toString('utf8');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
