/**
 * Model endpoints with the habits of the well-known providers: what their streams look like, and what each of them refuses.
 * A habit answers one step of a script in its own way; the refusals are checked against every request.
 */
import { isRecord, type JsonObject } from '../../src/base/json.ts';
import { messagesOf, toolsOf } from './requestFault.ts';
import { chunk, jsonAnswer, rawAnswer, streamAnswer, usageChunk, type ScriptedAnswer } from './scriptedModel.ts';
import { strictFault } from './strictSchema.ts';

/** What the model behind an endpoint does in one step: words, then calls. */
export interface ModelStep {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

export interface Provider {
  readonly name: string;
  /** Behind the endpoint's base; a path with a query where the provider wants one. */
  readonly path?: string;
  /** Answers the step as the provider does. `number` counts requests, from 1. */
  readonly answer: (step: ModelStep, number: number) => ScriptedAnswer;
  /** Why the provider refuses a request, beyond what all refuse. */
  readonly refuses?: (body: JsonObject, number: number) => ScriptedAnswer | undefined;
}

const refusal = (message: string, more: JsonObject = {}): ScriptedAnswer =>
  jsonAnswer({ error: { message, type: 'invalid_request_error', ...more } }, 400);

const finishOf = ({ calls }: ModelStep): string => (calls.length > 0 ? 'tool_calls' : 'stop');

let lastId = 0;
const newId = (start: string): string => `${start}${String(++lastId).padStart(8, '0')}`;

const halves = (text: string): readonly string[] => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];

/** Head, then the arguments in pieces under the call's index. */
function pieces(step: ModelStep, start: string, cut: (text: string) => readonly string[], first = 0): JsonObject[] {
  return step.calls.flatMap(({ name, arguments: args }, place) => {
    const index = place + first;
    return [
      chunk({
        role: 'assistant',
        content: null,
        tool_calls: [{ index, id: newId(start), type: 'function', function: { name, arguments: '' } }],
      }),
      ...cut(JSON.stringify(args)).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ];
  });
}

const words = ({ text }: ModelStep): JsonObject[] => (text === '' ? [] : [chunk({ content: text })]);

