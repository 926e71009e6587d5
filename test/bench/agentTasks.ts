// What the agent itself costs: a long task (bytes sent, the share of them that the endpoint has seen before, our own time a step) and two
// hundred servers with ten thousand tools (the time of each part of a step). Nothing crosses a wire, so all time is our own.
import { runAgent } from '../../src/agent/agentLoop.ts';
import { chooseTools } from '../../src/agent/chooseTools.ts';
import { Conversation } from '../../src/agent/conversation.ts';
import { modelTool } from '../../src/agent/modelTool.ts';
import { planRequest } from '../../src/agent/planRequest.ts';
import { rankTools } from '../../src/agent/rankTools.ts';
import { searchTools } from '../../src/agent/searchTools.ts';
import { plannerModel } from '../../src/model/planner/plannerModel.ts';
import type { ChatModel } from '../../src/model/chatModel.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { manyServers, wirelessEndpoint } from './agentSetup.ts';

/** A row of the table: what, how much, and what is wanted where that is said. */
export interface AgentRow {
  readonly what: string;
  readonly value: string;
  readonly holds?: boolean;
}

const steps = 50;

/** A task of fifty calls, in a window that holds it and in one that does not. */
export async function longTask(maxInputTokens: number): Promise<AgentRow[]> {
  const { pool, registry } = await manyServers(2, 8);
  const names = registry.snapshot().map(({ name }) => name);
  const { model, bodies } = wirelessEndpoint(
    (request) =>
      request < steps
        ? { name: names[(request * 7) % names.length] ?? '', arguments: { id: String(request) } }
        : { text: 'Done.' },
    maxInputTokens,
  );
  const times = await timeSteps(model, registry.snapshot(), 'Go through all records.');
  await pool.close();
  const bytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  const seen = bodies.slice(1).reduce((sum, body, index) => sum + commonStart(bodies[index] ?? '', body), 0);
  const share = seen / bodies.slice(1).reduce((sum, body) => sum + body.length, 0);
  const label = `50 steps, window of ${maxInputTokens.toLocaleString('en')} tokens`;
  return [
    { what: `${label}: sent in all`, value: `${(bytes / 1e6).toFixed(2)} MB` },
    { what: `${label}: the last request`, value: `${(Buffer.byteLength(bodies.at(-1) ?? '') / 1e3).toFixed(0)} KB` },
    { what: `${label}: unchanged from the request before`, value: `${(share * 100).toFixed(1)} %`, holds: share > 0.8 },
    { what: `${label}: our own time a step`, value: milliseconds(times), holds: median(times) < 10 },
  ];
}

/** What parts of a step take with ten thousand tools. */
export async function tenThousandTools(): Promise<AgentRow[]> {
  const { pool, registry } = await manyServers(200, 50);
  const rows: AgentRow[] = [];
  const time = async <T>(what: string, limit: number, work: () => T | Promise<T>): Promise<T> => {
    const start = cpuTime();
    const result = await work();
    const taken = cpuTime() - start;
    rows.push({ what: `10,000 tools: ${what}`, value: `${taken.toFixed(1)} ms`, holds: taken < limit });
    return result;
  };
  const tools = await time('first list of all', 500, () => registry.snapshot());
  await time('words of all, first search', 800, () => rankTools(tools, 'list the tickets', 20));
  await time('a search', 50, () => rankTools(tools, 'send the invoice of a contact', 20));
  await time('list after a change', 300, () => {
    registry.refresh();
    return registry.snapshot();
  });
  const present = registry.snapshot();
  const conversation = new Conversation();
  const search = searchTools(present, conversation);
  const choose = (): readonly Tool[] =>
    chooseTools({
      tools: present,
      own: [],
      search,
      conversation,
      prompts: ['export the page'],
      limit: 128,
      maxInputTokens: 128_000,
    }).offered;
  await time('first choice of those to offer', 300, choose);
  const offered = await time('choice at a further step', 20, choose);
  conversation.append({ role: 'user', content: [{ kind: 'text', text: 'export the page' }] });
  await time('plan of a request', 20, () =>
    planRequest({
      system: '',
      conversation,
      tools: offered.map(modelTool),
      maxInputTokens: 128_000,
      imageInput: false,
    }),
  );
  const endpoint = wirelessEndpoint(
    (request) =>
      request < 10 ? { name: 'p7_list_ticket', arguments: { ticket_id: String(request) } } : { text: 'Done.' },
    128_000,
  );
  const endpointTimes = await timeSteps(endpoint.model, present, 'list the tickets of server7');
  rows.push({
    what: '10,000 tools: our own time a step, endpoint',
    value: milliseconds(endpointTimes),
    holds: median(endpointTimes) < 20,
  });
  await time('first answer of the built-in planner', 1500, () =>
    timeSteps(plannerModel(), present, 'list the tickets of server7'),
  );
  await time('a further answer of the planner', 300, () =>
    timeSteps(plannerModel(), present, 'count the pages of server9'),
  );
  await pool.close();
  return rows;
}

/** Runs one turn; milliseconds of processor time from each tool's end, or the start, to the next call or the end. */
async function timeSteps(model: ChatModel, tools: readonly Tool[], prompt: string): Promise<number[]> {
  const times: number[] = [];
  let last = cpuTime();
  const maxTools = model.maxTools ?? 128;
  const run = { model, tools: () => tools, conversation: new Conversation(), prompt, maxSteps: steps + 1, maxTools };
  for await (const event of runAgent({ ...run, carryOut: (_call, carry) => carry() })) {
    if (event.kind === 'tool-start' || event.kind === 'done') times.push(cpuTime() - last);
    if (event.kind === 'tool-end') last = cpuTime();
  }
  return times;
}

/** Milliseconds of processor time so far: what else the machine does is not in it. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Characters that two texts begin with alike. */
function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

function milliseconds(times: readonly number[]): string {
  return `${median(times).toFixed(1)} ms (at most ${Math.max(...times).toFixed(1)})`;
}
