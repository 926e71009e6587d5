/** What the benchmark's servers answer, over whatever transport. */

/** Tools of one page. */
const PAGE = 250;

/** The list of `total` tools, a quarter of them with an output schema, in pages that are serialised once. */
const pages = new Map<string, string>();

function page(total: number, cursor: number): string {
  const key = `${total}/${cursor}`;
  const known = pages.get(key);
  if (known !== undefined) return known;
  const tools = Array.from({ length: Math.min(PAGE, total - cursor) }, (_, index) => tool(cursor + index));
  const next = cursor + PAGE < total ? { nextCursor: String(cursor + PAGE) } : {};
  const text = JSON.stringify({ tools, ...next });
  pages.set(key, text);
  return text;
}

function tool(index: number): object {
  const properties = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `field${at}`,
      { type: at % 2 ? 'string' : 'number', description: `The field number ${at} of the tool number ${index}` },
    ]),
  );
  const schema = { type: 'object', properties, required: ['field0'] };
  return {
    name: `tool_${index}`,
    description: `Does the thing number ${index} to the things that are given, and tells what came of it.`,
    inputSchema: schema,
    ...(index % 4 === 0 && { outputSchema: schema }),
  };
}

const bigTexts = new Map<number, string>();

function big(bytes: number): string {
  const known =
    bigTexts.get(bytes) ?? JSON.stringify({ content: [{ type: 'text', text: 'abcdefgh'.repeat(bytes / 8) }] });
  bigTexts.set(bytes, known);
  return known;
}

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly cursor?: string;
    readonly name?: string;
    readonly arguments?: { readonly text?: string; readonly bytes?: number };
  };
}

/** The JSON of the answer, or undefined for a notification. `total` is the number of tools. */
export function answerTo(body: string, total: number): string | undefined {
  const { id, method, params }: Message = JSON.parse(body);
  if (id === undefined) return undefined;
  const result = resultOf(method, params, total);
  const rest = result === undefined ? `"error":{"code":-32601,"message":"no ${method}"}` : `"result":${result}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`;
}

function resultOf(method: string, params: Message['params'], total: number): string | undefined {
  if (method === 'initialize') {
    const protocolVersion = params?.protocolVersion ?? '2025-06-18';
    return JSON.stringify({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'bench', version: '1' },
    });
  }
  if (method === 'ping') return '{}';
  if (method === 'tools/list') return page(total, Number(params?.cursor ?? 0));
  if (method !== 'tools/call') return undefined;
  if (params?.name === 'big') return big(params.arguments?.bytes ?? 8);
  return JSON.stringify({ content: [{ type: 'text', text: params?.arguments?.text ?? '' }] });
}
