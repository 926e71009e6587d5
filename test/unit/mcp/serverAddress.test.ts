import assert from 'node:assert/strict';
import { connect } from '../../../src/mcp/connect.ts';
import { addressOfServer } from '../../../src/mcp/serverAddress.ts';
import { isTransportError } from '../../support/connected.ts';

describe('the address of a server', () => {
  it('keeps what is written, without blanks around it', () => {
    const url = 'HTTP://127.0.0.1:80/sse?token=ab%2Fc&e=';
    assert.deepEqual(addressOfServer({ kind: 'http', name: 'users', url: ` ${url}\n` }), { url, headers: {} });
  });

  for (const [name, userInfo, decoded] of [
    ['a name and a password', 'me:p%40ss:w', 'me:p@ss:w'],
    ['a name alone', 'token', 'token:'],
    ['percent signs that stand for themselves', 'us%er:100%', 'us%er:100%'],
  ] as const) {
    it(`sends ${name} as Basic authorization`, () => {
      const { url, headers } = addressOfServer({ kind: 'sse', name: 'users', url: `http://${userInfo}@127.0.0.1/sse` });
      assert.equal(url, 'http://127.0.0.1/sse');
      assert.deepEqual(headers, { Authorization: `Basic ${Buffer.from(decoded).toString('base64')}` });
    });
  }

  for (const url of [
    '',
    'secret',
    'http://',
    'http://[',
    'http://a b/',
    'http://127.0.0.1:99999/',
    'ftp://secret/',
    'file:///secret',
  ]) {
    for (const kind of ['http', 'sse', 'auto'] as const) {
      it(`${JSON.stringify(url)} is refused with a typed error that does not repeat it (type ${kind})`, async () => {
        await assert.rejects(connect({ kind, name: 'users', url }), (error) => {
          assert.ok(!String(error).includes('secret'));
          return isTransportError('unreachable', /^users: its URL is no address of the web\. Correct it/)(error);
        });
      });
    }
  }
});
