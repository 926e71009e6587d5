import { tools } from './capturedServer.ts';
import { bytesOf, type Story } from './story.ts';

const MODEL_URL = 'http://127.0.0.1:11434/v1/chat/completions';
const model = { connection: 'ollama#1', server: 'ollama', peer: 'model' } as const;
const turn = { turn: 'turn-1', model: 'gpt-4o' } as const;
const headers = {
  authorization: 'Bearer sk-not-a-real-key-0123456789abcdef',
  'content-type': 'application/json',
  accept: 'text/event-stream',
};
const offered = tools.map(({ name, description, inputSchema }) => ({
  type: 'function',
  function: { name: `bb7_${name}`, description, parameters: inputSchema },
}));

/** A call that the model wants made. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** One request to the model and its answer. */
export interface Step {
  readonly step: number;
  /** The history so far. */
  readonly messages: readonly unknown[];
  readonly text: string;
  readonly calls: readonly Call[];
}

/** One model request with the history so far, and its streamed answer. */
export function ask(story: Story, asked: Step): void {
  const { step, messages, text, calls } = asked;
  const exchange = story.nextExchange();
  const request = { model: turn.model, stream: true, messages, tools: offered };
  const body = JSON.stringify(request);
  story.after(2, { ...model, kind: 'http-request', exchange, method: 'POST', url: MODEL_URL, headers, body });
  const facts = { ...turn, step, logical: false, exchange, body: request, bytes: bytesOf(body) };
  story.after(0, { ...model, kind: 'model-request', ...facts });
  streamed(story, exchange, asked);
  story.after(0, {
    ...model,
    kind: 'model-answer',
    turn: turn.turn,
    step,
    text,
    toolCalls: calls,
    finish: calls.length > 0 ? 'tool-calls' : 'stop',
    inputTokens: 1200 + 130 * step,
    outputTokens: 24,
  });
}

function streamed(story: Story, exchange: number, asked: Step): void {
  const head = { status: 200, statusText: 'OK', headers: { 'content-type': 'text/event-stream' } };
  story.after(310, { ...model, kind: 'http-response', exchange, ...head });
  for (const delta of deltasOf(asked)) {
    const data = JSON.stringify({
      id: 'chatcmpl-BQTO863fJsOBHD4tU1LN3AEk5Uuo2',
      model: 'gpt-4o-2024-11-20',
      choices: [{ index: 0, ...delta }],
    });
    story.after(24, { ...model, kind: 'sse-event', exchange, data, bytes: bytesOf(data) });
  }
  story.after(1, { ...model, kind: 'sse-event', exchange, data: '[DONE]', bytes: 6 });
  story.after(0, { ...model, kind: 'http-end', exchange, outcome: 'complete' });
}

function deltasOf({ text, calls }: Step): object[] {
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
