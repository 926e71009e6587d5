import { messageOf } from '../base/caught.ts';
import type { Tool } from '../tools/tool.ts';
import type { AgentEvent } from './agentEvent.ts';
import type { ModelAnswer } from './modelAnswer.ts';

const serversToName = 10;
const toolsToName = 12;

export type Done = Extract<AgentEvent, { kind: 'done' }>;

/** How a turn ends with an answer that asks for nothing more, and what a person should know of it. `label` names the model. */
export function endOf(answer: ModelAnswer, label: string): { readonly done: Done; readonly notice?: string } {
  const { finish, text, calls } = answer;
  switch (finish) {
    case 'cancelled':
      return { done: { kind: 'done', reason: 'cancelled' } };
    case 'error':
      return { done: { kind: 'done', reason: 'error', error: messageOf(answer.error) } };
    case 'interrupted':
      return { done: { kind: 'done', reason: 'error', error: brokeOff(label, calls.length) } };
    case 'length':
      return stop(`The answer of ${label} was cut off at its length limit. Say "continue" to go on.`);
    case 'content-filter':
      return stop(`The endpoint of ${label} withheld the answer, or the rest of it (content filter).`);
    case 'stop':
    case 'tool-calls':
      return stop(
        text.trim() === ''
          ? `Empty response: ${label} answered with no text and no tool call. Ask again, or choose another model.`
          : undefined,
      );
  }
}

/** True where the endpoint said that the request is beyond its window, and nothing of an answer came. */
export function isTooLarge({ error, text, calls }: ModelAnswer): boolean {
  return error instanceof Error && 'code' in error && error.code === 'too-large' && text === '' && calls.length === 0;
}

/** What a person should know when not all tools fit into a request. */
export function leftOutText(leftOut: readonly Tool[], offered: number): string {
  const counts = new Map<string, number>();
  for (const { server } of leftOut) counts.set(server, (counts.get(server) ?? 0) + 1);
  const servers = [...counts].slice(0, serversToName).map(([server, count]) => `${count} of "${server}"`);
  const others = counts.size > serversToName ? ` and of ${counts.size - serversToName} more servers` : '';
  return `${leftOut.length} tools do not fit into a request beside the ${offered} that are offered: ${servers.join(', ')}${others} (${namesOf(leftOut)}). The model can search them; name a tool to have it offered.`;
}

function namesOf(tools: readonly Tool[]): string {
  const names = tools.slice(0, toolsToName).map(({ name }) => name);
  return tools.length > names.length ? `${names.join(', ')} … ${tools.at(-1)?.name ?? ''}` : names.join(', ');
}

function stop(notice: string | undefined): { readonly done: Done; readonly notice?: string } {
  return { done: { kind: 'done', reason: 'stop' }, ...(notice !== undefined && { notice }) };
}

function brokeOff(label: string, calls: number): string {
  const lost =
    calls === 0 ? '' : ` ${calls === 1 ? 'A tool call' : `${calls} tool calls`} of it may be cut and did not run.`;
  return `The answer of ${label} broke off before its end.${lost} Ask again.`;
}
