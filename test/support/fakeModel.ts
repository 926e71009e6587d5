import type { ChatModel, ChatRequest, ModelEvent } from '../../src/model/chatModel.ts';

/** What a fake model answers to one request: pieces, a failure after the pieces, or a function of the request. */
export type FakeAnswer =
  | readonly (ModelEvent | Error | 'hang')[]
  | ((request: ChatRequest) => readonly (ModelEvent | Error | 'hang')[]);

/** A model that gives its answers in order, and what it was asked. */
export interface FakeModel extends ChatModel {
  readonly requests: readonly ChatRequest[];
  /** Requests whose reader has let go. */
  readonly aborted: readonly ChatRequest[];
}

/** A model that answers from a script; the last answer is given again and again. */
export function fakeModel(answers: readonly FakeAnswer[], more: Partial<ChatModel> = {}): FakeModel {
  const requests: ChatRequest[] = [];
  const aborted: ChatRequest[] = [];
  return {
    id: 'fake',
    label: 'Fake',
    maxInputTokens: 32_000,
    imageInput: false,
    ...more,
    requests,
    aborted,
    async *stream(request) {
      requests.push({ ...request, messages: structuredClone(request.messages), tools: structuredClone(request.tools) });
      request.signal.addEventListener('abort', () => aborted.push(request));
      const answer = answers[Math.min(requests.length, answers.length) - 1] ?? [];
      for (const piece of typeof answer === 'function' ? answer(request) : answer) {
        if (piece === 'hang') await new Promise(() => {});
        else if (piece instanceof Error) throw piece;
        else yield piece;
      }
    },
  };
}

/** A whole answer of text. */
export function says(text: string): readonly ModelEvent[] {
  return [
    { kind: 'text-delta', text },
    { kind: 'finish', reason: 'stop' },
  ];
}

/** A whole answer of calls: each a name, or a name with arguments and id. */
export function calls(
  ...wanted: readonly (string | { name: string; args?: object; id?: string })[]
): readonly ModelEvent[] {
  const events = wanted.map((each, index): ModelEvent => {
    const { name, args = {}, id = `call_${index}` } = typeof each === 'string' ? { name: each } : each;
    return { kind: 'tool-call', id, name, arguments: { ...args } };
  });
  return [...events, { kind: 'finish', reason: 'tool-calls' }];
}
