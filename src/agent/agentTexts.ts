import type { LeftOutTools } from './leftOutTools.ts';

/** What was shortened or left out to make room in a request; `too-long`: even so it may be too much. */
export type RoomMade = 'old-results' | 'turns' | 'steps' | 'new-results' | 'too-long';

/** What the agent itself says to the person. In English by default; an editor passes its own language in. */
export interface AgentTexts {
  readonly stepLimit: (steps: number) => string;
  readonly goesInCircles: () => string;
  /** `tokens` is the model's window. */
  readonly roomMade: (model: string, tokens: number, made: readonly RoomMade[]) => string;
  readonly toolsLeftOut: (tools: LeftOutTools) => string;
  /** The answer reached its length limit. */
  readonly cutOff: (model: string) => string;
  /** A content filter took the answer, or the rest of it. */
  readonly withheld: (model: string) => string;
  readonly emptyAnswer: (model: string) => string;
  /** The stream just ended; so many tool calls of it did not run. */
  readonly brokeOff: (model: string, calls: number) => string;
}

const room: Readonly<Record<RoomMade, string>> = {
  'old-results': 'older tool results are sent shortened',
  turns: 'earlier turns are left out',
  steps: 'earlier steps of this turn are left out',
  'new-results': 'the newest tool results are cut',
  'too-long': 'even so it may be too long',
};

/** The texts in English. */
export const englishTexts: AgentTexts = {
  stepLimit: (steps) => `Stopped after ${steps} steps. Say "continue" to go on.`,
  goesInCircles: () => 'Stopped, because the model made the same call again and again. Say "continue" to go on.',
  roomMade: (model, tokens, made) =>
    `The conversation is longer than ${model} can read (${tokens} tokens): ${made.map((each) => room[each]).join('; ')}.`,
  toolsLeftOut: ({ count, offered, servers, moreServers, names }) => {
    const by = servers.map(([server, own]) => `${own} of "${server}"`).join(', ');
    const others = moreServers > 0 ? ` and of ${moreServers} more servers` : '';
    return `${count} tools do not fit into a request beside the ${offered} that are offered: ${by}${others} (${names}). The model can search them; name a tool to have it offered.`;
  },
  cutOff: (model) => `The answer of ${model} was cut off at its length limit. Say "continue" to go on.`,
  withheld: (model) => `The endpoint of ${model} withheld the answer, or the rest of it (content filter).`,
  emptyAnswer: (model) =>
    `Empty response: ${model} answered with no text and no tool call. Ask again, or choose another model.`,
  brokeOff: (model, calls) => {
    const which = calls === 1 ? 'A tool call' : `${calls} tool calls`;
    const lost = calls === 0 ? '' : ` ${which} of it may be cut and did not run.`;
    return `The answer of ${model} broke off before its end.${lost} Ask again.`;
  },
};
