import { isRecord, type JsonObject } from '../../base/json.ts';

/** Programs that run another one, whose name says more than their own. */
const RUNNERS =
  /^(npx|bunx|pnpx|uvx|pipx|npm|pnpm|yarn|bun|uv|node|deno|tsx|python[\d.]*|py|docker|podman|dotnet|java|env|cmd|bash|sh)(\.exe|\.cmd)?$/i;

/** Words of runners that are no names: `npm exec`, `docker run`, `python -m`. */
const VERBS = new Set(['run', 'exec', 'x', 'dlx', 'tool', '/c', 'create', 'start', 'stdio', 'serve', 'sse', 'http']);

/** Options of runners that take the next word with them. */
const WITH_VALUE = new Set(
  '-e --env -v --volume --mount -p --publish --name --network --env-file -w --workdir --entrypoint --platform --directory --from --with --python --package'.split(
    ' ',
  ),
);

/** A short name for a server by what starts or reaches it. Never empty. */
export function proposeName(entry: JsonObject): string {
  const { url, command, args } = entry;
  if (typeof url === 'string') return nameOfUrl(url);
  const words = Array.isArray(args) ? args.map(String) : [];
  return nameOfCommand(typeof command === 'string' ? command : '', words);
}

/** A name that no other server has: `name`, else with a number behind it. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

/** The name that a server gives itself, as a name here; undefined where it says nothing of use. */
export function nameOfServerInfo(info: unknown): string | undefined {
  if (!isRecord(info)) return undefined;
  const { name } = info;
  return typeof name === 'string' ? cleaned(name) : undefined;
}

function nameOfUrl(text: string): string {
  if (!URL.canParse(text)) return 'server';
  const { hostname, pathname } = new URL(text);
  const labels = hostname.replace(/^\[|\]$/g, '').split('.');
  const isAddress = labels.length < 2 || /^[\d.:a-f]+$/i.test(hostname.replace(/^\[|\]$/g, ''));
  const ofPath = pathname
    .split('/')
    .map((step) => cleaned(step))
    .filter((step) => step !== undefined && !/^(sse|mcp|api|v\d+|messages?|stream)$/i.test(step))[0];
  if (isAddress) return ofPath ?? 'local';
  const meaningful = labels.slice(0, -1).filter((label) => !/^(www|api|mcp|app|server|co|com)$/i.test(label));
  return cleaned(meaningful.at(-1) ?? labels[0] ?? '') ?? 'server';
}

function nameOfCommand(command: string, args: readonly string[]): string {
  const program = baseName(command);
  const words = RUNNERS.test(program) ? [...namesAmong(args)] : [program];
  // A remote that is reached through a bridge is named after the remote.
  const remote = args.find((word) => /^https?:\/\//i.test(word));
  const word = words[0] ?? program;
  if (remote !== undefined && /remote|proxy/i.test(word)) return nameOfUrl(remote);
  return nameOfPackage(word);
}

/** The words that may name what is run: neither options nor their values. */
function* namesAmong(args: readonly string[]): Generator<string> {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (WITH_VALUE.has(word)) at++;
    else if (!word.startsWith('-') && !VERBS.has(word.toLowerCase()) && !/^\w+=/.test(word) && !RUNNERS.test(word))
      yield word;
  }
}

/** `@scope/server-github@1.2` → `github`, `mcp-server-time` → `time`, `ghcr.io/x/github-mcp-server:latest` → `github`. */
function nameOfPackage(text: string): string {
  const base = baseName(text)
    .replace(/(?<=.)[@:].*$/, '')
    .replace(/\.(?:[cm]?[jt]s|py|exe|cmd|bat|sh|jar|dll)$/i, '');
  const scope = /^@([^/]+)\//.exec(text)?.[1];
  const short = base.replaceAll(/(?:^|[-_.])(?:mcp|server|modelcontextprotocol)(?=[-_.]|$)/gi, '');
  const generic = /^(?:|index|main|dist|build|app|cli|src)$/i;
  const folder = text
    .split(/[\\/]/)
    .slice(0, -1)
    .findLast((step) => !generic.test(step) && !/^(?:dist|build|src|out|lib|bin|\.)$/i.test(step));
  const chosen = generic.test(cleaned(short) ?? '') ? (scope ?? folder ?? base) : short;
  return cleaned(chosen) ?? 'server';
}

function baseName(text: string): string {
  return text.split(/[\\/]/).findLast((step) => step !== '') ?? text;
}

/** Letters, digits, `-`, `_` and `.`, at most 40; undefined where nothing is left. */
function cleaned(text: string): string | undefined {
  const name = text
    .trim()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-_.]+|[-_.]+$/g, '');
  return name === '' ? undefined : Array.from(name).slice(0, 40).join('');
}
