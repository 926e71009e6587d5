import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/model/modelError.ts';
import { listModels } from '../../../../src/model/openai/listModels.ts';
import { jsonAnswer, startScriptedModel, type ScriptedAnswer } from '../../../support/scriptedModel.ts';

/** Lists the models of an endpoint that gives this answer. */
async function list(
  models: ScriptedAnswer,
  options: { apiKey?: string; signal?: AbortSignal; timeoutMs?: number } = {},
): ReturnType<typeof listModels> {
  const server = await startScriptedModel({ models });
  try {
    return await listModels({ url: server.url, name: 'Local', ...options });
  } finally {
    await server.close();
  }
}

async function failure(models: ScriptedAnswer, options: Parameters<typeof list>[1] = {}): Promise<ModelError> {
  const outcome = await list(models, options).catch((error: unknown) => error);
  assert.ok(outcome instanceof ModelError, String(outcome));
  return outcome;
}

describe('listModels', () => {
  for (const [endpoint, body, expected] of [
    [
      'OpenAI',
      { object: 'list', data: [{ id: 'gpt-4o', object: 'model', created: 1, owned_by: 'system' }] },
      [{ id: 'gpt-4o' }],
    ],
    [
      'Ollama',
      { object: 'list', data: [{ id: 'qwen3:4b', object: 'model', created: 1, owned_by: 'library' }] },
      [{ id: 'qwen3:4b' }],
    ],
    ['Ollama without models', { object: 'list', data: null }, []],
    [
      'LM Studio',
      {
        data: [
          {
            id: 'qwen3-4b',
            object: 'model',
            type: 'llm',
            max_context_length: 40_960,
            loaded_context_length: 4096,
            capabilities: ['tool_use'],
          },
          { id: 'gemma-3', object: 'model', type: 'vlm', max_context_length: 131_072 },
          { id: 'nomic', object: 'model', type: 'embeddings', max_context_length: 2048 },
        ],
      },
      [
        { id: 'qwen3-4b', maxInputTokens: 4096, toolCalling: true },
        { id: 'gemma-3', maxInputTokens: 131_072, imageInput: true },
      ],
    ],
    [
      'llama.cpp',
      {
        models: [{ name: 'gemma', model: 'gemma', capabilities: ['completion', 'multimodal'] }],
        object: 'list',
        data: [
          {
            id: 'gemma.gguf',
            object: 'model',
            owned_by: 'llamacpp',
            meta: { vocab_type: 1, n_ctx_train: 131_072, n_params: 4 },
          },
        ],
      },
      [{ id: 'gemma.gguf', maxInputTokens: 131_072 }],
    ],
    [
      'vLLM',
      {
        object: 'list',
        data: [{ id: 'Qwen/Qwen3-8B', object: 'model', root: 'Qwen/Qwen3-8B', max_model_len: 40_960, permission: [] }],
      },
      [{ id: 'Qwen/Qwen3-8B', maxInputTokens: 40_960 }],
    ],
    [
      'OpenRouter',
      {
        data: [
          {
            id: 'anthropic/claude-sonnet-4',
            name: 'Anthropic: Claude Sonnet 4',
            context_length: 1_000_000,
            architecture: { input_modalities: ['image', 'text'] },
            top_provider: { context_length: 200_000, max_completion_tokens: 64_000 },
            supported_parameters: ['tools', 'tool_choice'],
          },
          {
            id: 'old/model',
            name: 'Old',
            context_length: 4096,
            architecture: { input_modalities: ['text'] },
            top_provider: { context_length: null },
            supported_parameters: ['temperature'],
          },
        ],
      },
      [
        {
          id: 'anthropic/claude-sonnet-4',
          name: 'Anthropic: Claude Sonnet 4',
          maxInputTokens: 200_000,
          maxOutputTokens: 64_000,
          imageInput: true,
          toolCalling: true,
        },
        { id: 'old/model', name: 'Old', maxInputTokens: 4096, imageInput: false, toolCalling: false },
      ],
    ],
    [
      'Mistral',
      {
        data: [
          { id: 'mistral-small', max_context_length: 131_072, capabilities: { function_calling: true, vision: false } },
        ],
      },
      [{ id: 'mistral-small', maxInputTokens: 131_072, imageInput: false, toolCalling: true }],
    ],
    [
      'Groq',
      { data: [{ id: 'llama-3.3', context_window: 131_072, max_completion_tokens: 32_768, active: true }] },
      [{ id: 'llama-3.3', maxInputTokens: 131_072, maxOutputTokens: 32_768 }],
    ],
    [
      'Together',
      [
        { id: 'meta/llama', display_name: 'Llama', context_length: 8192, type: 'chat' },
        { id: 'flux', type: 'image' },
      ],
      [{ id: 'meta/llama', name: 'Llama', maxInputTokens: 8192 }],
    ],
    [
      'Gemini',
      { object: 'list', data: [{ id: 'models/gemini-3-flash', object: 'model', display_name: 'Gemini 3 Flash' }] },
      [{ id: 'models/gemini-3-flash', name: 'Gemini 3 Flash' }],
    ],
    [
      'Anthropic',
      { data: [{ type: 'model', id: 'claude-sonnet-4', display_name: 'Claude Sonnet 4' }], has_more: false },
      [{ id: 'claude-sonnet-4', name: 'Claude Sonnet 4' }],
    ],
    [
      'an endpoint that repeats itself and has holes',
      { data: [{ id: 'a' }, null, { id: '' }, 'b', { id: 'a' }, { id: 'c', context_length: '4096' }] },
      [{ id: 'a' }, { id: 'c' }],
    ],
  ] as const) {
    it(`reads the list of ${endpoint}`, async () => {
      assert.deepEqual(await list(jsonAnswer(body)), expected);
    });
  }

  it('shows its key and asks at the right path', async () => {
    const server = await startScriptedModel();
    await listModels({ url: `${server.url}/`, apiKey: 'key-123456' });
    const [request] = server.otherRequests;
    assert.equal(request?.path, '/v1/models');
    assert.equal(request.headers.authorization, 'Bearer key-123456');
    await server.close();
  });

  for (const [what, answer, code, message] of [
    [
      'a wrong key',
      jsonAnswer({ error: { message: 'Bad key' } }, 401),
      'unauthorized',
      /asks for an API key \(HTTP 401: Bad key\)/,
    ],
    [
      'no such path',
      jsonAnswer({ detail: 'Not Found' }, 404),
      'not-found',
      /has nothing at this address \(HTTP 404: Not Found\)\. Check the address/,
    ],
    [
      'a web page',
      { headers: { 'content-type': 'text/html' }, body: ['<html><title>Router</title></html>'] },
      'not-found',
      /the web page "Router"/,
    ],
    ['an error in a success', jsonAnswer({ error: { message: 'boom' } }), 'stream', /boom/],
    ['something else', jsonAnswer({ hello: 1 }), 'stream', /not in a form that we know/],
    ['no JSON', { headers: {}, body: ['hello'] }, 'stream', /not in a form that we know/],
  ] as const) {
    it(`says what is wrong where it gets ${what}`, async () => {
      const error = await failure(answer);
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      assert.match(error.message, /Local \(http/);
    });
  }

  it('does not wait for ever, and ends with the signal', async () => {
    const silent: ScriptedAnswer = { body: ['{'], end: 'hang' };
    assert.equal((await failure(silent, { timeoutMs: 50 })).code, 'timeout');
    const controller = new AbortController();
    const listing = failure(silent, { signal: controller.signal });
    controller.abort();
    assert.equal((await listing).code, 'cancelled');
    assert.equal((await failure(silent, { signal: AbortSignal.abort() })).code, 'cancelled');
  });

  it('says that nothing is there', async () => {
    const server = await startScriptedModel();
    await server.close();
    await assert.rejects(listModels({ url: server.url }), { name: 'ModelError', code: 'unreachable' });
    await assert.rejects(listModels({ url: 'nonsense' }), {
      name: 'ModelError',
      code: 'unreachable',
      message: /is no address of a model endpoint/,
    });
  });
});
