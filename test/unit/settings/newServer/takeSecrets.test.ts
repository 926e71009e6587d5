import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { takeSecrets } from '../../../../src/settings/newServer/takeSecrets.ts';

const none = new Set<string>();

function taken(entry: JsonObject, ids: ReadonlySet<string> = none) {
  const { servers, inputs, answers } = takeSecrets([{ name: 'github', entry }], ids);
  return { entry: servers[0]?.entry, inputs, answers: Object.fromEntries(answers) };
}

describe('secrets of a server that is added', () => {
  it('become inputs, whose answers stand in no file', () => {
    const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const { entry, inputs, answers } = taken({
      command: 'npx',
      args: ['-y', 'x'],
      env: { GITHUB_TOKEN: token, LOG_LEVEL: 'debug' },
    });
    assert.deepEqual(entry, {
      command: 'npx',
      args: ['-y', 'x'],
      env: { GITHUB_TOKEN: '${input:github-token}', LOG_LEVEL: 'debug' },
    });
    assert.deepEqual(inputs, [
      { id: 'github-token', type: 'promptString', description: 'GITHUB_TOKEN (github)', password: true },
    ]);
    assert.deepEqual(answers, { 'github-token': token });
    assert(!JSON.stringify([entry, inputs]).includes(token));
  });

  it('are found wherever people write them', () => {
    const secret = 's3cr3t-value-of-mine';
    const places: JsonObject[] = [
      { url: 'https://x.example/mcp', headers: { Authorization: `Bearer ${secret}` } },
      { url: 'https://x.example/mcp', headers: { 'X-API-Key': secret } },
      { url: 'https://x.example/mcp', headers: { CONTEXT7: secret } },
      { url: `https://x.example/mcp?api_key=${secret}&page=2` },
      { url: `https://me:${secret}@x.example/mcp` },
      { command: 'x', args: ['--api-key', secret] },
      { command: 'x', args: [`--api-key=${secret}`] },
      { command: 'docker', args: ['run', '-e', `API_TOKEN=${secret}`, 'image'] },
      { command: 'npx', args: ['mcp-remote', 'https://x.example', '--header', `Authorization: Bearer ${secret}`] },
      { command: 'npx', args: ['postgres-mcp', `postgresql://me:${secret}@localhost/db`] },
      { command: 'x', env: { DB_PASSWORD: secret } },
      { command: 'x', env: { DATABASE_URL: `postgres://me:${secret}@h/db` } },
      { url: 'https://x.example/mcp', oauth: { clientId: 'me', clientSecret: secret } },
    ];
    for (const place of places) {
      const { entry, answers } = taken(place);
      assert(!JSON.stringify(entry).includes(secret), JSON.stringify(entry));
      assert(
        Object.values(answers).some((answer) => answer.includes(secret)),
        JSON.stringify(place),
      );
    }
  });

  it('known keys are recognised by their looks alone', () => {
    for (const key of [
      'sk-proj-abcdefghijklmnop1234',
      'ghp_abcdefghijklmnopqrstuvwxyz0123',
      'xoxb-1234567890-abc',
      'AKIAIOSFODNN7EXAMPLE',
    ]) {
      assert.deepEqual(taken({ command: 'x', args: ['start', key] }).answers, { 'github-argument': key });
    }
  });

  it('what is no secret stays as it is', () => {
    const entries: JsonObject[] = [
      {
        command: 'npx',
        args: ['-y', '@scope/server', '/home/me', '--port', '3000', '--timezone=UTC', '--max-tokens', '500'],
      },
      {
        command: 'x',
        env: { NODE_ENV: 'production', TOKEN_FILE: '/run/token', API_URL: 'https://x.example', KEYBOARD: 'de' },
      },
      { command: 'npx', args: ['-y', '@acme/my-account-mcp', '@acme/eat-here'] },
      { url: 'https://x.example/mcp?page=2&lang=de', headers: { Accept: 'text/event-stream', 'X-Tenant': 'a' } },
      { command: 'x', env: { API_KEY: '${env:API_KEY}', TOKEN: '${input:mine}' }, args: ['--token', '${env:T}'] },
      { url: 'https://x.example/mcp', headers: { Authorization: 'Bearer ${input:mine}' } },
    ];
    for (const entry of entries) {
      const result = taken(entry);
      assert.deepEqual(result.entry, entry);
      assert.deepEqual(result.inputs, []);
    }
  });

  it('a value that everybody has to fill in is asked for and answered by nothing', () => {
    const placeholders = [
      '<YOUR_API_KEY>',
      'YOUR_API_KEY',
      'your-api-key-here',
      '...',
      'xxxx',
      'sk-...',
      '',
      '{API_KEY}',
      'insert your token here',
      'my-secret-key',
      'YOUR_GITHUB_TOKEN',
    ];
    for (const value of placeholders) {
      const { entry, answers, inputs } = taken({ command: 'x', env: { API_KEY: value } });
      assert.deepEqual(entry, { command: 'x', env: { API_KEY: '${input:github-api-key}' } }, value);
      assert.deepEqual(answers, {}, value);
      assert.equal(inputs.length, 1);
    }
    const { inputs } = taken({ command: 'x', env: { PROJECT_ID: '<your project id>' }, args: ['<folder path>'] });
    assert.deepEqual(
      inputs.map(({ id, password }) => [id, password]),
      [
        ['github-project-id', false],
        ['github-folder-path', false],
      ],
    );
  });

  it('one secret in several places is one input; an id that is taken is not used again', () => {
    const { entry, inputs } = taken(
      { command: 'x', args: ['--token', 'abc123'], env: { TOKEN: 'abc123' } },
      new Set(['github-token']),
    );
    assert.equal(inputs.length, 1);
    assert.deepEqual(entry, {
      command: 'x',
      args: ['--token', '${input:github-token-2}'],
      env: { TOKEN: '${input:github-token-2}' },
    });
  });
});
