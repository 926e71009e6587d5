import { failedOutcome, type Tool, type ToolOutcome } from '../tools/tool.ts';
import { safeStart } from './largeResult.ts';
import type { ResultStore } from './resultStore.ts';

const mostHits = 20;
/** Characters shown on each side of a hit. */
const aroundHit = 200;

const inputSchema = {
  type: 'object',
  properties: {
    call_id: { type: 'string', description: 'The call whose result was shortened' },
    offset: { type: 'integer', minimum: 0, description: 'The character to begin with' },
    find: { type: 'string', description: 'Words to look for, instead of an offset' },
  },
  required: ['call_id'],
} as const;

/** The agent's own tool with which a model reads on, or searches, in a result that was too large to be shown. */
export function readResultTool(store: ResultStore, limit: number): Tool {
  return {
    name: 'read_result',
    server: '',
    serverIdentity: '',
    tool: 'read_result',
    title: 'Read on in a large result',
    description:
      'Reads on in, or searches, the result of an earlier call that was too large to be shown in full. It calls no server.',
    inputSchema,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    approvalKey: { server: '', tool: 'read_result', definition: '' },
    call: async (args) => read(args, store, limit),
  };
}

async function read(args: Readonly<Record<string, unknown>>, store: ResultStore, limit: number): Promise<ToolOutcome> {
  const text = typeof args.call_id === 'string' ? await store.read(args.call_id) : undefined;
  if (text === undefined) {
    return failedOutcome(
      `The result of ${JSON.stringify(args.call_id)} is not kept (any more). Make that call again if you need it.`,
    );
  }
  if (typeof args.find === 'string' && args.find !== '') return found(text, args.find, limit);
  return slice(text, Number(args.offset ?? 0), limit);
}

function slice(text: string, offset: number, limit: number): ToolOutcome {
  if (!(offset >= 0 && offset < text.length)) {
    return failedOutcome(`The offset must be from 0 to ${text.length - 1}: the result has ${text.length} characters.`);
  }
  const start = safeStart(text, Math.floor(offset));
  const end = safeStart(text, Math.min(text.length, start + limit));
  const rest = end < text.length ? `Read on with offset ${end}.` : 'This is its end.';
  return told(`[Characters ${start} to ${end} of ${text.length}. ${rest}]\n${text.slice(start, end)}`);
}

function found(text: string, words: string, limit: number): ToolOutcome {
  const places = placesOf(text.toLowerCase(), words.toLowerCase());
  if (places.length === 0) return told(`"${words}" does not occur in the ${text.length} characters of the result.`);
  const count = Math.min(mostHits, places.length, Math.max(1, Math.floor(limit / (2 * aroundHit + words.length + 40))));
  const shown = places.slice(0, count).map((place) => `[At ${place}] …${around(text, place, words.length)}…`);
  return told(
    `[${places.length} places, ${count} shown; read around one with its number as the offset]\n${shown.join('\n')}`,
  );
}

function placesOf(text: string, words: string): number[] {
  const places: number[] = [];
  let end = 0;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    // What stands in the surroundings of a hit that is shown needs no place of its own.
    if (places.length === 0 || at > end) {
      places.push(at);
      end = at + aroundHit;
    }
  }
  return places;
}

function around(text: string, place: number, length: number): string {
  return text.slice(
    safeStart(text, Math.max(0, place - aroundHit)),
    safeStart(text, Math.min(text.length, place + length + aroundHit)),
  );
}

function told(text: string): ToolOutcome {
  return { isError: false, content: [{ type: 'text', text }], parts: [{ kind: 'text', text }] };
}
