import { isRecord, type JsonObject } from '../../src/base/json.ts';

/** What a scripted server says to one message: the result of a request, or an error; undefined leaves it to the rest of the script. */
export type Reply = { readonly result: unknown } | { readonly error: unknown } | undefined;

/** What a server answers, by method. */
export interface McpScript {
  readonly protocolVersion?: string;
  readonly capabilities?: JsonObject;
  readonly instructions?: string;
  /** The tools, or the pages of them. */
  readonly tools?: readonly unknown[];
  /** Comes first; what it leaves undefined is answered by the script's other members. */
  readonly reply?: (message: JsonObject) => Reply | 'silence' | Promise<Reply | 'silence'>;
}

/** Two tools in the manner of a users server. */
export const userTools = [
  { name: 'getUsers', description: 'List the users', inputSchema: { type: 'object', properties: {}, required: [] } },
  {
    name: 'addUser',
    description: 'Add a user',
    inputSchema: {
      type: 'object',
      properties: {
        arg0: {
          type: 'object',
          properties: { email: { type: 'string' }, name: { type: 'string' } },
          required: ['email', 'name'],
          description: 'user to add',
        },
      },
      required: ['arg0'],
      additionalProperties: false,
    },
  },
];

/** The script's reply to a message; undefined for notifications, answers, and requests that it leaves open. */
export async function replyTo(script: McpScript, message: JsonObject): Promise<Reply> {
  const own = await script.reply?.(message);
  if (own === 'silence') return undefined;
  if (own) return own;
  switch (message['method']) {
    case 'initialize':
      return {
        result: {
          protocolVersion: script.protocolVersion ?? '2024-11-05',
          capabilities: script.capabilities ?? { logging: {}, tools: { listChanged: true } },
          serverInfo: { name: 'scripted', version: '1.0.0' },
          ...(script.instructions !== undefined && { instructions: script.instructions }),
        },
      };
    case 'tools/list':
      return { result: { tools: script.tools ?? userTools } };
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: textOf(message) }], isError: false } };
    default:
      return undefined;
  }
}

/** Echoes the call, so that each answer can be told from another. */
function textOf(message: JsonObject): string {
  const { name, arguments: args } = isRecord(message['params']) ? message['params'] : {};
  return `${String(name)} ${JSON.stringify(args)}`;
}
