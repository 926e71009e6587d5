/** Servers that a step calls by name: "on the billing server", "with server2", "在 billing 服务器上". */
import type { ModelTool } from '../chatModel.ts';

/** What is left of a step when the words that only say where are taken out, and the tools that are there. */
export interface Place {
  readonly text: string;
  readonly tools: readonly ModelTool[];
}

/** The tools of each server by its name in lower case; worked out once a list. */
const known = new WeakMap<readonly ModelTool[], ReadonlyMap<string, readonly ModelTool[]>>();

/** Where a step says that it is to be done; undefined where it names no server, or all tools are of one server. */
export function namedPlace(text: string, tools: readonly ModelTool[]): Place | undefined {
  const servers = serversOf(tools);
  if (servers.size < 2) return undefined;
  const lower = text.toLowerCase();
  for (const [name, own] of servers) {
    if (name === '' || !lower.includes(name)) continue;
    const rest = withoutPlace(text, name);
    if (rest !== undefined) return { text: rest, tools: own };
  }
  return undefined;
}

/** The text without "on the X server" and its like; undefined where the name means something else in it. */
function withoutPlace(text: string, name: string): string | undefined {
  const quoted = name.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  const preposition = String.raw`(?:on|at|from|in|of|via|using|with|through|by)\s+(?:the\s+)?`;
  const edge = String.raw`(?<![\p{L}\d_-])`;
  const end = String.raw`(?![\p{L}\d_-])`;
  const mark = '["\'`]?';
  const withWord = `(?:${mark}${quoted}${mark}\\s+(?:mcp\\s+)?server${end}|(?:mcp\\s+)?server\\s+${mark}${quoted}${mark}${end})`;
  const chinese = `(?:在|用|使用|通过|从)?\\s*${mark}${quoted}${mark}\\s*服务器(?:上的|上|里的|里|中的|中|的)?|(?:在|用|使用|通过|从)?\\s*服务器\\s*${mark}${quoted}${mark}\\s*(?:上的|上|里的|里|中的|中|的)?`;
  const forms = [`${edge}(?:${preposition})?${withWord}`, chinese];
  // A name that looks like one needs no "server" beside it: nobody calls a thing "server7" or "my-files".
  if (/[\d_-]/.test(name)) forms.push(`${edge}${preposition}${mark}${quoted}${mark}${end}`);
  const pattern = new RegExp(forms.join('|'), 'giu');
  return pattern.test(text)
    ? text
        .replaceAll(pattern, ' ')
        .replaceAll(/\s+/g, ' ')
        .replace(/^[\s,，;]+/, '')
        .trim()
    : undefined;
}

function serversOf(tools: readonly ModelTool[]): ReadonlyMap<string, readonly ModelTool[]> {
  const present = known.get(tools);
  if (present !== undefined) return present;
  const servers = new Map<string, ModelTool[]>();
  for (const tool of tools) {
    const name = serverOf(tool);
    const own = servers.get(name);
    if (own === undefined) servers.set(name, [tool]);
    else own.push(tool);
  }
  // Longer names first: "billing-test" must not be taken for "billing".
  const sorted = new Map([...servers].sort(([a], [b]) => b.length - a.length));
  known.set(tools, sorted);
  return sorted;
}

/** The agent writes the server's name at the end of each description. */
function serverOf({ description }: ModelTool): string {
  return (/ \(server: ([^()]*)\)$/.exec(description)?.[1] ?? '').toLowerCase();
}
