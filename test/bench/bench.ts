// `npm run bench` — this core beside its rivals and a bare floor, against one plain server. `--quick` is a look of a few minutes; `--only TEXT` runs the cases
// whose name holds TEXT; `--rounds N`; `--json FILE` writes all figures. Each measurement runs in a process of its own, the peers take turns.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { quantile, type Figures, type Job } from './measures.ts';
import { printRecording, printTable, type Results } from './report.ts';
import type { PeerName, Target } from './target.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string' },
  },
});
const quick = options.quick ?? false;
const rounds = Number(options.rounds ?? (quick ? 1 : 5));
/** When a quick look has to end, in milliseconds since the process began; what has no turn by then is left out and said so. */
const deadline = quick ? 165_000 : Infinity;
/** No measurement takes longer than so many milliseconds. */
const longest = quick ? 15_000 : 120_000;
const peers: readonly PeerName[] = ['floor', 'ours', 'sdk1', 'sdk2', 'recorded'];
const core = process.env['BENCH_CORE'] ?? 'dist/core.mjs';
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);

interface Case {
  readonly name: string;
  readonly job: Job;
  /** Where fewer rounds tell as much. */
  readonly rounds?: number;
  readonly without?: readonly PeerName[];
  /** Also with the wire record on. */
  readonly recorded?: boolean;
}

/** `events` is Streamable HTTP whose answers are event streams. */
type Transport = 'sse' | 'http' | 'events' | 'stdio';

const paths = { sse: 'sse', http: 'mcp', events: 'events' } as const;

/** Where the server of `tools` tools is; `delay` in milliseconds before each of its answers. */
function targetOf(port: number, transport: Transport, tools: number, delay = 0): Target {
  if (transport === 'stdio')
    return { transport, command: process.execPath, args: [here('stdioServer.ts'), String(tools)] };
  const url = `http://127.0.0.1:${port}/${paths[transport]}/${tools}${delay > 0 ? `?delay=${delay}` : ''}`;
  return { transport: transport === 'sse' ? 'sse' : 'http', url };
}

function casesOf(port: number): Case[] {
  const delay = quick ? 100 : 250;
  const cases: Case[] = [];
  for (const transport of ['sse', 'http', 'events', 'stdio'] as const) {
    const add = (
      name: string,
      measure: Job['measure'],
      size: number,
      more: Partial<Case> & { tools?: number } = {},
    ): void => {
      const { tools = 10, ...rest } = more;
      cases.push({
        name: `${transport} ${name}`,
        job: { measure, size, target: targetOf(port, transport, tools) },
        ...rest,
      });
    };
    const overHttp = transport === 'sse' || transport === 'http';
    // Calls over stdio are several times as quick, and a measurement should last.
    const many = transport === 'stdio' ? 4 : 1;
    if (transport !== 'events') add('first', 'first', 1);
    if (overHttp) add('connect', 'connects', quick ? 10 : 40);
    add('seq', 'sequential', many * (quick ? 1000 : 4000), { recorded: !quick || overHttp });
    if (quick && transport === 'events') continue;
    add('64 in flight', 'parallel', many * (quick ? 5000 : 12_000), { recorded: !quick });
    if (!quick) add('1 MB', 'big', 1 << 20, { recorded: true });
    add('16 MB', 'big', 16 << 20, { rounds: Math.min(rounds, 3) });
    if (transport === 'events') continue;
    if (!quick) add('list 10', 'list', 10);
    add('list 1000', 'list', 1000, { tools: 1000 });
    if (!quick) add('list 10000', 'list', 10_000, { tools: 10_000, rounds: Math.min(rounds, 2) });
    if (overHttp) add('100 servers', 'servers', 100, { rounds: Math.min(rounds, 3) });
  }
  for (const transport of ['sse', 'http'] as const) {
    const known = targetOf(port, transport, 10, delay);
    if (known.transport === 'stdio') continue;
    const trips = (name: string, target: Target, without: PeerName[]): void => {
      cases.push({ name, job: { measure: 'trips', size: 1, target }, rounds: 1, without });
    };
    trips(`${transport} known`, known, []);
    trips(`${transport} unknown`, { transport: 'unknown', url: known.url }, ['floor']);
  }
  // The largest answers last: they take longest, and a quick look may not come to its end.
  const isLarge = ({ job }: Case): number => Number(job.measure === 'big');
  return cases
    .filter(({ name }) => options.only === undefined || name.includes(options.only))
    .toSorted((a, b) => isLarge(a) - isLarge(b));
}

