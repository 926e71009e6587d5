/**
 * `node run.mjs <script> …` starts a script of this folder on a machine that has nothing but Node 20 and npm:
 * it installs the dependencies when they are missing or older than the lock file, then runs the script with the Node
 * that came with them. Plain JavaScript, because it runs before anything is installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const binaries = join(root, 'node_modules', '.bin');
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const [script, ...rest] = process.argv.slice(2);
if (script === undefined || !existsSync(join(root, 'scripts', script))) fail(`There is no script ${script}`);
checkNode();
if (!isInstalled()) {
  await withLock(join(root, '.vscode-test', 'dependencies.lock'), install, say);
}
process.exitCode = await run(node, [join(root, 'scripts', script), ...rest]);

/** The minimum is what npm and the packages of this project need to install. */
function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 16)) {
    fail(`Node 20.16 or newer is needed; this is ${process.version}. See https://nodejs.org`);
  }
}

/** Whether every package of the lock file is there in its version, and the Node among them runs. */
function isInstalled() {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || entry.optional || entry.devOptional || entry.peer) continue;
    if (present[path]?.version !== entry.version) return false;
  }
  return existsSync(node);
}

/** The packages that a lock file lists; none where there is no such file. */
function packagesOf(file) {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).packages ?? {}) : {};
}

async function install() {
  if (isInstalled()) return;
  say('Installing dependencies (npm ci) …');
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  // On a terminal npm itself shows that it is at work.
  const heartbeat = process.stderr.isTTY
    ? undefined
    : setInterval(() => say(`Installing dependencies … ${seconds()}`), 10_000);
  const code = await npm('ci', '--no-audit', '--no-fund', '--loglevel=error');
  clearInterval(heartbeat);
  if (code !== 0) fail('npm ci failed: see above');
  // A person's npm may be set to run no install scripts; two packages bring their program by one.
  if (!nodeRuns()) await npm('rebuild', 'node', 'esbuild', '--ignore-scripts=false', '--loglevel=error');
  if (!nodeRuns()) fail(`The package "node" did not install its program (${node}). Try: npm rebuild node`);
  say(`Dependencies installed in ${seconds()}`);
}

function nodeRuns() {
  return existsSync(node) && spawnSync(node, ['--version']).status === 0;
}

/** Runs npm: the one that started us, else the one on the path. */
function npm(...args) {
  const client = process.env.npm_execpath;
  if (client !== undefined && client.endsWith('npm-cli.js')) return run(process.execPath, [client, ...args]);
  return run('npm', args, { shell: process.platform === 'win32' });
}

/** Runs a program in the project's folder with our terminal, and gives its exit code. */
function run(program, args, options = {}) {
  const path = `${binaries}${delimiter}${process.env.PATH ?? ''}`;
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path }, ...options });
  const pass = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
  return new Promise((resolve) => {
    child.once('error', (error) => fail(`${program}: ${error.message}`));
    child.once('exit', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, pass);
      resolve(code ?? 128 + (constants.signals[signal] ?? 1));
    });
  });
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
