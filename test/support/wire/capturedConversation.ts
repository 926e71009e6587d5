import type { TapFact } from '../../../src/base/tap.ts';

/** A fact and when it happened, in milliseconds after the first. */
export interface TimedFact {
  readonly at: number;
  readonly fact: TapFact;
}

/** The name of the server. */
export const SERVER = 'spring-ai-mcp-sample';
/** The id of its session. */
export const SESSION = '3e19fbcd-51f4-4784-9f63-538c9a203859';
const ORIGIN = 'http://nio.local:8080';
const MODEL_URL = 'http://127.0.0.1:11434/v1/chat/completions';
/** What the person asked. */
const TASK =
  'First, help me check the user list to see if there is a user named Carson. If not, add a new user: Carson carson@example.com; then check the list again to see if the new user was added successfully. Finally, say hello to Carson.';

const mcp = { connection: 'spring-ai-mcp-sample#1', server: SERVER, peer: 'mcp' } as const;
const model = { connection: 'ollama#1', server: 'ollama', peer: 'model' } as const;

const users = '[{"name":"John","email":"john@example.com"},{"name":"Jane","email":"jane@example.com"}]';
const usersAfter = `${users.slice(0, -1)},{"name":"Carson","email":"carson@example.com"}]`;
const userSchema = {
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
};
const noArguments = { type: 'object', properties: {}, required: [], additionalProperties: false };
/** The tools that the server lists. */
export const tools = [
  { name: 'getUsers', description: 'Get all users', inputSchema: noArguments },
  { name: 'addUser', description: 'Add a new user', inputSchema: userSchema },
  {
    name: 'deleteUser',
    description: 'Delete a user by name',
    inputSchema: { ...noArguments, properties: { arg0: { type: 'string' } } },
  },
  { name: 'countUsers', description: 'Count all users', inputSchema: noArguments },
];
const offered = tools.map(({ name, description, inputSchema }) => ({
  type: 'function',
  function: { name: `bb7_${name}`, description, parameters: inputSchema },
}));

/** Tells facts in order, some milliseconds apart. */
class Story {
  readonly facts: TimedFact[] = [];
  at = 0;
  #exchange = 0;

  after(milliseconds: number, fact: TapFact): void {
    this.at += milliseconds;
    this.facts.push({ at: this.at, fact });
  }

