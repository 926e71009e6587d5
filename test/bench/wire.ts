// `node --expose-gc test/bench/wire.ts [--rounds N] [--only rows]` — what recording costs: calls with and without the record, the record's memory at its
// cap, and what 100,000 rows take to be paired, filtered and written. Rounds with and without take turns in one process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Tap } from '../../src/base/tap.ts';
import { connect } from '../../src/mcp/connect.ts';
import type { Client } from '../../src/mcp/client.ts';
import { matchesFilter, parseFilter } from '../../src/wire/filter.ts';
import { toHar } from '../../src/wire/har.ts';
import { fromHar } from '../../src/wire/harImport.ts';
import { fromJsonLines, toJsonLines } from '../../src/wire/jsonl.ts';
import { RowBook } from '../../src/wire/rowBook.ts';
import type { WireEntry, WireFact } from '../../src/wire/wireEntry.ts';
import { sequenceOf } from '../../src/wire/sequence.ts';
import { sizeStory } from '../../src/wire/sizes.ts';
import { WireLog } from '../../src/wire/wireLog.ts';
import { fixedSource, WireSession } from '../../src/wire/wireSession.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    calls: { type: 'string', default: '1500' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const calls = Number(values.calls);

interface Round {
  /** Microseconds a call. */
  readonly time: number;
  readonly cpu: number;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

async function runCalls(client: Client, count: number, tool: string, args: Record<string, unknown>): Promise<Round> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (let call = 0; call < count; call += 1) await client.callTool(tool, args);
  const time = ((performance.now() - started) * 1000) / count;
  const { user, system } = process.cpuUsage(cpu);
  return { time, cpu: (user + system) / count };
}

async function compare(
  url: string,
  kind: 'sse' | 'http',
  tool: string,
  args: Record<string, unknown>,
  count: number,
): Promise<void> {
  const log = new WireLog();
  let target: Tap | undefined;
  // One client each, so that the code without a tap is the code that runs without one.
  const plain = await connect({ kind, name: 'bench', url });
  const recorded = await connect({ kind, name: 'bench', url }, { tap: (fact) => target?.(fact) });
  target = log.tap;
  const off: Round[] = [];
  const on: Round[] = [];
  await runCalls(plain, Math.ceil(count / 3), tool, args);
  await runCalls(recorded, Math.ceil(count / 3), tool, args);
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? ([plain, recorded] as const) : ([recorded, plain] as const);
    for (const client of order) (client === plain ? off : on).push(await runCalls(client, count, tool, args));
  }
  log.flush();
  const row = (name: 'time' | 'cpu'): string => {
    const [without, withIt] = [median(off.map((round) => round[name])), median(on.map((round) => round[name]))];
    return `${without.toFixed(0)} → ${withIt.toFixed(0)} µs (${(((withIt - without) / without) * 100).toFixed(1)} %)`;
  };
  console.log(
    `${kind} ${tool}${'bytes' in args ? ` ${String(args['bytes'])}` : ''}: time a call ${row('time')}, CPU ${row('cpu')}`,
  );
  await plain.close();
  await recorded.close();
  log.dispose();
}

/** 2,000 results of 500 KB, most of it an image: the memory that the record holds must stay level. */
function memoryAtCap(): void {
  const log = new WireLog();
  const source = { connection: 'c', server: 's', peer: 'mcp', kind: 'sse-event', exchange: 1 } as const;
  const heap: number[] = [];
  for (let index = 0; index < 2000; index += 1) {
    const data = JSON.stringify({
      index,
      data: Buffer.alloc(280_000, index).toString('base64'),
      text: `result ${index} `.repeat(8000),
    });
    log.tap({ ...source, data, bytes: data.length });
    if (index % 400 !== 399) continue;
    log.flush();
    globalThis.gc?.();
    heap.push(process.memoryUsage().heapUsed / 1e6);
  }
  console.log(
    `memory at the cap: heap after each 400 results ${heap.map((value) => value.toFixed(0)).join(', ')} MB; the record counts ${(log.bytes / 1e6).toFixed(1)} MB`,
  );
  log.dispose();
}

function manyEntries(count: number): WireEntry[] {
  const entries: WireEntry[] = [];
  const add = (fact: WireFact): void => {
    const seq = entries.length + 1;
    entries.push({ seq, at: 1.7e12 + seq, connection: 'c', server: 'demo', peer: 'mcp', ...fact });
  };
  const body = {
    text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{}}}',
    bytes: 87,
  };
  for (let id = 1; id <= count / 2; id += 1) {
    add({ kind: 'http-request', exchange: id, method: 'POST', url: 'http://127.0.0.1/mcp', headers: {}, body });
    add({
      kind: 'message',
      direction: 'out',
      head: { kind: 'request', id, method: 'tools/call', target: 'echo' },
      bytes: 87,
      exchange: id,
      carrier: entries.length,
    });
    add({
      kind: 'http-response',
      exchange: id,
      status: 200,
      statusText: 'OK',
      headers: { 'content-type': 'application/json' },
    });
    add({ kind: 'http-body', exchange: id, body });
    add({
      kind: 'message',
      direction: 'in',
      head: { kind: 'response', id, toolError: false },
      bytes: 87,
      exchange: id,
      carrier: entries.length,
    });
    add({ kind: 'http-end', exchange: id, outcome: 'complete' });
  }
  return entries;
}

function timed<T>(label: string, run: () => T): T {
  const started = performance.now();
  const result = run();
  console.log(`${label}: ${(performance.now() - started).toFixed(0)} ms`);
  return result;
}

/** What a page is told first, for which it waits before it draws anything. */
function firstMessage(entries: readonly WireEntry[]): number {
  const [first] = new WireSession(fixedSource(entries)).start({ file: '', recording: true, bytes: 0, live: true });
  return JSON.stringify(first).length;
}

function manyRows(): void {
  const entries = manyEntries(100_000);
  const book = new RowBook();
  timed('100,000 rows: pair', () => book.read(entries));
  timed('100,000 rows: open the inspector, up to its first message', () => firstMessage(entries));
  const rows = book.rows();
  timed('100,000 rows: sequence', () => sequenceOf(rows));
  timed('100,000 rows: sizes', () => sizeStory(rows));
  const terms = parseFilter('kind:rpc tool:ech slower:1 -status:404');
  const context = { now: Date.now(), turnNumber: () => undefined };
  timed(`100,000 rows: filter (${rows.length})`, () => rows.filter((row) => matchesFilter(row, terms, context)));
  const lines = timed('100,000 rows: JSON lines', () => toJsonLines(entries));
  const har = timed('100,000 rows: HAR', () => toHar(entries, { version: '0' }));
  timed('100,000 rows: JSON lines, back', () => fromJsonLines(lines));
  timed('100,000 rows: HAR, back', () => fromHar(har));
  console.log(`JSON lines ${(lines.length / 1e6).toFixed(0)} MB, HAR ${(har.length / 1e6).toFixed(0)} MB`);
}

if (values.only === 'rows') {
  memoryAtCap();
  manyRows();
  process.exit();
}
const server = spawn(process.execPath, [fileURLToPath(new URL('httpServer.ts', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
try {
  const [line] = await once(server.stdout, 'data');
  const port = Number(String(line));
  for (const kind of ['sse', 'http'] as const) {
    const url = `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}/10`;
    await compare(url, kind, 'echo', { text: 'hello' }, calls);
    await compare(url, kind, 'big', { bytes: 500_000 }, 40);
  }
} finally {
  server.kill();
}
memoryAtCap();
manyRows();
