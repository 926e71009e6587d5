// A scripted MCP server on stdin and stdout. Its first argument is a JSON object that says how it behaves; see `Behaviour` in stdioServer.ts.
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { closeSync, writeFileSync, writeSync } from 'node:fs';

const behaviour = JSON.parse(process.argv[2] ?? '{}');
const write = (text) => writeSync(1, text);
const answer = (id, result) => write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);

if (behaviour.pidFile) writeFileSync(behaviour.pidFile, String(process.pid));
if (behaviour.ignoreEnd || behaviour.ignoreTerm) setInterval(() => {}, 1000);
if (behaviour.ignoreTerm) process.on('SIGTERM', () => {});
if (behaviour.child) startChild(behaviour.child);
if (behaviour.banner) write(behaviour.banner);
if (behaviour.stderr) writeSync(2, behaviour.stderr);
if (behaviour.exit !== undefined) process.exit(behaviour.exit);

/** A grandchild that ignores the end of its stdin: in our group, or in one of its own. */
function startChild({ pidFile, detached }) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached });
  child.unref();
  writeFileSync(pidFile, String(child.pid));
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'scripted', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'report', inputSchema: { type: 'object' } }] }),
  ping: () => ({}),
  /** Anything that a test wants to know of the process. */
  report: () => ({ cwd: process.cwd(), argv: process.argv.slice(3), env: process.env, pid: process.pid }),
  echo: (params) => params,
};

/** Things that a test asks the server to do. */
const actions = {
  die: ({ code = 3, stderr }) => {
    if (stderr) writeSync(2, stderr);
    process.exit(code);
  },
  crash: () => process.kill(process.pid, 'SIGKILL'),
  closeStdout: () => {
    setInterval(() => {}, 1000);
    closeSync(1);
  },
  closeStdin: () => {
    setInterval(() => {}, 1000);
    process.stdin.destroy();
    setImmediate(() => closeSync(0));
  },
  /** Stops reading for a while. */
  doze: ({ ms }, id) => {
    lines.pause();
    process.stdin.pause();
    setTimeout(() => lines.resume(), ms);
    answer(id, {});
  },
  /** Writes text and answers after it. */
  print: ({ text }, id) => {
    write(text);
    answer(id, {});
  },
  /** Writes bytes one by one, each in a write of its own, to stdout or stderr, then answers. */
  dribble: async ({ text, fd }, id) => {
    for (const byte of Buffer.from(text)) {
      writeSync(fd, Buffer.from([byte]));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    if (id !== undefined) answer(id, {});
  },
  /** Fills stderr. */
  flood: ({ bytes }, id) => {
    const line = `${'WARNING flood '.repeat(70)}\n`;
    for (let written = 0; written < bytes; written += line.length) writeSync(2, line);
    answer(id, {});
  },
  silence: () => {},
  big: ({ bytes }, id) => answer(id, { text: 'x'.repeat(bytes) }),
};

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (actions[method]) void actions[method](params, id);
  else if (methods[method]) answer(id, methods[method](params));
  else if (id !== undefined) {
    write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: `no ${method}` } })}\n`);
  }
  if (behaviour.noiseBetween) write(behaviour.noiseBetween);
});