  nextExchange(): number {
    this.#exchange += 1;
    return this.#exchange;
  }
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

function connect(story: Story): number {
  const stream = story.nextExchange();
  const probe = story.nextExchange();
  const headers = { accept: 'text/event-stream', 'user-agent': 'mcp-agent/0.1.0' };
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-03-26' },
  });
  const post = { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const url = `${ORIGIN}/sse`;
  story.after(0, { ...mcp, kind: 'http-request', exchange: stream, method: 'GET', url, headers });
  story.after(0.3, {
    ...mcp,
    kind: 'http-request',
    exchange: probe,
    method: 'POST',
    url,
    headers: post,
    body: initialize,
  });
  const message = JSON.parse(initialize);
  story.after(0, { ...mcp, kind: 'message', direction: 'out', message, bytes: bytesOf(initialize), exchange: probe });
  story.after(7, {
    ...mcp,
    kind: 'http-response',
    exchange: probe,
    status: 404,
    statusText: 'Not Found',
    headers: { 'content-type': 'application/json' },
  });
  const refusal = '{"status":404,"error":"Not Found","path":"/sse"}';
  story.after(0.2, { ...mcp, kind: 'http-body', exchange: probe, text: refusal, bytes: bytesOf(refusal) });
  story.after(0, { ...mcp, kind: 'http-end', exchange: probe, outcome: 'complete' });
  story.after(2, {
    ...mcp,
    kind: 'http-response',
    exchange: stream,
    status: 200,
    statusText: 'OK',
    headers: { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' },
  });
  const data = `/mcp/messages?sessionId=${SESSION}`;
  story.after(0.4, {
    ...mcp,
    kind: 'sse-event',
    exchange: stream,
    event: 'endpoint',
    id: SESSION,
    data,
    bytes: bytesOf(data),
  });
  return stream;
}

/** One JSON-RPC request over POST, its 202, and the answer on the stream. */
function rpc(
  story: Story,
  stream: number,
  message: { id?: number; method: string; params?: unknown },
  result?: unknown,
  ms = 8,
): void {
  const exchange = story.nextExchange();
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': 'mcp-agent/0.1.0',
  };
  const url = `${ORIGIN}/mcp/messages?sessionId=${SESSION}`;
  story.after(0.6, { ...mcp, kind: 'http-request', exchange, method: 'POST', url, headers, body });
  story.after(0, {
    ...mcp,
    kind: 'message',
    direction: 'out',
    message: JSON.parse(body),
    bytes: bytesOf(body),
    exchange,
  });
  story.after(3, {
    ...mcp,
    kind: 'http-response',
    exchange,
    status: 202,
    statusText: 'Accepted',
    headers: { 'content-length': '0' },
  });
  story.after(0, { ...mcp, kind: 'http-end', exchange, outcome: 'complete' });
  if (result === undefined) return;
  const answer = { jsonrpc: '2.0', id: message.id, result };
  const data = JSON.stringify(answer);
  story.after(ms, {
    ...mcp,
    kind: 'sse-event',
    exchange: stream,
    event: 'message',
    id: SESSION,
    data,
    bytes: bytesOf(data),
  });
  story.after(0, { ...mcp, kind: 'message', direction: 'in', message: answer, bytes: bytesOf(data), exchange: stream });
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** One model request with the history so far, and its streamed answer. */
function ask(
  story: Story,
  step: number,
  messages: readonly unknown[],
  answer: { text: string; calls: readonly Call[] },
): void {
  const exchange = story.nextExchange();
  const request = { model: 'gpt-4o', stream: true, messages, tools: offered };
  const body = JSON.stringify(request);
  const headers = {
    authorization: 'Bearer sk-not-a-real-key-0123456789abcdef',
    'content-type': 'application/json',
    accept: 'text/event-stream',
  };
  story.after(2, { ...model, kind: 'http-request', exchange, method: 'POST', url: MODEL_URL, headers, body });
  story.after(0, {
    ...model,
    kind: 'model-request',
    turn: 'turn-1',
    step,
    model: 'gpt-4o',
    logical: false,
    exchange,
    body: request,
    bytes: bytesOf(body),
  });
  story.after(310, {
    ...model,
    kind: 'http-response',
    exchange,
    status: 200,
    statusText: 'OK',
    headers: { 'content-type': 'text/event-stream' },
  });
  for (const delta of deltasOf(answer)) {
    const data = JSON.stringify({
      id: 'chatcmpl-BQTO863fJsOBHD4tU1LN3AEk5Uuo2',
      model: 'gpt-4o-2024-11-20',
      choices: [{ index: 0, ...delta }],
    });
    story.after(24, { ...model, kind: 'sse-event', exchange, data, bytes: bytesOf(data) });
  }
  story.after(1, { ...model, kind: 'sse-event', exchange, data: '[DONE]', bytes: 6 });
  story.after(0, { ...model, kind: 'http-end', exchange, outcome: 'complete' });
  const finish = answer.calls.length > 0 ? 'tool-calls' : 'stop';
  story.after(0, {
    ...model,
    kind: 'model-answer',
    turn: 'turn-1',
    step,
    text: answer.text,
    toolCalls: answer.calls,
    finish,
    inputTokens: 1200 + 130 * step,
    outputTokens: 24,
  });
}

function deltasOf({ text, calls }: { text: string; calls: readonly Call[] }): object[] {
  const words = text.match(/\S+\s*/g) ?? [];
  const pieces = words.map((content) => ({ delta: { content } }));
  const started = calls.map((call, index) => ({
    delta: {
      content: null,
      role: 'assistant',
      tool_calls: [{ function: { arguments: '', name: call.name }, id: call.id, index, type: 'function' }],
    },
  }));
  const filled = calls.map((call, index) => ({
    delta: { tool_calls: [{ function: { arguments: JSON.stringify(call.arguments) }, index }] },
  }));
  return [...pieces, ...started, ...filled, { delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }];
}

/**
 * The captured conversation as the tap is told of it: GET and POST together, the endpoint, the handshake, the list, and
 * getUsers → addUser → getUsers → hello, each model request with all that went before.
 */
export function capturedConversation(): TimedFact[] {
  const story = new Story();
  const stream = connect(story);
  rpc(
    story,
    stream,
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-03-26',
        capabilities: { roots: { listChanged: true } },
        clientInfo: { name: 'mcp-agent', version: '0.1.0' },
      },
    },
    {
      protocolVersion: '2024-11-05',
      capabilities: { logging: {}, tools: { listChanged: true } },
      serverInfo: { name: 'webmvc-mcp-server', version: '1.0.0' },
    },
  );
  story.after(0.3, { ...mcp, kind: 'connection-open', transport: 'sse', protocolVersion: '2024-11-05' });
  rpc(story, stream, { method: 'notifications/initialized' });
  rpc(story, stream, { id: 2, method: 'tools/list', params: {} }, { tools }, 11);
  story.after(4200, { ...mcp, kind: 'note', level: 'debug', text: '4 tools are offered as bb7_*' });
  const messages: unknown[] = [
    {
      role: 'system',
      content: `You are an agent inside an editor. ${'Work step by step and use the tools that you are given. '.repeat(40)}`,
    },
    { role: 'user', content: TASK },
  ];
  const calls: readonly [Call, unknown][] = [
    [{ id: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3', name: 'bb7_getUsers', arguments: {} }, users],
    [
      {
        id: 'call_8ZbQmW2rT0aVxYkJdL5uEoPs',
        name: 'bb7_addUser',
        arguments: { arg0: { name: 'Carson', email: 'carson@example.com' } },
      },
      'User added: Carson',
    ],
    [{ id: 'call_Qw3eRt5yUi7oPaSdFgHjKlZx', name: 'bb7_getUsers', arguments: {} }, usersAfter],
  ];
  for (const [index, [call, text]] of calls.entries()) {
    const id = index + 3;
    ask(story, index + 1, [...messages], {
      text: index === 0 ? '' : 'Next I will go on with the list. ',
      calls: [call],
    });
    story.after(1, { ...mcp, kind: 'tool-call', callId: call.id, tool: call.name.slice(4), requestId: id });
    rpc(
      story,
      stream,
      { id, method: 'tools/call', params: { name: call.name.slice(4), arguments: call.arguments } },
      { content: [{ type: 'text', text }], isError: false },
      14,
    );
    const asked = {
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    };
    messages.push(
      { role: 'assistant', content: null, tool_calls: [asked] },
      { role: 'tool', tool_call_id: call.id, content: text },
    );
  }
  ask(story, 4, [...messages], {
    text: 'Hello Carson! You were not on the list, so I added you; the list now has three users.',
    calls: [],
  });
  story.after(900, { ...mcp, kind: 'http-end', exchange: stream, outcome: 'aborted' });
  story.after(0, { ...mcp, kind: 'connection-close' });
  return story.facts;
}
