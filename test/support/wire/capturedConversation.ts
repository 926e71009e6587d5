import { ask, type Call } from './capturedModel.ts';
import { connect, mcp, rpc, tools } from './capturedServer.ts';
import { Story, type TimedFact } from './story.ts';

/** What the person asked. */
const TASK =
  'First, help me check the user list to see if there is a user named Carson. If not, add a new user: Carson carson@example.com; then check the list again to see if the new user was added successfully. Finally, say hello to Carson.';

const users = '[{"name":"John","email":"john@example.com"},{"name":"Jane","email":"jane@example.com"}]';
const usersAfter = `${users.slice(0, -1)},{"name":"Carson","email":"carson@example.com"}]`;

const calls: readonly (readonly [Call, string])[] = [
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

/**
 * The captured conversation as the tap is told of it: GET and POST together, the endpoint, the handshake, the list, and
 * getUsers → addUser → getUsers → hello, each model request with all that went before.
 */
export function capturedConversation(): TimedFact[] {
  const story = new Story();
  const stream = connect(story);
  openSession(story, stream);
  const messages: unknown[] = [
    {
      role: 'system',
      content: `You are an agent inside an editor. ${'Work step by step and use the tools that you are given. '.repeat(40)}`,
    },
    { role: 'user', content: TASK },
  ];
  for (const [index, [call, text]] of calls.entries()) {
    const said = index === 0 ? '' : 'Next I will go on with the list. ';
    ask(story, { step: index + 1, messages: [...messages], text: said, calls: [call] });
    carryOut(story, { stream, id: index + 3, call, text });
    messages.push(...messagesOf(call, text));
  }
  const text = 'Hello Carson! You were not on the list, so I added you; the list now has three users.';
  ask(story, { step: 4, messages: [...messages], text, calls: [] });
  story.after(900, { ...mcp, kind: 'http-end', exchange: stream, outcome: 'aborted' });
  story.after(0, { ...mcp, kind: 'connection-close' });
  return story.facts;
}

/** The handshake and the list. */
function openSession(story: Story, stream: number): void {
  const params = {
    protocolVersion: '2025-03-26',
    capabilities: { roots: { listChanged: true } },
    clientInfo: { name: 'mcp-agent', version: '0.1.0' },
  };
  const result = {
    protocolVersion: '2024-11-05',
    capabilities: { logging: {}, tools: { listChanged: true } },
    serverInfo: { name: 'webmvc-mcp-server', version: '1.0.0' },
  };
  rpc(story, { id: 1, method: 'initialize', params }, { stream, result });
  story.after(0.3, { ...mcp, kind: 'connection-open', transport: 'sse', protocolVersion: '2024-11-05' });
  rpc(story, { method: 'notifications/initialized' });
  rpc(story, { id: 2, method: 'tools/list', params: {} }, { stream, result: { tools }, ms: 11 });
  story.after(4200, { ...mcp, kind: 'note', level: 'debug', text: '4 tools are offered as bb7_*' });
}

interface RunningCall {
  readonly stream: number;
  /** The id of the JSON-RPC request. */
  readonly id: number;
  readonly call: Call;
  readonly text: string;
}

function carryOut(story: Story, { stream, id, call, text }: RunningCall): void {
  const name = call.name.slice(4);
  story.after(1, { ...mcp, kind: 'tool-call', callId: call.id, tool: name, requestId: id });
  const params = { name, arguments: call.arguments };
  const result = { content: [{ type: 'text', text }], isError: false };
  rpc(story, { id, method: 'tools/call', params }, { stream, result, ms: 14 });
}

/** What a next request holds of a call. */
function messagesOf({ id, name, arguments: args }: Call, text: string): unknown[] {
  const asked = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return [
    { role: 'assistant', content: null, tool_calls: [asked] },
    { role: 'tool', tool_call_id: id, content: text },
  ];
}