/** The providers by name. */
export const providers: readonly Provider[] = [
  {
    name: 'OpenAI',
    answer: (step) =>
      streamAnswer([
        chunk({ role: 'assistant', content: '' }),
        ...words(step),
        ...pieces(step, 'call_', halves),
        chunk({}, finishOf(step)),
        usageChunk(100, 20),
      ]),
    refuses: (body) => {
      if (toolsOf(body).length > 128)
        return refusal("Invalid 'tools': array too long. Expected an array with maximum length 128");
      const faulty = toolsOf(body).find((tool) => strictFault(tool['parameters']) !== undefined);
      return (
        faulty &&
        refusal(`Invalid schema for function '${String(faulty['name'])}': ${strictFault(faulty['parameters'])}`)
      );
    },
  },
  {
    name: 'Azure',
    path: '/openai/deployments/gpt-4o?api-version=2024-06-01',
    answer: (step) =>
      streamAnswer([
        {
          choices: [],
          created: 0,
          id: '',
          model: '',
          object: '',
          prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
        },
        ...words(step),
        ...pieces(step, 'call_', halves).map((each) => ({ ...each, choices: withFilter(each['choices']) })),
        chunk({}, finishOf(step)),
      ]),
    // Versions before 2024-09 do not know it.
    refuses: (body) =>
      'stream_options' in body ? refusal('Unrecognized request argument supplied: stream_options') : undefined,
  },
  {
    name: 'Ollama',
    answer: (step) =>
      streamAnswer([
        ...words(step),
        // Every call whole, all under the index 0.
        ...step.calls.map(({ name, arguments: args }) =>
          chunk({
            role: 'assistant',
            content: '',
            tool_calls: [
              { id: newId('call_'), index: 0, type: 'function', function: { name, arguments: JSON.stringify(args) } },
            ],
          }),
        ),
        chunk({ role: 'assistant', content: '' }, 'stop'),
      ]),
  },
  {
    name: 'LM Studio',
    answer: (step) =>
      streamAnswer([
        chunk({ role: 'assistant', content: '<think>' }),
        chunk({ content: '\nI have to look.\n</th' }),
        chunk({ content: 'ink>\n\n' }),
        ...words(step),
        ...pieces(step, '', (text) => [text]),
        chunk({}, finishOf(step)),
      ]),
  },
  {
    name: 'llama.cpp',
    answer: (step) =>
      streamAnswer([
        chunk({ role: 'assistant', content: null }),
        chunk({ reasoning_content: 'Let me see.' }),
        ...words(step),
        // Character by character.
        ...pieces(step, 'yJsEJNWtUM7ILlAPmKaXlkSY', (text) => text.match(/./gsu) ?? []),
        {
          ...chunk({}, finishOf(step)),
          timings: { prompt_n: 26, predicted_ms: 12.5 },
          usage: { prompt_tokens: 262, completion_tokens: 35 },
        },
      ]),
    refuses: (body, number) => {
      if (number === 1)
        return jsonAnswer({ error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }, 503);
      const system = messagesOf(body).findIndex(({ role }) => role === 'system');
      return system > 0
        ? jsonAnswer(
            { error: { code: 500, message: 'System message must be at the beginning.', type: 'server_error' } },
            500,
          )
        : undefined;
    },
  },
  {
    name: 'vLLM',
    answer: (step) =>
      streamAnswer([
        chunk({ role: 'assistant', content: '' }),
        chunk({ reasoning_content: 'Hmm.' }),
        ...words(step),
        ...pieces(step, 'chatcmpl-tool-', halves).map((each, place) => (place === 0 ? each : { ...each, usage: null })),
        chunk({ content: '', tool_calls: step.calls.length > 0 ? [] : null }, finishOf(step)),
        usageChunk(196, 21),
      ]),
    refuses: (body) => {
      const stray = messagesOf(body).find(({ role, content }) => role === 'assistant' && content === '');
      return stray === undefined
        ? undefined
        : refusal('1 validation error for ValidatorIterator: content must not be empty');
    },
  },
  {
    name: 'OpenRouter',
    answer: (step) => {
      const events = [
        chunk({
          role: 'assistant',
          content: '',
          reasoning: 'Let me see',
          reasoning_details: [{ type: 'reasoning.text', text: 'Let me see', format: 'anthropic-claude-v1', index: 0 }],
        }),
        ...words(step),
        ...pieces(step, 'toolu_', halves),
        chunk({ role: 'assistant', content: '' }, finishOf(step)),
        {
          ...chunk({ role: 'assistant', content: '' }),
          usage: { prompt_tokens: 544, completion_tokens: 81, cost: 0.0028 },
        },
      ];
      const lines = events.map((each) => `data: ${JSON.stringify({ provider: 'Anthropic', ...each })}\n\n`);
      return rawAnswer(
        ': OPENROUTER PROCESSING\n\n',
        ...lines.flatMap((line) => [': OPENROUTER PROCESSING\n\n', line]),
        'data: [DONE]\n\n',
      );
    },
  },
  {
    name: 'Gemini',
    path: '/v1beta/openai',
    answer: (step) => ({
      body: [
        ...words(step),
        // Whole calls without an index; only the first of a step is signed, and the id may be empty.
        ...step.calls.map(({ name, arguments: args }, place) =>
          chunk({
            role: 'assistant',
            tool_calls: [
              {
                ...(place === 0 && { extra_content: { google: { thought_signature: `signature of ${name}` } } }),
                function: { arguments: JSON.stringify(args), name },
                id: '',
                type: 'function',
              },
            ],
          }),
        ),
        chunk({ role: 'assistant' }, 'stop'),
      ].map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`),
    }),
    refuses: (body) => {
      const unsigned = messagesOf(body).find(({ tool_calls: calls }) => {
        const [first] = Array.isArray(calls) ? calls.filter(isRecord) : [];
        return first !== undefined && !JSON.stringify(first['extra_content'] ?? '').includes('signature of ');
      });
      const error = {
        code: 400,
        message: 'Function call is missing a thought_signature in functionCall parts.',
        status: 'INVALID_ARGUMENT',
      };
      return unsigned === undefined ? undefined : jsonAnswer([{ error }], 400);
    },
  },
  {
    name: 'Anthropic',
    answer: (step) =>
      streamAnswer([
        chunk({ role: 'assistant', content: '' }),
        ...words(step),
        // Indices go on from the block of text before the calls.
        ...pieces(step, 'toolu_01', (text) => ['', ...halves(text)], step.text === '' ? 0 : 1),
        { ...chunk({}, finishOf(step)), usage: { completion_tokens: 69, prompt_tokens: 420 } },
      ]),
    refuses: (body) => {
      const blank = messagesOf(body).find(({ content }) => typeof content === 'string' && content.trim() === '');
      if (blank !== undefined) return refusal('messages: text content blocks must be non-empty');
      const first = messagesOf(body).find(({ role }) => role !== 'system');
      return first?.['role'] === 'user' ? undefined : refusal('messages: first message must use the "user" role');
    },
  },
  {
    name: 'Mistral',
    answer: (step) =>
      streamAnswer([
        ...words(step),
        chunk(
          {
            tool_calls: step.calls.map(({ name, arguments: args }, index) => ({
              id: newId('m'),
              function: { name, arguments: JSON.stringify(args) },
              index,
            })),
          },
          finishOf(step),
        ),
      ]),
    refuses: (body) => {
      const ids = messagesOf(body).flatMap(({ tool_calls: calls }) =>
        Array.isArray(calls) ? calls.filter(isRecord).map(({ id }) => String(id)) : [],
      );
      const bad = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
      return bad === undefined
        ? undefined
        : refusal(`Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`);
    },
  },
];

function withFilter(choices: unknown): unknown {
  return Array.isArray(choices)
    ? choices.map((choice) => ({ ...(isRecord(choice) && choice), content_filter_results: {} }))
    : choices;
}