async function startServer(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [here('httpServer.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { child, port: Number(String(line)) };
}

async function measure(peer: PeerName, job: Job): Promise<Figures | undefined> {
  const args = ['--expose-gc', '--no-warnings', here('worker.ts'), peer, JSON.stringify(job)];
  try {
    const { stdout } = await run(process.execPath, args, { timeout: longest });
    const figures: Figures = JSON.parse(stdout);
    return figures;
  } catch (error) {
    const reason =
      error instanceof Error
        ? (error.message.split('\n').find((line) => line.includes('Error')) ?? error.message)
        : String(error);
    console.error(`  ${peer} fails: ${reason.slice(0, 200)}`);
    return undefined;
  }
}

/** Bytes of what an import of the core reads and its first connection over HTTP, and the time of the import in a fresh process. */
async function measureCore(port: number): Promise<void> {
  const url = new URL(core, `file://${process.cwd()}/`).href;
  // The parts of the core are CommonJS; Node's list of what was read tells which ones were.
  const script = `
    import { createRequire } from 'node:module';
    import { statSync } from 'node:fs';
    import 'node:http';
    const started = performance.now();
    const { connect } = await import(${JSON.stringify(url)});
    const ms = performance.now() - started;
    const read = () => [${JSON.stringify(fileURLToPath(url))}, ...Object.keys(createRequire(${JSON.stringify(url)}).cache)]
      .reduce((sum, file) => sum + statSync(file).size, 0);
    const bytes = read();
    const client = await connect({ kind: 'http', name: 'bench', url: 'http://127.0.0.1:${port}/mcp/10' });
    await client.listTools();
    console.log(JSON.stringify({ ms, bytes, connected: read() }));
    process.exit(0);`;
  const times: number[] = [];
  let [bytes, connected] = [0, 0];
  for (let count = 0; count < 7; count++) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    const measured: { ms: number; bytes: number; connected: number } = JSON.parse(stdout);
    times.push(measured.ms);
    ({ bytes, connected } = measured);
  }
  const size = (count: number): string => `${(count / 1024).toFixed(1)} KiB`;
  const ms = quantile(times, 0.5).toFixed(1);
  console.log(`${core}: import reads ${size(bytes)} in ${ms} ms (median of 7 fresh processes)`);
  console.log(`With the first connection over HTTP it has read ${size(connected)}, nothing of sign-in among it.`);
}

async function runCases(port: number): Promise<Results> {
  const results: Results = new Map();
  const cases = casesOf(port);
  for (let round = 0; round < rounds; round++) {
    for (const { name, job, rounds: own = rounds, without = [], recorded = false } of cases) {
      if (round >= own) continue;
      console.error(`round ${round + 1} of ${own}: ${name}`);
      const turn = [...peers.slice(round % peers.length), ...peers.slice(0, round % peers.length)];
      const isMeasured = (peer: PeerName): boolean => (peer === 'recorded' ? recorded : !without.includes(peer));
      for (const peer of turn.filter(isMeasured)) {
        if (performance.now() > deadline) continue;
        const figures = await measure(peer, job);
        const byPeer = results.get(name) ?? new Map<PeerName, Figures[]>();
        results.set(name, byPeer);
        byPeer.set(peer, [...(byPeer.get(peer) ?? []), ...(figures ? [figures] : [])]);
      }
    }
  }
  return results;
}

if (!existsSync(core)) {
  console.error(`${core} does not exist: run npm run build first.`);
  process.exit(1);
}
const { child, port } = await startServer();
try {
  await measureCore(port);
  const results = await runCases(port);
  if (performance.now() > deadline)
    console.log('\nThe time of a quick look is over; rows without figures had no turn.');
  printTable(results);
  printRecording(results);
  if (options.json !== undefined) {
    const plain = [...results].map(([name, byPeer]) => [name, Object.fromEntries(byPeer)]);
    writeFileSync(options.json, `${JSON.stringify(Object.fromEntries(plain), undefined, 1)}\n`);
  }
} finally {
  child.stdin?.end();
}
