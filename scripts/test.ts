/**
 * `npm test`: sets up what is missing, builds, and runs all tests: unit tests in Node, tests inside the extension host
 * of each VS Code, tests in a real workbench. `peers` adds the slow tests with other people's servers. The last line is `N passed, N failed`.
 *
 * `node scripts/run.mjs test.ts [unit] [vscode] [e2e] [peers] [--grep words] [--host 4.139.1]` runs a part.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isRecord } from '../src/base/json.ts';
import { hostVersions, projectRoot } from '../test/support/host/hostServer.ts';
import { setUp } from './setUp/setUp.ts';

interface Suite {
  readonly title: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may take, in minutes: what hangs is ended and counts as failed. */
  readonly minutes: number;
  /** How often it may run until it passes: a workbench in a browser may stumble on a busy machine. */
  readonly attempts?: number;
}

interface Result {
  readonly title: string;
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  readonly seconds: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, host: { type: 'string' } },
});
const kinds = positionals.length === 0 ? ['unit', 'vscode', 'e2e'] : positionals;
const mocha = join(projectRoot, 'node_modules', 'mocha', 'bin', 'mocha.js');
const hosts = hostVersions.filter((version) => values.host === undefined || values.host === version);

/** Runs mocha on files that Node runs as they are. */
function mochaSuite(title: string, minutes: number, patterns: readonly string[], ...more: string[]): Suite {
  const grep = values.grep === undefined ? [] : ['--grep', values.grep];
  const reporter = ['--reporter', join(projectRoot, 'test', 'support', 'countReporter.ts')];
  return {
    title,
    minutes,
    script: mocha,
    args: [
      ...reporter,
      '--exit',
      ...grep,
      ...more,
      ...patterns.flatMap((pattern) => globSync(pattern, { cwd: projectRoot }).sort()),
    ],
  };
}

const unitFiles = ['test/unit/**/*.test.ts', 'test/peers/*.test.ts', 'test/layers.test.ts'];

function suites(): Suite[] {
  const list: Suite[] = [];
  if (kinds.includes('unit')) list.push(mochaSuite('unit', 10, unitFiles, '--retries', '1'));
  if (kinds.includes('peers')) list.push(mochaSuite('peers', 20, ['test/peers/**/*.test.ts']));
  if (kinds.includes('vscode')) {
    for (const version of hosts) {
      const env = { MCP_AGENT_HOST: version, ...(values.grep !== undefined && { MCP_AGENT_GREP: values.grep }) };
      list.push({
        title: `extension host, VS Code ${version.replace(/^4/, '1')}`,
        script: join(projectRoot, 'test', 'support', 'host', 'runHostTests.ts'),
        args: [],
        minutes: 8,
        attempts: 2,
        env,
      });
    }
  }
  if (kinds.includes('e2e')) list.push(...workbenchSuites());
  return list;
}

/** Browser files that are long or still stumble on a busy machine: `npm run test:e2e` alone runs them. */
const leftToE2e = new Set([
  'addServer',
  'inspector',
  'longConversation',
  'packageUpdate',
  'signIn',
  'tenThousandTools',
]);

/** Each file by itself, so that one that hangs or stumbles is run again and takes no other with it. */
function workbenchSuites(): Suite[] {
  const all = globSync('test/e2e/**/*.test.ts', { cwd: projectRoot }).sort();
  const files = positionals.length > 0 ? all : all.filter((file) => !leftToE2e.has(basename(file, '.test.ts')));
  return files.map((file) => ({
    ...mochaSuite(`workbench, ${basename(file, '.test.ts')}`, 8, [file], '--timeout', '180000', '--retries', '1'),
    attempts: 2,
  }));
}

/** Runs a suite until it passes or has had its attempts; what an earlier attempt failed at stands in the output. */
async function runSuite(suite: Suite, countsFile: string): Promise<Result> {
  process.stdout.write(`\n━━ ${suite.title} ━━\n`);
  let result = await attempt(suite, countsFile);
  for (let left = (suite.attempts ?? 1) - 1; left > 0 && result.failed > 0; left -= 1) {
    process.stdout.write(`\n━━ ${suite.title}, once more ━━\n`);
    result = await attempt(suite, countsFile);
  }
  return result;
}

/** Runs a suite with our terminal; a run that ends badly without counts is one failure. */
async function attempt(suite: Suite, countsFile: string): Promise<Result> {
  const started = Date.now();
  rmSync(countsFile, { force: true });
  const code = await runNode(suite.script, suite.args, { ...suite.env, MCP_AGENT_COUNTS: countsFile }, suite.minutes);
  const counts: unknown = existsSync(countsFile) ? JSON.parse(readFileSync(countsFile, 'utf8')) : {};
  const number = (name: string): number => (isRecord(counts) && typeof counts[name] === 'number' ? counts[name] : 0);
  const failed = number('failed');
  // With chosen words a file may hold none of them.
  const isEmpty = number('passed') === 0 && values.grep === undefined;
  return {
    title: suite.title,
    passed: number('passed'),
    failed: failed === 0 && (code !== 0 || isEmpty) ? 1 : failed,
    pending: number('pending'),
    seconds: Math.round((Date.now() - started) / 1000),
  };
}

/** Runs a script with this Node and gives its exit code; after `minutes` it is ended, with all that it started. */
async function runNode(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  minutes = 10,
): Promise<number> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    detached: process.platform !== 'win32',
  });
  const end = (signal: NodeJS.Signals): void => endTree(child, signal);
  const limit = setTimeout(() => {
    process.stdout.write(`\nEnded after ${minutes} minutes: ${[script, ...args].join(' ').slice(0, 200)}\n`);
    end('SIGKILL');
  }, minutes * 60_000);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  try {
    const [code] = await once(child, 'exit');
    return typeof code === 'number' ? code : 1;
  } finally {
    clearTimeout(limit);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
  }
}

/** Ends a process that we started and its children. */
function endTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  if (process.platform === 'win32') child.kill(signal);
  else process.kill(-child.pid, signal);
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const inHost = kinds.includes('vscode') || kinds.includes('e2e');
if (inHost) await setUp(kinds.includes('vscode') ? hosts : hosts.slice(0, 1), say);
say('Building …');
for (const script of ['esbuild.mjs', ...(inHost ? ['scripts/package.ts'] : [])]) {
  const code = await runNode(join(projectRoot, script), []);
  if (code !== 0) process.exit(code);
}
const folder = mkdtempSync(join(tmpdir(), 'mcp-agent-tests-'));
const results: Result[] = [];
try {
  for (const suite of suites()) results.push(await runSuite(suite, join(folder, 'counts.json')));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write('\n');
for (const { title, passed, failed, pending, seconds } of results) {
  const skipped = pending === 0 ? '' : `, ${pending} skipped`;
  process.stdout.write(`${title}: ${passed} passed, ${failed} failed${skipped} (${seconds} s)\n`);
}
const sum = (name: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[name], 0);
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0;
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
