import { parse, type ParseError } from 'jsonc-parser';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { readEntries, type Paste } from './readPaste.ts';
import { problem, type PasteProblem } from './told.ts';

/** Reads the servers in a file of another product: JSON with comments, or YAML by its name. A problem where it cannot be read. */
export async function readProductFile(file: string, text: string): Promise<Paste> {
  if (text.trim() === '') return { kind: 'servers', servers: [], inputs: [], notes: [] };
  const parsed = /\.ya?ml$/i.test(file) ? await parseYaml(text) : parseComments(text);
  if ('kind' in parsed) return parsed;
  const { value } = parsed;
  if (!hasServers(value)) return { kind: 'servers', servers: [], inputs: [], notes: [] };
  return readEntries(continued(value));
}

type Parsed = { readonly value: unknown } | PasteProblem;

function parseComments(text: string): Parsed {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { value };
  return problem('fileLine', text.slice(0, first.offset).split('\n').length);
}

/** Only Continue writes YAML; its reader is loaded for it alone. */
async function parseYaml(text: string): Promise<Parsed> {
  const { load } = await import('js-yaml');
  try {
    return { value: load(text) };
  } catch (error) {
    return problem('fileYaml', error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

/** Whether a file that holds much else names servers at all. */
function hasServers(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { mcp } = value;
  const places = [value, ...(isRecord(mcp) ? [mcp] : [])];
  const names = ['mcpServers', 'mcp_servers', 'mcp.servers', 'servers', 'context_servers'];
  return places.some((place) => names.some((name) => isFilled(place[name]))) || isFilled(oldContinue(value));
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isRecord(value) && Object.keys(value).length > 0;
}

function oldContinue(value: JsonObject): unknown {
  const { experimental } = value;
  return isRecord(experimental) ? experimental['modelContextProtocolServers'] : undefined;
}

/** Continue's secrets become inputs, and its old list, whose entries have no names, gets them from the commands. */
function continued(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const text = JSON.stringify(value).replaceAll(/\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/g, '<$1>');
  const plain: unknown = JSON.parse(text);
  if (!isRecord(plain)) return plain;
  const old = oldContinue(plain);
  if (!Array.isArray(old) || isFilled(plain['mcpServers'])) return plain;
  return {
    mcpServers: old.map((entry: unknown, index) =>
      isRecord(entry) ? { name: `continue-${index + 1}`, ...entry } : entry,
    ),
  };
}
