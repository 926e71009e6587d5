import { failedOutcome, type Tool, type ToolOutcome } from '../tools/tool.ts';
import type { Conversation } from './conversation.ts';
import { rankTools } from './rankTools.ts';

const mostFound = 10;
/** Characters of each description in the answer. */
const longestDescription = 200;

const inputSchema = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What the tool should do, in a few English words' } },
  required: ['query'],
} as const;

/** The agent's own tool that finds others where too many exist to offer them all. What it finds is offered from the next step on. */
export function searchTools(tools: readonly Tool[], conversation: Conversation): Tool {
  return {
    name: 'search_tools',
    server: '',
    serverIdentity: '',
    tool: 'search_tools',
    title: 'Search for tools',
    description:
      'More tools exist than are offered here. Searches all of them by what they do; those that it finds can be called in the next step.',
    inputSchema,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    approvalKey: { server: '', tool: 'search_tools', definition: '' },
    call: async ({ query }) => search(typeof query === 'string' ? query : '', tools, conversation),
  };
}

function search(query: string, tools: readonly Tool[], conversation: Conversation): ToolOutcome {
  const found = rankTools(tools, query, mostFound);
  if (found.length === 0) {
    return failedOutcome(`None of ${tools.length} tools fits "${query}". Try other words for what it should do.`);
  }
  for (const { name } of found.toReversed()) conversation.activate(name);
  const text = ['These tools can be called now, the best first:', ...found.map(describe)].join('\n');
  return { isError: false, content: [{ type: 'text', text }], parts: [{ kind: 'text', text }] };
}

function describe({ name, server, title, description }: Tool): string {
  const words = (description.trim() || title || '').replaceAll(/\s+/g, ' ');
  const short = words.length > longestDescription ? `${words.slice(0, longestDescription)}…` : words;
  return `- ${name} (server: ${server}): ${short}`;
}
