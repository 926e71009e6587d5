import type { Session, Target } from './target.ts';

/** What one process measures of one peer; every function runs in a process of its own. */
export interface Job {
  readonly measure: keyof typeof measures;
  readonly target: Target;
  /** How often, or how many bytes. */
  readonly size: number;
}

export type Figures = Readonly<Record<string, number>>;

type Connect = (target: Target) => Promise<Session>;

interface Started {
  readonly connect: Connect;
  /** Milliseconds that the import took. */
  readonly importMs: number;
}

const inFlight = 64;
/** So many calls go ahead of what is measured: code is compiled anew several times on its way to its full speed. */
const warmUp = 4000;

export const measures = {
  first,
  trips,
  connects,
  sequential,
  parallel,
  big,
  list,
  servers,
};

/** A fresh process: import, connect, first list. */
async function first({ connect, importMs }: Started, { target }: Job): Promise<Figures> {
  const started = performance.now();
  const session = await connect(target);
  await session.listTools();
  const connectMs = performance.now() - started;
  const { user, system } = process.cpuUsage();
  await session.close();
  return { importMs, connectMs, totalMs: importMs + connectMs, cpuMs: (user + system) / 1000 };
}

/** Requests, and answers that wait for one another, before the first list; the server counts them. */
async function trips({ connect }: Started, { target }: Job): Promise<Figures> {
  if (target.transport === 'stdio') throw new Error('there are no requests over stdio');
  const count = new URL('/trips', target.url);
  await fetch(count);
  const session = await connect(target);
  await session.listTools();
  const figures: unknown = await (await fetch(count)).json();
  await session.close();
  if (!isFigures(figures)) throw new Error('the server does not count');
  return figures;
}

function isFigures(value: unknown): value is Figures {
  return (
    typeof value === 'object' && value !== null && Object.values(value).every((figure) => typeof figure === 'number')
  );
}

/** Connect and list in a warm process. */
async function connects({ connect }: Started, { target, size }: Job): Promise<Figures> {
  const times: number[] = [];
  for (let count = 0; count < size; count++) {
    const started = performance.now();
    const session = await connect(target);
    await session.listTools();
    times.push(performance.now() - started);
    await session.close();
  }
  return { p50Ms: quantile(times.slice(Math.floor(size / 5)), 0.5) };
}

async function sequential({ connect }: Started, { target, size }: Job): Promise<Figures> {
  const session = await connect(target);
  const times: number[] = [];
  const call = async (index: number): Promise<void> => {
    const started = performance.now();
    await echo(session, index);
    times.push(performance.now() - started);
  };
  for (let index = 0; index < warmUp; index++) await call(index);
  times.length = 0;
  const cpu = process.cpuUsage();
  for (let index = 0; index < size; index++) await call(index);
  const cpuUs = cpuSince(cpu) / size;
  await session.close();
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), cpuUs };
}

async function parallel({ connect }: Started, { target, size }: Job): Promise<Figures> {
  const session = await connect(target);
  const run = async (calls: number): Promise<void> => {
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < calls) await echo(session, next++);
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
  };
  await run(warmUp * 2);
  const cpu = process.cpuUsage();
  const started = performance.now();
  await run(size);
  const seconds = (performance.now() - started) / 1000;
  const cpuUs = cpuSince(cpu) / size;
  await session.close();
  return { callsPerS: size / seconds, cpuUs };
}

async function big({ connect }: Started, { target, size }: Job): Promise<Figures> {
  const session = await connect(target);
  await session.call('big', { bytes: 8 });
  const idle = process.memoryUsage().rss;
  const times: number[] = [];
  for (let count = 0; count < 4; count++) {
    const started = performance.now();
    const text = await session.call('big', { bytes: size });
    times.push(performance.now() - started);
    if (text.length !== size) throw new Error(`${text.length} bytes came in place of ${size}`);
  }
  const rssMb = (process.resourceUsage().maxRSS * 1024 - idle) / 1e6;
  await session.close();
  return { mbPerS: size / 1000 / quantile(times, 0.5), rssMb };
}

/** A long list, and the longest time for which the event loop stood still meanwhile. */
async function list({ connect }: Started, { target, size }: Job): Promise<Figures> {
  const times: number[] = [];
  const stalls: number[] = [];
  for (let count = 0; count < 5; count++) {
    const session = await connect(target);
    const stall = watchStalls();
    const started = performance.now();
    const tools = await session.listTools();
    times.push(performance.now() - started);
    stalls.push(stall());
    if (tools.length !== size) throw new Error(`${tools.length} tools came in place of ${size}`);
    await session.close();
  }
  return { ms: quantile(times, 0.5), stallMs: quantile(stalls, 0.5) };
}

function watchStalls(): () => number {
  let last = performance.now();
  let longest = 0;
  let running = true;
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  return () => {
    running = false;
    return Math.max(longest, performance.now() - last);
  };
}

/** Many servers at once, and what they hold of memory. */
async function servers({ connect }: Started, { target, size }: Job): Promise<Figures> {
  // What a peer reads with its first connection is not what a server costs.
  await (await connect(target)).close();
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const sessions = await Promise.all(
    Array.from({ length: size }, async () => {
      const session = await connect(target);
      return { session, tools: await session.listTools() };
    }),
  );
  const ms = performance.now() - started;
  globalThis.gc?.();
  const heldMb = (process.memoryUsage().rss - before) / 1e6;
  await Promise.all(sessions.map(({ session }) => session.close()));
  return { ms, heldMb };
}

async function echo(session: Session, index: number): Promise<void> {
  const text = `call number ${index} of the benchmark, with a text of usual length`;
  if ((await session.call('echo', { text })) !== text) throw new Error('another answer came than was asked for');
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
