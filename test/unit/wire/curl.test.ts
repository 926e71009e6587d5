import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { toCurl } from '../../../src/wire/curl.ts';
import type { EntryOf } from '../../../src/wire/wireEntry.ts';
import type { TapFact } from '../../../src/base/tap.ts';
import { startServer } from '../../support/httpServer.ts';
import { recorded } from '../../support/wire/recordedConversation.ts';

const body = `{"text":"it's \\"quoted\\" $HOME \`id\` %PATH% & | ^ ! 北京\\n","token":"abcdefghijklmnop"}`;

function request(
  changes: { url?: string; headers?: Record<string, string>; body?: string } = {},
): EntryOf<'http-request'> {
  const fact: TapFact = {
    ...{ connection: 'demo#1', server: 'demo', peer: 'mcp', kind: 'http-request', exchange: 1, method: 'POST' },
    url: 'http://127.0.0.1:8080/mcp?sessionId=3e19fbcd-51f4-4784-9f63-538c9a203859',
    headers: {
      authorization: 'Bearer aSecretToken0123456789',
      'x-api-key': 'anotherSecret99',
      'content-type': 'application/json',
      'content-length': '10',
      host: 'x',
    },
    body,
    ...changes,
  };
  const [entry] = recorded([{ at: 0, fact }]);
  assert.ok(entry?.kind === 'http-request');
  return entry;
}

/** What a POSIX shell hands to `curl`, with the variables set. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for argument in "$@"; do printf '%s\\0' "$argument"; done; }\n${command}`;
  const environment = { PATH: process.env['PATH'], MCP_TOKEN: 'tok', MCP_SESSION: 'ses', MCP_X_API_KEY: 'key' };
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: environment }).split('\0').slice(0, -1);
}

describe('a request as cURL', () => {
  it('for sh is understood by a shell as it was, with variables for what is hidden', () => {
    const { text = '' } = request().body ?? {};
    const given = argumentsOf(toCurl(request(), 'sh'));
    assert.deepEqual(given.slice(0, 4), ['-N', '-X', 'POST', 'http://127.0.0.1:8080/mcp?sessionId=ses']);
    assert.deepEqual(given.slice(4, -1), [
      '-H',
      'authorization: Bearer tok',
      '-H',
      'x-api-key: key',
      '-H',
      'content-type: application/json',
      '--data-raw',
    ]);
    assert.equal(given.at(-1), text.replace(/\[redacted[^\]]*\]/, ''));
  });

  it('for sh sends the same request again when it is run', async function () {
    if (spawnSync('curl', ['--version']).error !== undefined) this.skip();
    const server = await startServer((_request, response) => void response.end('event: message\ndata: {}\n\n'));
    try {
      const tricky = `{"text":"it's \\"quoted\\" $HOME \`id\` %PATH% & | ^ ! 北京\\n"}`;
      const url = `${server.origin}/mcp?sessionId=3e19fbcd-51f4-4784-9f63-538c9a203859&a%20b`;
      const command = toCurl(request({ url, body: tricky }), 'sh');
      const env = { PATH: process.env['PATH'], MCP_TOKEN: 'tok', MCP_SESSION: 'ses', MCP_X_API_KEY: 'key' };
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
      assert.match(stdout, /data: {}/);
      const [got] = server.requests;
      assert.equal(got?.method, 'POST');
      assert.equal(got.url, '/mcp?sessionId=ses&a%20b');
      assert.equal(got.body, tricky);
      const { authorization, 'x-api-key': key, 'content-type': type } = got.headers;
      assert.deepEqual(
        { authorization, key, type },
        { authorization: 'Bearer tok', key: 'key', type: 'application/json' },
      );
    } finally {
      await server.close();
    }
  });

  for (const shell of ['sh', 'cmd', 'powershell'] as const) {
    it(`for ${shell} holds no secret and none of its marks`, () => {
      const command = toCurl(request(), shell);
      assert.doesNotMatch(command, /redacted|aSecret|abcdefgh|another|3e19/);
      assert.match(command, /MCP_TOKEN/);
      assert.match(command, /MCP_SESSION/);
    });
  }

  it('for cmd guards what is special there', () => {
    const command = toCurl(request({ body: '{"a":"50% & <b> | ^"}' }), 'cmd');
    assert.ok(command.includes(String.raw`--data-raw ^"{^\^"a^\^":^\^"50^% ^& ^<b^> ^| ^^^\^"}^"`), command);
    assert.ok(command.includes('-H ^"authorization: Bearer %MCP_TOKEN%^"'), command);
  });

  it('for PowerShell adds variables of the environment to quoted texts', () => {
    const command = toCurl(request({ body: "it's" }), 'powershell');
    assert.ok(command.includes("'authorization' = ('Bearer ' + $env:MCP_TOKEN)"), command);
    assert.ok(command.includes("-Body 'it''s'"), command);
    assert.ok(command.includes("-ContentType 'application/json'"), command);
  });

  it('a request without a body has none', () => {
    const { body: _body, ...get } = request();
    assert.doesNotMatch(toCurl({ ...get, method: 'GET' }, 'sh'), /data-raw/);
  });
});
