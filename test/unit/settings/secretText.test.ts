import assert from 'node:assert/strict';
import { isSecretName, looksSecret, maskSecrets } from '../../../src/settings/secretText.ts';

describe('credentials in settings', () => {
  it('are known by their names', () => {
    for (const name of [
      'GITHUB_TOKEN',
      'apiKey',
      'X-Api-Key',
      'clientSecret',
      'DB_PASSWORD',
      'token',
      'access_key',
      'PRIVATE_KEY',
      'SENTRY_DSN',
    ]) {
      assert.equal(isSecretName(name), true, name);
    }
    for (const name of [
      'MAX_TOKENS',
      'TOKEN_FILE',
      'tokenizer',
      'KEYBOARD',
      'monkey',
      'PUBLIC_KEY',
      'SORT_KEY',
      'PATH',
      'author',
      'TOKEN_URL',
    ]) {
      assert.equal(isSecretName(name), false, name);
    }
  });

  it('are known by their shapes', () => {
    for (const text of [
      'ghp_abcdefghijklmnopqrstuvwxyz0123',
      'sk-proj-abcdefghijklmnop',
      'Bearer abcdefgh12',
      'xoxb-1234567890-abc',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
    ]) {
      assert.equal(looksSecret(text), true, text);
    }
    for (const text of [
      'server-filesystem',
      'https://example.com/mcp',
      'task-list-of-today',
      'Bearer ${input:a}',
      '',
    ]) {
      assert.equal(looksSecret(text), false, text);
    }
  });

  it('are masked where a command or an address is kept, and nothing else is', () => {
    for (const [text, masked] of [
      ['https://ann:pass@example.com/mcp?api_key=abc&page=2#x', 'https://•••@example.com/mcp?api_key=•••&page=2#x'],
      ['https://example.com/mcp?api_key=${input:k}', 'https://example.com/mcp?api_key=${input:k}'],
      ['npx -y server --token abc --port 80', 'npx -y server --token ••• --port 80'],
      ['npx -y server --api-key=abc --verbose', 'npx -y server --api-key=••• --verbose'],
      ['run ghp_abcdefghijklmnopqrstuvwxyz0123 now', 'run ••• now'],
      ['node  server.js --max-tokens 5', 'node  server.js --max-tokens 5'],
    ] as const) {
      assert.equal(maskSecrets(text), masked);
    }
  });
});
