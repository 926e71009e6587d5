import assert from 'node:assert/strict';
import type { TapFact } from '../../../../src/base/tap.ts';
import type { ChatModel, ChatRequest } from '../../../../src/model/chatModel.ts';
import { ModelError } from '../../../../src/model/modelError.ts';
import { openaiModel, type OpenaiModelOptions } from '../../../../src/model/openai/openaiModel.ts';
import { ask, callsOf, chatRequest, finishOf, noticesOf, textOf, tool, user } from '../../../support/modelEvents.ts';
import {
  chunk,
  jsonAnswer,
  rawAnswer,
  startScriptedModel,
  streamAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedAnswer,
  type ScriptedModel,
} from '../../../support/scriptedModel.ts';

const png = { kind: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;
const key = 'sk-proj-very-secret-0123456789';

function html(text: string, status = 200): ScriptedAnswer {
  return { status, headers: { 'content-type': 'text/html' }, body: [text] };
}

function refusal(message: string, status = 400, extra: Readonly<Record<string, unknown>> = {}): ScriptedAnswer {
  return jsonAnswer({ error: { message, ...extra } }, status);
}

describe('openaiModel', () => {
  let server: ScriptedModel;
  let pauses: number[];

  beforeEach(async () => {
    server = await startScriptedModel({ models: [{ id: 'qwen3:4b' }, { id: 'llama3.2' }] });
    pauses = [];
  });

  afterEach(() => server.close());

  const modelAt = (options: Partial<OpenaiModelOptions> = {}): ChatModel =>
    openaiModel({
      url: server.url,
      id: 'scripted',
      name: 'Local',
      ...options,
      retry: {
        random: () => 1,
        wait: (ms) => {
          pauses.push(Math.round(ms));
          return Promise.resolve();
        },
        ...options.retry,
      },
    });

  /** The error of a request that fails. */
  const failure = async (
    options: Partial<OpenaiModelOptions> = {},
    request: Partial<ChatRequest> = {},
  ): Promise<ModelError> => {
    const outcome = await ask(modelAt(options), request).catch((error: unknown) => error);
    assert.ok(outcome instanceof ModelError, `no ModelError but ${String(outcome)}`);
    return outcome;
  };

  describe('an answer', () => {
    it('is streamed, with its usage', async () => {
      server.enqueue(textAnswer('Hello Carson, how are you?'));
      const events = await ask(modelAt());
      assert.equal(textOf(events), 'Hello Carson, how are you?');
      assert.deepEqual(events.at(-2), { kind: 'usage', inputTokens: 100, outputTokens: 5 });
      assert.equal(finishOf(events), 'stop');
    });

    it('may be the captured tool call', async () => {
      server.enqueue(toolCallAnswer([{ id: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3', name: 'bb7_getUsers', arguments: '' }]));
      const events = await ask(modelAt(), { tools: [tool('bb7_getUsers')] });
      assert.deepEqual(callsOf(events), [
        { kind: 'tool-call', id: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3', name: 'bb7_getUsers', arguments: {} },
      ]);
      assert.equal(finishOf(events), 'tool-calls');
    });

    it('is told piece by piece, as it arrives', async () => {
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      const piece = (content: string): string => `data: ${JSON.stringify(chunk({ content }))}\n\n`;
      server.enqueue(rawAnswer(piece('first'), gate, piece('second'), 'data: [DONE]\n\n'));
      const events = modelAt().stream(chatRequest())[Symbol.asyncIterator]();
      assert.deepEqual((await events.next()).value, { kind: 'text-delta', text: 'first' });
      release();
      assert.deepEqual((await events.next()).value, { kind: 'text-delta', text: 'second' });
      await events.return?.();
    });

    it('ends at the end mark, though the endpoint keeps the connection', async () => {
      server.enqueue({ ...textAnswer('Hi'), end: 'hang' });
      assert.equal(finishOf(await ask(modelAt())), 'stop');
    });

    it('is whole though the connection breaks right after its finish', async () => {
      server.enqueue({ ...streamAnswer([chunk({ content: 'Hi' }), chunk({}, 'stop')], { done: false }), end: 'reset' });
      const events = await ask(modelAt());
      assert.equal(textOf(events), 'Hi');
      assert.equal(finishOf(events), 'stop');
    });

    it('may be plain JSON, whatever its type says', async () => {
      const completion = {
        choices: [
          {
            index: 0,
            message: { content: 'Hi', tool_calls: [{ id: 'a', function: { name: 'x', arguments: '{}' } }] },
            finish_reason: 'tool_calls',
          },
        ],
      };
      for (const type of ['application/json', 'text/event-stream', 'text/plain']) {
        server.enqueue({ ...jsonAnswer(completion), headers: { 'content-type': type } });
        const events = await ask(modelAt());
        assert.equal(textOf(events), 'Hi');
        assert.equal(callsOf(events).length, 1);
      }
    });

    it('may be an event stream that calls itself JSON, and is still streamed', async () => {
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      server.enqueue({
        headers: { 'content-type': 'application/json' },
        body: [': hello\n\n', `data: ${JSON.stringify(chunk({ content: 'Hi' }))}\n\n`, gate, 'data: [DONE]\n\n'],
      });
      const events = modelAt().stream(chatRequest())[Symbol.asyncIterator]();
      assert.deepEqual((await events.next()).value, { kind: 'text-delta', text: 'Hi' });
      release();
      await events.return?.();
    });

    it('that just ends is told to be interrupted', async () => {
      server.enqueue(streamAnswer([chunk({ content: 'Hi' })], { done: false }));
      assert.equal(finishOf(await ask(modelAt())), 'interrupted');
    });
  });

  describe('a request', () => {
    it('goes to the path below the base, with key and headers', async () => {
      server.enqueue(textAnswer('Hi'));
      await ask(
        modelAt({
          url: `${server.url}/`,
          apiKey: ` ${key} `,
          headers: { 'X-Team': 'blue', Accept: 'text/event-stream' },
        }),
      );
      const [request] = server.requests;
      assert.equal(request?.path, '/v1/chat/completions');
      assert.equal(request.headers.authorization, `Bearer ${key}`);
      assert.equal(request.headers['x-team'], 'blue');
      assert.equal(request.headers.accept, 'text/event-stream');
      assert.equal(request.headers['content-type'], 'application/json');
      assert.equal(request.body['model'], 'scripted');
    });

    it('carries no key where there is none, and a configured one before ours', async () => {
      server.enqueue(textAnswer('Hi'), textAnswer('Hi'));
      await ask(modelAt());
      await ask(modelAt({ apiKey: key, headers: { Authorization: 'Basic abc' } }));
      assert.deepEqual(
        server.requests.map((request) => request.headers.authorization),
        [undefined, 'Basic abc'],
      );
    });

    it('keeps the query of the base, and takes the whole address as well', async () => {
      server.enqueue(textAnswer('Hi'), textAnswer('Hi'));
      await ask(modelAt({ url: `${server.url}?api-version=2024-10-21` }));
      await ask(modelAt({ url: `${server.url}/chat/completions` }));
      assert.deepEqual(
        server.requests.map((request) => request.path),
        ['/v1/chat/completions?api-version=2024-10-21', '/v1/chat/completions'],
      );
    });

    it('ends with the signal, at the endpoint too', async () => {
      server.enqueue({ ...streamAnswer([chunk({ content: 'Hi' })], { done: false }), end: 'hang' });
      const controller = new AbortController();
      const stream = modelAt().stream(chatRequest({ signal: controller.signal }));
      const events = stream[Symbol.asyncIterator]();
      await events.next();
      controller.abort();
      await assert.rejects(events.next(), { name: 'ModelError', code: 'cancelled' });
      assert.equal(await server.requests[0]?.ended, 'closed');
    });

    it('ends at the endpoint when its reader goes away', async () => {
      server.enqueue({ ...streamAnswer([chunk({ content: 'Hi' })], { done: false }), end: 'hang' });
      for await (const event of modelAt().stream(chatRequest())) if (event.kind === 'text-delta') break;
      assert.equal(await server.requests[0]?.ended, 'closed');
    });

    it('does not leave with a signal that is aborted already', async () => {
      const error = await failure({}, { signal: AbortSignal.abort() });
      assert.equal(error.code, 'cancelled');
      assert.equal(server.requests.length, 0);
    });

    it('stops waiting for another attempt with the signal', async () => {
      server.enqueue(refusal('busy', 503));
      const controller = new AbortController();
      const error = await failure(
        { retry: { wait: () => Promise.resolve(controller.abort()) } },
        { signal: controller.signal },
      );
      assert.equal(error.code, 'cancelled');
      assert.equal(server.requests.length, 1);
    });
  });

  describe('another attempt', () => {
    it('is made for what passes: 429, 5xx and errors before the first piece', async () => {
      for (const answer of [
        refusal('slow down', 429),
        refusal('oops', 500),
        refusal('bad gateway', 502),
        html('<html><title>503 Service Unavailable</title></html>', 503),
        refusal('overloaded', 529),
        streamAnswer([{ error: { message: 'Overloaded', type: 'overloaded_error' } }], { done: false }),
        streamAnswer([{ error: { message: 'Upstream failed', code: 502 } }], { done: false }),
        { body: [], end: 'reset' } as const,
      ]) {
        server.enqueue(answer, textAnswer('Hi'));
        assert.equal(textOf(await ask(modelAt())), 'Hi', JSON.stringify(answer));
      }
    });

    it('is made after longer and longer pauses, three times at most', async () => {
      server.enqueue(refusal('a', 503), refusal('b', 503), refusal('c', 503), refusal('the last', 503));
      const error = await failure();
      assert.equal(error.code, 'server');
      assert.equal(error.status, 503);
      assert.match(error.message, /the last/);
      assert.deepEqual(pauses, [500, 1000, 2000]);
    });

    it('comes at a random moment of the pause', async () => {
      server.enqueue(refusal('a', 503), textAnswer('Hi'));
      await ask(modelAt({ retry: { random: () => 0.5 } }));
      assert.deepEqual(pauses, [250]);
    });

    it('waits as long as the endpoint asks, in seconds, milliseconds or until a date', async () => {
      const now = Date.parse('2025-01-01T00:00:00Z');
      for (const [headers, pause] of [
        [{ 'retry-after': '7' }, 7000],
        [{ 'retry-after': 'Wed, 01 Jan 2025 00:00:09 GMT' }, 9000],
        [{ 'retry-after': 'Tue, 31 Dec 2024 00:00:00 GMT' }, 0],
        [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
        [{ 'retry-after': 'soon' }, 500],
      ] as const) {
        pauses = [];
        server.enqueue(jsonAnswer({ error: { message: 'slow down' } }, 429, headers), textAnswer('Hi'));
        await ask(modelAt({ retry: { now: () => now } }));
        assert.deepEqual(pauses, pause === 0 ? [] : [pause], JSON.stringify(headers));
      }
    });

    it('reads the pause in the body of a Gemini endpoint', async () => {
      server.enqueue(
        jsonAnswer([{ error: { code: 429, message: 'quota per minute', details: [{ retryDelay: '13s' }] } }], 429),
        textAnswer('Hi'),
      );
      await ask(modelAt());
      assert.deepEqual(pauses, [13_000]);
    });

    it('tells the person of a long pause, once', async () => {
      server.enqueue(
        jsonAnswer({ error: { message: 'slow down' } }, 429, { 'retry-after': '7' }),
        jsonAnswer({ error: { message: 'slow down' } }, 429, { 'retry-after': '9' }),
        textAnswer('Hi'),
      );
      const notices = noticesOf(await ask(modelAt()));
      assert.equal(notices.length, 1);
      assert.match(notices[0] ?? '', /^Local \(http:.*\) is busy \(HTTP 429: slow down\): trying again in 7 s\.$/);
    });

    it('is not waited for where the endpoint asks for too long a pause', async () => {
      server.enqueue(jsonAnswer({ error: { message: 'come back tomorrow' } }, 429, { 'retry-after': '86400' }));
      const error = await failure();
      assert.equal(error.code, 'rate-limit');
      assert.deepEqual(pauses, []);
    });

    it('goes on while a local model is being loaded', async () => {
      const loading = refusal('Loading model', 503, { type: 'unavailable_error', code: 503 });
      server.enqueue(loading, loading, loading, loading, loading, textAnswer('Hi'));
      assert.equal(textOf(await ask(modelAt())), 'Hi');
      assert.deepEqual(pauses, [1000, 1000, 1000, 1000, 1000]);
    });

    it('is made once for an empty answer', async () => {
      for (const answer of [
        rawAnswer(),
        rawAnswer('data: [DONE]\n\n'),
        rawAnswer(': ping\n\n'),
        { ...rawAnswer(), status: 204 },
        jsonAnswer({}),
      ]) {
        server.enqueue(answer, textAnswer('Hi'));
        assert.equal(textOf(await ask(modelAt())), 'Hi');
        server.enqueue(answer, answer);
        const error = await failure();
        assert.equal(error.code, 'empty');
      }
    });

    it('is not made after the first piece', async () => {
      server.enqueue({ ...streamAnswer([chunk({ role: 'assistant', content: '' })], { done: false }), end: 'reset' });
      const error = await failure();
      assert.equal(error.code, 'stream');
      assert.equal(server.requests.length, 1);
    });

    it('is not made where it cannot help', async () => {
      for (const answer of [
        refusal('bad request', 400),
        refusal('wrong key', 401),
        refusal('You exceeded your current quota', 429, { code: 'insufficient_quota' }),
        refusal('Insufficient credits', 402),
        refusal('not implemented', 501),
      ]) {
        const before = server.requests.length;
        server.enqueue(answer);
        await failure();
        assert.equal(server.requests.length, before + 1);
      }
    });

    it('is made for an endpoint that is not there yet, twice', async () => {
      const { url } = server;
      await server.close();
      const error = await failure({ url });
      assert.equal(error.code, 'unreachable');
      assert.match(
        error.message,
        /^No answer from Local \(http:\/\/127\.0\.0\.1:\d+\/v1\): cannot reach 127\.0\.0\.1:\d+: nothing listens there \(ECONNREFUSED\)\. Start it, or correct its address\.$/,
      );
      assert.deepEqual(pauses, [500, 1000]);
      server = await startScriptedModel();
    });
  });

  describe('a stream that breaks', () => {
    it('gives an error after the text that came, and no call', async () => {
      server.enqueue({
        ...streamAnswer(
          [
            chunk({ content: 'I look.' }),
            chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{"p":' } }] }),
          ],
          { done: false },
        ),
        end: 'reset',
      });
      const seen: string[] = [];
      const reading = (async () => {
        for await (const event of modelAt().stream(chatRequest())) seen.push(event.kind);
      })();
      await assert.rejects(reading, { name: 'ModelError', code: 'stream' });
      assert.deepEqual(seen, ['text-delta']);
    });

    it('gives the error that the endpoint reports in it', async () => {
      server.enqueue(
        streamAnswer([chunk({ content: 'I' }), { error: { message: 'The model has crashed' } }], { done: false }),
      );
      const error = await failure();
      assert.equal(error.code, 'stream');
      assert.match(error.message, /^Local \(http:.*\) broke off its answer: The model has crashed/);
    });
  });

  describe('an error', () => {
    for (const [what, answer, code, message] of [
      [
        'a wrong key',
        refusal(`Incorrect API key provided: ${key}.`, 401),
        'unauthorized',
        /does not accept the API key \(HTTP 401: Incorrect API key provided: …\)\. Set another with "MCP Agent: Set API Key"/,
      ],
      [
        'a model that cannot call tools (Ollama)',
        refusal('registry.ollama.ai/library/gemma:2b does not support tools', 400),
        'no-tools',
        /^The model scripted at Local \(.*\) cannot call tools \(HTTP 400: .*\)\. Choose a model that can/,
      ],
      [
        'a model that cannot call tools (vLLM)',
        jsonAnswer(
          {
            object: 'error',
            message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            type: 'BadRequestError',
            code: 400,
          },
          400,
        ),
        'no-tools',
        /start vLLM with --enable-auto-tool-choice/,
      ],
      [
        'a model that cannot call tools (llama.cpp)',
        refusal('tools param requires --jinja flag', 500),
        'no-tools',
        /start llama-server with --jinja/,
      ],
      [
        'a model that cannot call tools (OpenRouter)',
        refusal('No endpoints found that support tool use. Try disabling "read".', 404),
        'no-tools',
        /cannot call tools/,
      ],
      [
        'a model that cannot call tools (Mistral)',
        jsonAnswer({ message: 'Function calling is not enabled for this model', type: 'invalid_request_error' }, 400),
        'no-tools',
        /cannot call tools/,
      ],
      [
        'a model that cannot call tools (others)',
        refusal('Unrecognized request argument supplied: tools', 400),
        'no-tools',
        /cannot call tools/,
      ],
      [
        'a request that is too large (OpenAI)',
        refusal("This model's maximum context length is 8192 tokens.", 400, { code: 'context_length_exceeded' }),
        'too-large',
        /too large for the model scripted/,
      ],
      [
        'a request that is too large (llama.cpp)',
        refusal('the request exceeds the available context size. try increasing it', 400, {
          type: 'exceed_context_size_error',
        }),
        'too-large',
        /set a larger context/,
      ],
      [
        'a request that is too large (Anthropic)',
        refusal('prompt is too long: 210000 tokens > 200000 maximum', 400),
        'too-large',
        /too large/,
      ],
      [
        'a request that is too large (Gemini)',
        refusal('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 400),
        'too-large',
        /too large/,
      ],
      [
        'a body that is too large',
        html('<html><head><title>413 Request Entity Too Large</title></head></html>', 413),
        'too-large',
        /HTTP 413: 413 Request Entity Too Large/,
      ],
      [
        'an unknown model',
        refusal('model "scripted" not found, try pulling it first', 404),
        'not-found',
        /has no model scripted \(.*\)\. It has qwen3:4b, llama3\.2: choose one of these/,
      ],
      [
        'a wrong path',
        html('<!doctype html><html><head><title>Not Found</title></head></html>', 404),
        'not-found',
        /has nothing at this address \(HTTP 404: Not Found\)\. Check the address/,
      ],
      [
        'a web page',
        html('<!DOCTYPE html><html><head><title>Sign in</title></head></html>'),
        'not-found',
        /answered with the web page "Sign in", not with a model's answer/,
      ],
      [
        'a used-up quota',
        refusal('You exceeded your current quota', 429, { code: 'insufficient_quota' }),
        'rate-limit',
        /The quota at Local .* is used up/,
      ],
      [
        'a refusal',
        refusal('temperature must be below 2', 400),
        'rejected',
        /refused the request \(HTTP 400: temperature must be below 2\)/,
      ],
      [
        'a refusal without words',
        { status: 400, headers: {}, body: [] },
        'rejected',
        /refused the request \(HTTP 400\)/,
      ],
      [
        'an answer in words',
        { body: ['upstream connect error or disconnect/reset before headers'] },
        'stream',
        /broke off its answer: upstream connect error/,
      ],
      [
        'an answer that is nothing',
        { headers: { 'content-type': 'application/json' }, body: ['{"choices":['] },
        'stream',
        /neither an event stream nor valid JSON/,
      ],
    ] as const satisfies readonly (readonly [string, ScriptedAnswer, string, RegExp])[]) {
      it(`names ${what}`, async () => {
        server.enqueue(answer);
        const error = await failure({ apiKey: key }, { tools: [tool('read')] });
        assert.equal(error.code, code, error.message);
        assert.match(error.message, message);
        assert.match(error.message, /Local \(http:\/\/127\.0\.0\.1:\d+\/v1\)/);
        assert.ok(!error.message.includes(key));
      });
    }

    it('asks for a key where there is none', async () => {
      server.enqueue(refusal('No key', 401));
      assert.match(
        (await failure()).message,
        /asks for an API key \(HTTP 401: No key\)\. Set it with "MCP Agent: Set API Key"/,
      );
    });

    for (const url of ['localhost without scheme', 'ftp://models/v1', 'file:///models', 'localhost:11434/v1']) {
      it(`says that ${url} is no address`, async () => {
        const error = await failure({ url, name: 'Odd' });
        assert.equal(error.code, 'unreachable');
        assert.equal(error.message, `"Odd (${url})" is no address of a model endpoint: correct it in the settings.`);
      });
    }

    it('holds nothing secret that the endpoint quotes, not even in part', async () => {
      const key = 'abcd1234efgh5678';
      const quoted = `no: ${key}, abcd****5678, /v1?token=to%2Fken&x=1, to/ken, Basic p@ssword`;
      server.enqueue(refusal(quoted, 400));
      const url = `${server.url.replace('http://', 'http://user:p%40ssword@')}?token=to%2Fken`;
      const { message } = await failure({ url, apiKey: key });
      assert.match(message, /\(HTTP 400: no: …, …, \/v1\?token=…&x=1, …, Basic …\)/);
    });

    it('holds no query, name or password of the address', async () => {
      server.enqueue(refusal('no', 400));
      const url = `${server.url.replace('http://', 'http://user:password@')}?token=hidden`;
      const { message } = await failure({ url });
      assert.ok(!/password|hidden/.test(message), message);
    });
  });

  describe('a refusal of the form', () => {
    /** Answers, the changes they must lead to in the second request, and whether the third keeps them. */
    const bodies = async (
      answer: ScriptedAnswer,
      request: Partial<ChatRequest>,
      options: Partial<OpenaiModelOptions> = {},
    ): Promise<{ requests: readonly Record<string, unknown>[]; notices: string[] }> => {
      server.enqueue(answer, textAnswer('Hi'), textAnswer('Hi'));
      const model = modelAt(options);
      const events = await ask(model, request);
      assert.equal(textOf(events), 'Hi');
      await ask(model, request);
      assert.equal(server.requests.length, 3);
      return { requests: server.requests.map((each) => each.body), notices: noticesOf(events) };
    };

    it('of stream_options is learnt', async () => {
      const answer = jsonAnswer(
        {
          detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
        },
        422,
      );
      const { requests } = await bodies(answer, {});
      assert.deepEqual(
        requests.map((body) => 'stream_options' in body),
        [true, false, false],
      );
    });

    it('of streaming is learnt', async () => {
      const answer = refusal('Your organization must be verified to stream this model.', 400, { param: 'stream' });
      const { requests } = await bodies(answer, {});
      assert.deepEqual(
        requests.map((body) => body['stream']),
        [true, false, false],
      );
    });

    it('of max_tokens is learnt', async () => {
      const answer = refusal(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        400,
      );
      const { requests } = await bodies(answer, {}, { maxOutputTokens: 50 });
      assert.deepEqual(
        requests.map((body) => [body['max_tokens'], body['max_completion_tokens']]),
        [
          [50, undefined],
          [undefined, 50],
          [undefined, 50],
        ],
      );
    });

    it('of the order of roles is learnt', async () => {
      const answer = refusal('Conversation roles must alternate user/assistant/user/assistant/...', 500);
      const { requests } = await bodies(answer, { messages: [user('a'), user('b')] });
      assert.deepEqual(
        requests.map((body) => (Array.isArray(body['messages']) ? body['messages'].length : 0)),
        [2, 1, 1],
      );
    });

    it('of the system role is learnt', async () => {
      const { requests } = await bodies(refusal('System role not supported', 400), {
        messages: [{ role: 'system', text: 's' }, user('a')],
      });
      assert.deepEqual(requests[1]?.['messages'], [{ role: 'user', content: 's\n\na' }]);
    });

    it('of long ids is learnt', async () => {
      const answer = refusal('Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.', 400);
      const messages = [
        user('a'),
        { role: 'assistant', text: '', toolCalls: [{ id: 'call_1', name: 'x', arguments: {} }] },
        { role: 'tool', callId: 'call_1', name: 'x', content: [], isError: false },
      ] as const;
      const { requests } = await bodies(answer, { messages });
      assert.match(JSON.stringify(requests[1]), /"tool_call_id":"[0-9a-f]{9}"/);
    });

    it('of missing thoughts is learnt', async () => {
      const answer = refusal('Missing `reasoning_content` field in the assistant message at message index 1', 400);
      const messages = [
        user('a'),
        { role: 'assistant', text: '', reasoning: 'hm', toolCalls: [{ id: 'call_1', name: 'x', arguments: {} }] },
        { role: 'tool', callId: 'call_1', name: 'x', content: [], isError: false },
      ] as const;
      const { requests } = await bodies(answer, { messages });
      assert.deepEqual(
        requests.map((body) => JSON.stringify(body).includes('"reasoning_content":"hm"')),
        [false, true, true],
      );
    });

    for (const [what, message, status] of [
      ['Ollama', 'this model is missing data required for image input', 500],
      [
        'llama.cpp',
        'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
        500,
      ],
      ['OpenRouter', 'No endpoints found that support image input', 404],
      ['vLLM', 'At most 0 image(s) may be provided in one prompt. scripted is not a multimodal model', 400],
      [
        'DeepSeek',
        'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text`',
        400,
      ],
      ['others', 'messages[0].content must be a string', 400],
    ] as const) {
      it(`of images is learnt, in the words of ${what}, and told`, async () => {
        const { requests, notices } = await bodies(
          refusal(message, status),
          { messages: [{ role: 'user', content: [{ kind: 'text', text: 'Look' }, png] }] },
          { imageInput: true },
        );
        assert.deepEqual(
          requests.map((body) => JSON.stringify(body).includes('image_url')),
          [true, false, false],
        );
        assert.deepEqual(notices, ['The model scripted did not take an image, so it was left out.']);
      });
    }

    it('of one image does not keep the next from being sent', async () => {
      server.enqueue(
        refusal('Invalid image data: could not process the image', 400),
        textAnswer('Hi'),
        textAnswer('Hi'),
      );
      const model = modelAt({ imageInput: true });
      const messages = [{ role: 'user', content: [png] }] as const;
      await ask(model, { messages });
      await ask(model, { messages: [...messages, { role: 'user', content: [{ ...png, data: '/9j/4AAQ' }] }] });
      assert.deepEqual(
        server.requests.map((request) => request.text.includes('iVBOR')),
        [true, false, false],
      );
      assert.ok(server.requests[2]?.text.includes('/9j/4AAQ'));
    });

    it('of a schema leads to plainer schemas, then to leaving the tool out, with a notice', async () => {
      const answer = refusal("Invalid schema for function 'bad': array schema missing items.", 400, {
        param: 'tools[1].function.parameters',
      });
      server.enqueue(answer, answer, textAnswer('Hi'));
      const events = await ask(modelAt(), { tools: [tool('good'), tool('bad'), tool('worse')] });
      assert.equal(textOf(events), 'Hi');
      const names = /"function":\{"name":"(\w+)"/g;
      assert.deepEqual(
        server.requests.map(({ text }) => [...text.matchAll(names)].map((match) => match[1])),
        [
          ['good', 'bad', 'worse'],
          ['good', 'bad', 'worse'],
          ['good', 'worse'],
        ],
      );
      assert.deepEqual(noticesOf(events), [
        "The tool bad is not offered to the model: the endpoint refuses it (Invalid schema for function 'bad': array schema missing items).",
      ]);
    });

    for (const message of [
      'tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12',
      '* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties: should be non-empty for OBJECT type',
    ]) {
      it(`finds the tool by its place in "${message.slice(0, 40)}…"`, async () => {
        server.enqueue(refusal(message, 400), refusal(message, 400), textAnswer('Hi'));
        const events = await ask(modelAt(), { tools: [tool('first'), tool('second')] });
        assert.match(noticesOf(events)[0] ?? '', /^The tool second is not offered/);
      });
    }

    it('without words is guessed to be about images, and the guess taken back where it does not help', async () => {
      const messages = [{ role: 'user', content: [{ kind: 'text', text: 'Look' }, png] }] as const;
      const model = modelAt({ imageInput: true });
      server.enqueue(refusal('Bad request', 400), textAnswer('Hi'), textAnswer('Hi'));
      await ask(model, { messages });
      await ask(model, { messages });
      assert.deepEqual(
        server.requests.map(({ text }) => text.includes('image_url')),
        [true, false, false],
      );
      const other = modelAt({ imageInput: true });
      server.enqueue(refusal('Bad request', 400), refusal('Bad request', 400), textAnswer('Hi'));
      await assert.rejects(ask(other, { messages }), { code: 'rejected' });
      await ask(other, { messages });
      assert.deepEqual(
        server.requests.slice(3).map(({ text }) => text.includes('image_url')),
        [true, false, true],
      );
    });

    it('of long descriptions is learnt', async () => {
      const answer = refusal(
        "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024.",
        400,
        { code: 'string_above_max_length' },
      );
      const { requests } = await bodies(answer, { tools: [{ ...tool('x'), description: 'd'.repeat(2000) }] });
      assert.deepEqual(
        requests.map((body) => JSON.stringify(body).includes('d'.repeat(1100))),
        [true, false, false],
      );
    });

    it('of calls without signatures is learnt', async () => {
      const answer = jsonAnswer(
        [
          {
            error: {
              code: 400,
              message: 'Function call is missing a thought_signature in functionCall parts.',
              status: 'INVALID_ARGUMENT',
            },
          },
        ],
        400,
      );
      const messages = [
        user('a'),
        { role: 'assistant', text: '', toolCalls: [{ id: 'call_1', name: 'x', arguments: {} }] },
        { role: 'tool', callId: 'call_1', name: 'x', content: [], isError: false },
      ] as const;
      const { requests } = await bodies(answer, { messages });
      assert.deepEqual(
        requests.map((body) => JSON.stringify(body).includes('thought_signature')),
        [false, true, true],
      );
    });

    it('that never ends comes to an end', async () => {
      server.enqueue(...Array.from({ length: 40 }, () => refusal("Invalid schema for function 'x'", 400)));
      const error = await failure({}, { tools: [tool('x')] });
      assert.equal(error.code, 'rejected');
      assert.ok(server.requests.length < 6);
    });

    it('in the words of an answer that began as a stream is learnt as well', async () => {
      server.enqueue(
        rawAnswer(`event: error\ndata: ${JSON.stringify({ error: { message: 'System role not supported' } })}\n\n`),
        textAnswer('Hi'),
      );
      assert.equal(textOf(await ask(modelAt(), { messages: [{ role: 'system', text: 's' }, user('a')] })), 'Hi');
    });
  });

  describe('the tap', () => {
    it('is told of the request with its exchange, of every event, and of the end', async () => {
      const facts: TapFact[] = [];
      server.enqueue(textAnswer('Hello there'));
      await ask(modelAt({ tap: (fact) => facts.push(fact), apiKey: key }), {
        turn: 'turn-1',
        step: 2,
        tools: [tool('x')],
      });
      const [request, model] = facts;
      assert.equal(request?.kind, 'http-request');
      assert.equal(model?.kind, 'model-request');
      assert.equal(
        model.kind === 'model-request' && request.kind === 'http-request' && model.exchange === request.exchange,
        true,
      );
      assert.deepEqual(
        model.kind === 'model-request' && [model.turn, model.step, model.model, model.logical, model.bytes],
        ['turn-1', 2, 'scripted', false, Buffer.byteLength(server.requests[0]?.text ?? '')],
      );
      assert.equal(facts.filter((fact) => fact.kind === 'sse-event').length, 6);
      assert.ok(facts.every((fact) => fact.peer === 'model' && fact.server === 'Local'));
      assert.equal(new Set(facts.map((fact) => fact.connection)).size, 1);
    });

    it('is told of the body of an answer that is no stream, and of other attempts', async () => {
      const facts: TapFact[] = [];
      server.enqueue(refusal('System role not supported', 400), refusal('busy', 503), textAnswer('Hi'));
      await ask(modelAt({ tap: (fact) => facts.push(fact) }), { messages: [{ role: 'system', text: 's' }, user('a')] });
      const bodies = facts.flatMap((fact) => (fact.kind === 'http-body' ? [fact.text] : []));
      assert.deepEqual(bodies, ['{"error":{"message":"System role not supported"}}', '{"error":{"message":"busy"}}']);
      const notes = facts.flatMap((fact) => (fact.kind === 'note' ? [fact.text] : []));
      assert.deepEqual(notes, [
        'asking again with the instructions in the first message: HTTP 400: System role not supported',
        'trying again in 500 ms: HTTP 503: busy',
      ]);
      assert.equal(facts.filter((fact) => fact.kind === 'model-request').length, 3);
    });
  });
});
