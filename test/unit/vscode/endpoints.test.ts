import assert from 'node:assert/strict';
import { EndpointModels, type EndpointModelsOptions } from '../../../src/vscode/endpointModels.ts';
import { parseEndpoints, type ConfiguredModel, type Endpoint } from '../../../src/vscode/endpointSettings.ts';

const words = {
  noList: 'no list',
  noObject: 'no object',
  noName: 'no name',
  noUrl: 'no url',
  secondName: (name: string) => `second ${name}`,
  noModel: 'no model',
};

describe('the setting mcpAgent.endpoints', () => {
  it('gives endpoints with their models and limits', () => {
    const { endpoints, problems } = parseEndpoints(
      [
        {
          name: ' LM Studio ',
          url: 'http://127.0.0.1:1234/v1/',
          headers: { 'x-a': 'b', 'x-n': 3 },
          maxInputTokens: 9000,
          models: ['a', { id: 'b', name: 'Bee', imageInput: true }],
        },
      ],
      words,
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(endpoints, [
      {
        name: 'LM Studio',
        url: 'http://127.0.0.1:1234/v1',
        headers: { 'x-a': 'b' },
        maxInputTokens: 9000,
        models: [{ id: 'a' }, { id: 'b', name: 'Bee', imageInput: true }],
      },
    ]);
  });

  it('reports a bad entry with its place, and the others work', () => {
    const { endpoints, problems } = parseEndpoints(
      [
        3,
        { url: 'http://a' },
        { name: 'b', url: 'ftp://b' },
        { name: 'c', url: 'https://c', models: [{}, 'm'] },
        { name: 'c', url: 'https://d' },
      ],
      words,
    );
    assert.deepEqual(
      endpoints.map(({ name, models }) => [name, models]),
      [['c', [{ id: 'm' }]]],
    );
    assert.deepEqual(problems, [
      { path: 'mcpAgent.endpoints[0]', message: 'no object' },
      { path: 'mcpAgent.endpoints[1].name', message: 'no name' },
      { path: 'mcpAgent.endpoints[2].url', message: 'no url' },
      { path: 'mcpAgent.endpoints[3].models[0]', message: 'no model' },
      { path: 'mcpAgent.endpoints[4].name', message: 'second c' },
    ]);
    assert.deepEqual(parseEndpoints('x', words).problems, [{ path: 'mcpAgent.endpoints', message: 'no list' }]);
    assert.deepEqual(parseEndpoints(undefined, words), { endpoints: [], problems: [] });
  });
});

const ollama: Endpoint = { name: 'Ollama', url: 'http://127.0.0.1:11434/v1', headers: {} };

function models(
  list: EndpointModelsOptions['list'],
  more: Partial<EndpointModelsOptions> = {},
): { models: EndpointModels; cache: Map<string, unknown> } {
  const cache = new Map<string, unknown>();
  const options: EndpointModelsOptions = {
    endpoints: () => [ollama],
    list,
    open: () => Promise.reject(new Error('not here')),
    cache: { get: (key) => cache.get(key), update: async (key, value) => void cache.set(key, value) },
    ...more,
  };
  return { models: new EndpointModels(options), cache };
}

const forever = new AbortController().signal;

describe('the models of endpoints', () => {
  it('are not asked for before they are wanted', () => {
    let asked = 0;
    const { models: known } = models(async () => (asked++, []));
    assert.deepEqual(known.models(), []);
    assert.equal(asked, 0);
  });

  it('that the settings name are there without asking', async () => {
    let asked = 0;
    const { models: known } = models(async () => (asked++, []), {
      endpoints: () => [{ ...ollama, maxInputTokens: 8000, models: [{ id: 'qwen', maxOutputTokens: 100 }] }],
    });
    assert.deepEqual(
      known.models().map(({ id, model, label, maxInputTokens, maxOutputTokens }) => ({
        id,
        model,
        label,
        maxInputTokens,
        maxOutputTokens,
      })),
      [{ id: 'Ollama/qwen', model: 'qwen', label: 'qwen', maxInputTokens: 8000, maxOutputTokens: 100 }],
    );
    await known.refresh(forever);
    assert.equal(asked, 0);
  });

  it('that an endpoint lists are told once, and remembered for the next window', async () => {
    const listed: ConfiguredModel[] = [{ id: 'qwen', maxInputTokens: 1000 }];
    const { models: known, cache } = models(async () => listed);
    let changes = 0;
    known.onDidChange(() => changes++);
    await known.refresh(forever);
    await known.refresh(forever);
    assert.equal(changes, 1);
    assert.deepEqual(
      known.models().map(({ id }) => id),
      ['Ollama/qwen'],
    );
    const next = models(() => Promise.reject(new Error('away')), {
      cache: { get: (key) => cache.get(key), update: async () => {} },
    });
    assert.deepEqual(
      next.models.models().map(({ id }) => id),
      ['Ollama/qwen'],
    );
  });

  it('an endpoint that is absent is asked once a minute, and nobody hears an error', async () => {
    let asked = 0;
    let now = 0;
    const failures: unknown[] = [];
    const { models: known } = models(() => Promise.reject(new Error(`away ${++asked}`)), {
      now: () => now,
      onFailure: (_endpoint, error) => failures.push(error),
    });
    await known.refresh(forever);
    await known.refresh(forever);
    assert.equal(asked, 1);
    now = 61_000;
    await known.refresh(forever);
    assert.equal(asked, 2);
    assert.equal(failures.length, 2);
    assert.deepEqual(known.models(), []);
  });

  it('an endpoint that never answers is given up after the limit', async () => {
    const { models: known } = models(
      (_endpoint, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up')))),
      { limitMs: 5 },
    );
    await known.refresh(forever);
    assert.deepEqual(known.models(), []);
  });

  it('one is opened once, until its settings or its key change', async () => {
    let maxInputTokens = 1000;
    const { models: known } = models(async () => [], {
      endpoints: () => [{ ...ollama, maxInputTokens, models: [{ id: 'a' }] }],
      open: async ({ id, maxInputTokens }) => ({
        id,
        label: id,
        maxInputTokens,
        imageInput: false,
        stream: async function* () {},
      }),
    });
    const first = await known.chatModel('Ollama/a');
    assert.equal(await known.chatModel('Ollama/a'), first);
    maxInputTokens = 2000;
    const second = await known.chatModel('Ollama/a');
    assert.equal(second?.maxInputTokens, 2000);
    known.reset();
    assert.notEqual(await known.chatModel('Ollama/a'), second);
    assert.equal(await known.chatModel('Ollama/b'), undefined);
  });

  it('two who want them at the same time cause one request', async () => {
    let asked = 0;
    const { models: known } = models(async () => (asked++, [{ id: 'a' }]));
    await Promise.all([known.refresh(forever), known.refresh(forever)]);
    assert.equal(asked, 1);
  });

  it('after a change of settings or keys they are asked for anew', async () => {
    let asked = 0;
    const { models: known } = models(async () => (asked++, []));
    await known.refresh(forever);
    known.reset();
    await known.refresh(forever);
    assert.equal(asked, 2);
  });
});
