import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TapFact } from '../../../src/base/tap.ts';
import type { StdioOptions } from '../../../src/mcp/stdioTransport.ts';
import type { StdioServerConfig } from '../../../src/mcp/serverConfig.ts';
import { SCRIPTED_SERVER, scriptedConfig, StdioPeer, type Behaviour } from '../../support/stdioPeer.ts';

const posixOnly = process.platform === 'win32' ? it.skip : it;

function linesOf(facts: readonly TapFact[], direction: string): string[] {
  return facts.flatMap((fact) => (fact.kind === 'stdio-line' && fact.direction === direction ? [fact.text] : []));
}

describe('the stdio transport', () => {
  const peers: StdioPeer[] = [];
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stdio-')));

  function peerFor(config: StdioServerConfig, options?: StdioOptions): StdioPeer {
    const peer = new StdioPeer(config, options);
    peers.push(peer);
    return peer;
  }

  function start(
    behaviour?: Behaviour,
    config?: Partial<StdioServerConfig>,
    options?: StdioOptions,
  ): Promise<StdioPeer> {
    return peerFor(scriptedConfig(behaviour, config), options).start();
  }

  afterEach(async () => {
    await Promise.all(peers.splice(0).map((peer) => peer.transport.close()));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  describe('messages', () => {
    it('come through text of every kind on stdout', async () => {
      const noise = [
        'Server v1.0 is starting …',
        '\u001b[32m✔ ready\u001b[0m 😀',
        '',
        '   ',
        '{broken',
        '{"jsonrpc": "2.0", "id": 1',
        '123',
        'null',
        '"text"',
        '[]',
        '[1, 2]',
        '{"level":"info"}',
        '{"level":"info","method":"GET","id":1}',
        'undefined',
      ].join('\n');
      const peer = await start({ banner: `${noise}\r\n`, noiseBetween: `${noise}\n` });
      assert.deepEqual(await peer.request('echo', { a: 1 }), { a: 1 });
      assert.deepEqual(await peer.request('echo', { b: 2 }), { b: 2 });
      assert.equal(peer.messages.length, 2);
      assert.ok(linesOf(peer.facts, 'in').includes('123'));
      assert.ok(peer.notes.some(({ level, text }) => level === 'info' && text.includes('{"level":"info"}')));
      assert.ok(!peer.notes.some(({ level }) => level === 'warning'));
    });

    it('are found behind text and colours on their own line', async () => {
      const peer = await start({ noiseBetween: '\u001b[0m> ' });
      assert.deepEqual(await peer.request('echo', { a: 1 }), { a: 1 });
      assert.deepEqual(await peer.request('echo', { a: 'x{"jsonrpc":1}' }), { a: 'x{"jsonrpc":1}' });
    });

    it('come alone and in batches', async () => {
      const peer = await start();
      const text = '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]\n';
      await peer.request('print', { text });
      assert.deepEqual(peer.messages[0], JSON.parse(text));
    });

    it('come without a line end between them, also with such text inside', async () => {
      const peer = await start();
      const one = { jsonrpc: '2.0', method: 'a', params: { text: '}{"jsonrpc":"2.0"' } };
      const two = { jsonrpc: '2.0', method: 'b' };
      await peer.request('print', { text: `ready ${JSON.stringify(one)}${JSON.stringify(two)}\n` });
      assert.deepEqual(peer.messages[0], [one, two]);
    });

    it('are told to the tap with the line that carried them, in order', async () => {
      const peer = await start();
      await peer.request('echo', { é: 1 });
      const facts = peer.facts.filter(({ kind }) => kind === 'message' || kind === 'stdio-line');
      const request = '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"é":1}}';
      const answer = '{"jsonrpc":"2.0","id":1,"result":{"é":1}}';
      assert.deepEqual(
        facts.map((fact) => [fact.kind, 'direction' in fact && fact.direction, 'bytes' in fact && fact.bytes]),
        [
          ['stdio-line', 'out', false],
          ['message', 'out', Buffer.byteLength(request)],
          ['stdio-line', 'in', false],
          ['message', 'in', Buffer.byteLength(answer)],
        ],
      );
      assert.deepEqual(linesOf(peer.facts, 'in'), [answer]);
    });

    it('keep characters that are cut at each byte, on stdout and on stderr', async () => {
      const peer = await start();
      const text = 'é€😀ключ';
      const message = { jsonrpc: '2.0', method: 'note', params: { text } };
      await peer.request('dribble', { fd: 1, text: `${JSON.stringify(message)}\n` });
      await peer.request('dribble', { fd: 2, text: `${text}\n` });
      await peer.request('ping');
      assert.deepEqual(peer.messages[0], message);
      assert.deepEqual(linesOf(peer.facts, 'err'), [text]);
    });

    it('may be large, but not larger than the cap', async () => {
      const peer = await start({}, {}, { lineLimit: 1 << 20 });
      const result = await peer.request('big', { bytes: 1_000_000 });
      assert.equal(JSON.stringify(result).length, 1_000_011);
      await assert.rejects(peer.request('big', { bytes: 3 << 20 }), { code: 'too-large', message: /scripted.*1 MiB/ });
    });

    it('wait while the server does not read, and keep their order', async () => {
      const peer = await start();
      await peer.request('doze', { ms: 300 });
      const text = 'x'.repeat(64 * 1024);
      let accepted = 0;
      const sent = Array.from({ length: 32 }, (_, index) => peer.request('echo', { index, text }));
      const last = peer.transport
        .send({ jsonrpc: '2.0', method: 'silence' })
        .then(() => (accepted = performance.now()));
      const started = performance.now();
      const results = await Promise.all(sent);
      await last;
      assert.ok(accepted - started > 100, 'the pipe was full, so the call waited');
      assert.deepEqual(
        peer.messages.slice(1).map((message) => JSON.stringify(message).slice(0, 60)),
        results.map((_, index) =>
          JSON.stringify({ jsonrpc: '2.0', id: index + 2, result: { index, text } }).slice(0, 60),
        ),
      );
    });
  });

  describe('stderr', () => {
    it('is no failure, is told line by line, and never blocks the server', async () => {
      const peer = await start({ stderr: 'banner\nWARNING: old\n' });
      await peer.request('flood', { bytes: 10_000_000 });
      await peer.request('ping');
      assert.deepEqual(linesOf(peer.facts, 'err').slice(0, 2), ['banner', 'WARNING: old']);
      assert.deepEqual(peer.notes, []);
    });

    it('is not kept: its memory is bounded', async () => {
      const peer = peerFor(scriptedConfig());
      await peer.start();
      peer.facts.push = () => 0;
      await peer.request('flood', { bytes: 1_000_000 });
      const before = process.memoryUsage().heapUsed;
      await peer.request('flood', { bytes: 10_000_000 });
      assert.ok(process.memoryUsage().heapUsed - before < 15_000_000 + before);
      const error = await peer.request('die').catch((error: Error) => error.message);
      assert.ok(String(error).length < 6000);
    });
  });

  describe('the end of the process', () => {
    it('rejects a running call at once, with exit code and last stderr lines', async () => {
      const peer = await start();
      await assert.rejects(peer.request('die', { code: 3, stderr: 'first\nboom: no database\n' }), (error: Error) => {
        assert.match(error.message, /^scripted: .*exit code 3/);
        assert.match(error.message, /first\nboom: no database/);
        return true;
      });
      await assert.rejects(peer.request('ping'), { code: 'closed', message: /exit code 3/ });
      assert.ok(peer.facts.some((fact) => fact.kind === 'process-exit' && fact.code === 3));
    });

    posixOnly('tells the signal', async () => {
      const peer = await start();
      await assert.rejects(peer.request('crash'), { code: 'closed', message: /scripted: .*SIGKILL/ });
    });

    it('before the first message says that too', async () => {
      const peer = await start({ exit: 1, stderr: 'Error: missing API key\n' });
      assert.match((await peer.closed).message, /exit code 1.*stderr:\nError: missing API key/s);
    });

    it('tells when nothing but noise came', async () => {
      const peer = await start({ exit: 0, banner: 'Usage: server [options]\n' });
      assert.match((await peer.closed).message, /exit code 0.*no JSON-RPC message.*Usage: server/s);
    });

    it('delivers what was written just before it, also without a line end', async () => {
      const last = JSON.stringify({ jsonrpc: '2.0', method: 'last' });
      const peer = await start({ exit: 0, banner: `${JSON.stringify({ jsonrpc: '2.0', method: 'first' })}\n${last}` });
      await peer.closed;
      assert.deepEqual(peer.messages, [
        { jsonrpc: '2.0', method: 'first' },
        { jsonrpc: '2.0', method: 'last' },
      ]);
    });

    it('hides secrets of its environment in what it said', async () => {
      const peer = await start(
        { exit: 1, stderr: 'bad key sk-123456789 in production\n' },
        { env: { API_KEY: 'sk-123456789', NODE_ENV: 'production' } },
      );
      const { message } = await peer.closed;
      assert.ok(!message.includes('sk-123456789'));
      assert.match(message, /bad key ••• in production/);
    });

    it('is also the end when the server only closes a pipe', async () => {
      const mute = await start();
      await assert.rejects(mute.request('closeStdout'), { code: 'closed', message: /closed its stdout/ });
      const deaf = await start();
      void deaf.request('closeStdin').catch(() => undefined);
      const failing = setInterval(
        () => void deaf.transport.send({ jsonrpc: '2.0', method: 'x' }).catch(() => undefined),
        20,
      );
      const error = await deaf.closed.finally(() => clearInterval(failing));
      assert.match(error.message, /no longer reads its stdin/);
    });

    it('is not told after close', async () => {
      const peer = await start();
      let told = false;
      void peer.closed.then(() => (told = true));
      await peer.transport.close();
      assert.equal(told, false);
      await assert.rejects(peer.request('ping'), { code: 'cancelled' });
    });

    it('warns a person of a server that only prints', async () => {
      let tick: (() => void) | undefined;
      const clock = {
        now: () => performance.now(),
        after: (ms: number, run: () => void): (() => void) => {
          if (ms >= 5000) tick = run;
          const timer = ms >= 5000 ? undefined : setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
      };
      const peer = await start({ banner: 'Listening on port 3000\n' }, {}, { clock });
      await new Promise<void>((resolve) => {
        const poll = setInterval(() => {
          if (peer.notes.length === 0) return;
          clearInterval(poll);
          resolve();
        }, 5);
      });
      tick?.();
      const warning = peer.notes.find(({ level }) => level === 'warning');
      assert.match(warning?.text ?? '', /scripted: .*only text.*Listening on port 3000/);
    });
  });

  describe('the start', () => {
    it('passes arguments literally', async () => {
      const args = ['a b', '"quoted"', "it's", '$HOME', '&& echo x', '%PATH%', '^', '!', '*', '', '\\', 'ключ'];
      const peer = await start({}, { args: [SCRIPTED_SERVER, '{}', ...args] });
      assert.deepEqual((await peer.report()).argv, args);
    });

    it('runs in the given folder', async () => {
      const cwd = join(folder, 'a folder');
      mkdirSync(cwd);
      assert.equal((await (await start({}, { cwd })).report()).cwd, cwd);
    });

    it('gives the environment: inherited, added, and removed by null', async () => {
      process.env['STDIO_TEST_INHERITED'] = 'yes';
      process.env['STDIO_TEST_REMOVED'] = 'no';
      process.env['VSCODE_STDIO_TEST'] = 'no';
      try {
        const peer = await start({}, { env: { STDIO_TEST_REMOVED: null, ADDED: '1', EMPTY: '' } });
        const { env } = await peer.report();
        assert.equal(env['STDIO_TEST_INHERITED'], 'yes');
        assert.equal(env['PATH'], process.env['PATH']);
        assert.equal(env['ADDED'], '1');
        assert.equal(env['EMPTY'], '');
        assert.equal('STDIO_TEST_REMOVED' in env, false);
        assert.equal('VSCODE_STDIO_TEST' in env, false);
      } finally {
        for (const name of ['STDIO_TEST_INHERITED', 'STDIO_TEST_REMOVED', 'VSCODE_STDIO_TEST'])
          delete process.env[name];
      }
    });

    it('inherits from the environment that was given instead of ours', async () => {
      const peer = await start({}, { inheritedEnv: { ONLY: 'this', PATH: '/bin' }, env: { ALSO: 'that' } });
      const { env } = await peer.report();
      assert.deepEqual([env['ONLY'], env['ALSO'], env['PATH'], env['HOME']], ['this', 'that', '/bin', undefined]);
    });

    it('tells what to install when the program is missing', async () => {
      const env = { PATH: folder };
      const failure = async (command: string): Promise<string> => {
        const peer = peerFor({ kind: 'stdio', name: 'mine', command, env });
        const error: unknown = await peer.start().catch((error: unknown) => error);
        assert.ok(error instanceof Error && 'code' in error);
        assert.equal(error.code, 'process');
        return error.message;
      };
      assert.match(await failure('npx'), /^mine: .*"npx" was not found on PATH.*Node\.js/);
      assert.match(await failure('uvx'), /"uvx" was not found.*uv/);
      assert.match(await failure('docker'), /"docker" was not found.*Docker/);
      assert.match(await failure('some-server'), /"some-server" was not found.*full path/);
      assert.match(await failure('/nowhere/server'), /\/nowhere\/server does not exist/);
    });

    it('blames the folder, not the program, when the folder is missing', async () => {
      await assert.rejects(start({}, { cwd: join(folder, 'nope') }), (error: Error) => {
        assert.match(error.message, /scripted: .*folder .*nope does not exist.*"cwd"/);
        assert.ok(!error.message.includes(process.execPath));
        return true;
      });
      const file = join(folder, 'file');
      writeFileSync(file, '');
      await assert.rejects(start({}, { cwd: file }), { code: 'process', message: /file is not a folder/ });
    });

    posixOnly('runs a script beside it, and says what is wrong with one that cannot run', async () => {
      const run = join(folder, 'run.sh');
      writeFileSync(run, `#!/bin/sh\nexec "${process.execPath}" "${SCRIPTED_SERVER}" '{}' "$@"\n`);
      const config: StdioServerConfig = {
        kind: 'stdio',
        name: 'mine',
        command: './run.sh',
        args: ['a b'],
        cwd: folder,
      };
      await assert.rejects(peerFor(config).start(), { code: 'process', message: /may not be executed.*chmod/ });
      chmodSync(run, 0o755);
      const peer = await peerFor(config).start();
      assert.deepEqual((await peer.report()).argv, ['a b']);
      const bad = join(folder, 'bad.sh');
      writeFileSync(bad, '#!/nowhere/interpreter\n', { mode: 0o755 });
      await assert.rejects(peerFor({ ...config, command: './bad.sh' }).start(), {
        message: /first line of .*bad\.sh.*not found/,
      });
    });

    posixOnly("completes a desktop's PATH from the login shell, once a program is not found on it", async () => {
      const tool = join(folder, 'my-tool');
      writeFileSync(tool, `#!/bin/sh\nexec "${process.execPath}" "${SCRIPTED_SERVER}"\n`, { mode: 0o755 });
      const saved = process.env['PATH'];
      process.env['PATH'] = '/usr/bin:/bin';
      try {
        let asked = 0;
        const loginPath = async (): Promise<string> => {
          asked++;
          return `${folder}:/usr/bin`;
        };
        const machine = { platform: process.platform, loginPath };
        const peer = await peerFor({ kind: 'stdio', name: 'mine', command: 'my-tool' }, { machine }).start();
        assert.equal((await peer.report()).env['PATH'], `${folder}:/usr/bin:/bin`);
        assert.equal(asked, 1);
        const found = peerFor({ kind: 'stdio', name: 'mine', command: 'sh', args: ['-c', 'exit 0'] }, { machine });
        await found.start();
        await found.closed;
        assert.equal(asked, 1);
      } finally {
        process.env['PATH'] = saved;
      }
    });

    posixOnly('does not wait for a slow login shell once it is closed', async () => {
      const saved = process.env['PATH'];
      process.env['PATH'] = '/usr/bin:/bin';
      try {
        const machine = { platform: process.platform, loginPath: () => new Promise<string>(() => {}) };
        const peer = peerFor({ kind: 'stdio', name: 'mine', command: 'my-tool' }, { machine });
        const started = assert.rejects(peer.start(), { code: 'cancelled' });
        await peer.transport.close();
        await started;
      } finally {
        process.env['PATH'] = saved;
      }
    });

    it('after close is refused, and close may come again', async () => {
      const peer = peerFor(scriptedConfig());
      await peer.transport.close();
      await assert.rejects(peer.start(), { code: 'cancelled' });
      await peer.transport.close();
      assert.ok(!peer.facts.some(({ kind }) => kind === 'process-start'));
    });
  });
});
