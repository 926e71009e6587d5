import assert from 'node:assert/strict';
import { RpcError, TransportError } from '../../../src/mcp/errors.ts';
import { hideSecrets, secretsOf } from '../../../src/mcp/hideSecrets.ts';

const secrets = secretsOf({
  kind: 'http',
  name: 'users',
  url: 'https://example.com/mcp',
  headers: { authorization: 'Bearer s3cret"Value99' },
});

describe('secrets of a configuration that a server says back', () => {
  it('are taken out of the message, the body and the cause of an error', () => {
    const cause = new Error('no: s3cret"Value99');
    const error = hideSecrets(
      new TransportError('http-status', 'refused Bearer s3cret"Value99', { body: '{"got":"s3cret\\"Value99"}', cause }),
      secrets,
    );
    for (const text of [error.message, error.body, error.stack, cause.message])
      assert.doesNotMatch(text ?? '', /s3cret/);
  });

  it('are taken out of what a refusal carries, at any depth; the rest stays as it was', () => {
    const data = { seen: ['Bearer s3cret"Value99'], url: 'https://example.com/ask?sessionId=42', count: 2 };
    const error = hideSecrets(new RpcError(-32042, 'URL needed', data), secrets);
    assert.deepEqual(error.data, { ...data, seen: ['[redacted]'] });
    const other = { url: 'https://example.com/ask?sessionId=42' };
    assert.equal(hideSecrets(new RpcError(-32042, 'URL needed', other), secrets).data, other);
  });
});
