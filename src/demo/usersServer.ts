import { isRecord, type JsonObject } from '../base/json.ts';

/** The server that is one click away: three tools over a list of made-up users in memory. For demonstration only. */

interface User {
  readonly name: string;
  readonly email: string;
}

const revisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const text = { type: 'string' };
const noArguments = { type: 'object', properties: {}, additionalProperties: false };

const tools: readonly JsonObject[] = [
  {
    name: 'getUsers',
    title: 'Get users',
    description: 'Lists all users with their names and email addresses.',
    inputSchema: noArguments,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'addUser',
    title: 'Add a user',
    description: 'Adds a user with a name and an email address.',
    inputSchema: { type: 'object', properties: { name: text, email: text }, required: ['name', 'email'] },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
  {
    name: 'removeUser',
    title: 'Remove a user',
    description: 'Removes the user of that name.',
    inputSchema: { type: 'object', properties: { name: text }, required: ['name'] },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  },
];

/** One demonstration, with its own list of users. */
export class UsersServer {
  #users: readonly User[] = [
    { name: 'John', email: 'john@example.com' },
    { name: 'Jane', email: 'jane@example.com' },
  ];

  /** The answer to one JSON-RPC message; undefined for a notification. */
  answer(message: unknown): JsonObject | undefined {
    if (!isRecord(message)) return { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Invalid request' } };
    const { id, method } = message;
    if (id === undefined || typeof method !== 'string') return undefined;
    const params = isRecord(message['params']) ? message['params'] : {};
    const result = this.#result(method, params);
    if (result) return { jsonrpc: '2.0', id, result };
    return { jsonrpc: '2.0', id, error: { code: -32_601, message: `There is no method ${method}` } };
  }

  #result(method: string, params: JsonObject): JsonObject | undefined {
    switch (method) {
      case 'initialize':
        return welcome(params['protocolVersion']);
      case 'ping':
        return {};
      case 'tools/list':
        return { tools };
      case 'tools/call':
        return this.#call(String(params['name']), isRecord(params['arguments']) ? params['arguments'] : {});
      default:
        return undefined;
    }
  }

  #call(name: string, args: JsonObject): JsonObject {
    const { name: user, email } = args;
    if (name === 'getUsers') return said(JSON.stringify(this.#users));
    if (name === 'addUser' && isText(user) && isText(email)) return this.#add({ name: user, email });
    if (name === 'removeUser' && isText(user)) return this.#remove(user);
    return failed(
      tools.some((tool) => tool['name'] === name)
        ? `${name} needs its arguments as text.`
        : `There is no tool ${name}.`,
    );
  }

  #add(user: User): JsonObject {
    if (this.#users.some(({ name }) => name === user.name)) return failed(`There is a user ${user.name} already.`);
    this.#users = [...this.#users, user];
    return said(`Added ${user.name}.`);
  }

  #remove(wanted: string): JsonObject {
    const left = this.#users.filter(({ name }) => name !== wanted);
    if (left.length === this.#users.length) return failed(`There is no user ${wanted}.`);
    this.#users = left;
    return said(`Removed ${wanted}.`);
  }
}

function welcome(asked: unknown): JsonObject {
  const protocolVersion = revisions.find((revision) => revision === asked) ?? revisions[0];
  return {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'demo-users', title: 'Demo users', version: '1.0.0' },
    instructions: 'A demonstration: made-up users, kept in memory and gone when this server ends.',
  };
}

function said(words: string): JsonObject {
  return { content: [{ type: 'text', text: words }] };
}

function failed(words: string): JsonObject {
  return { ...said(words), isError: true };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
