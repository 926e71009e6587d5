import assert from 'node:assert/strict';
import { resolveEndpoint } from '../../../src/mcp/endpoint.ts';
import { ProtocolError } from '../../../src/mcp/errors.ts';

const stream = 'http://127.0.0.1:8080/base/sse?token=t';

function refused(announced: string, ...parts: string[]): void {
  assert.throws(
    () => resolveEndpoint(announced, stream, 'users'),
    (error) => {
      assert.ok(error instanceof ProtocolError);
      assert.equal(error.code, 'endpoint');
      for (const part of ['users: ', ...parts])
        assert.ok(error.message.includes(part), `${error.message} lacks ${part}`);
      return true;
    },
  );
}

describe('resolveEndpoint', () => {
  const good: [announced: string, expected: string][] = [
    ['/messages?sessionId=1', 'http://127.0.0.1:8080/messages?sessionId=1'],
    ['messages?sessionId=1', 'http://127.0.0.1:8080/base/messages?sessionId=1'],
    ['?sessionId=1', 'http://127.0.0.1:8080/base/sse?sessionId=1'],
    ['../m', 'http://127.0.0.1:8080/m'],
    ['http://127.0.0.1:8080/m?s=1', 'http://127.0.0.1:8080/m?s=1'],
    ['HTTP://127.0.0.1:8080/m', 'http://127.0.0.1:8080/m'],
    ['//127.0.0.1:8080/m', 'http://127.0.0.1:8080/m'],
    ['  /messages?s=1 \t', 'http://127.0.0.1:8080/messages?s=1'],
    ["/m?a=%2f&b='x'&c=&&d=1+2&e=ü".replace('&e=ü', ''), "http://127.0.0.1:8080/m?a=%2f&b='x'&c=&&d=1+2"],
    ['/m?name=ü', 'http://127.0.0.1:8080/m?name=%C3%BC'],
    ['/m?s=1#part', 'http://127.0.0.1:8080/m?s=1'],
    ['/m?url=http%3A%2F%2Fx', 'http://127.0.0.1:8080/m?url=http%3A%2F%2Fx'],
  ];
  for (const [announced, expected] of good) {
    it(`takes ${JSON.stringify(announced)}`, () => assert.equal(resolveEndpoint(announced, stream, 'users'), expected));
  }

  for (const announced of [
    'http://127.0.0.1:8081/collect',
    'https://127.0.0.1:8080/m',
    'http://localhost:8080/m',
    '//evil.example/m',
    'http://127.0.0.1:8080@evil.example/m',
  ]) {
    it(`refuses ${announced}, naming both origins`, () => {
      refused(announced, 'http://127.0.0.1:8080', new URL(announced, stream).origin, 'nothing is sent there');
    });
  }

  for (const announced of ['https%3A//127.0.0.1:8080/api?s=1', 'http%3a//x', 'http://[broken']) {
    it(`refuses ${announced}, quoting it`, () => refused(announced, JSON.stringify(announced)));
  }

  it('refuses what is empty or another scheme', () => {
    refused('', 'empty');
    refused('   ', 'empty', '"   "');
    refused('file:///etc/passwd', 'file:');
    refused('javascript:alert(1)', 'javascript:');
  });
});
