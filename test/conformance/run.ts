/**
 * `npm run test:conformance`: the official conformance suites, one scenario at a time, against `client.ts` on
 * `dist/core.mjs`, which is built first. Prints each scenario as passed or failed and a total.
 *
 * `npm run test:conformance -- [part of a scenario's name …] [--suite stable|next] [--every-version] [--verbose]
 * [--no-build]` plays those scenarios alone; a name that begins with `!` leaves scenarios out. Without `--every-version`
 * each scenario is played once, at the revision that the suite takes by itself.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface Suite {
  readonly name: 'stable' | 'next';
  readonly version: string;
  readonly script: string;
}

interface Scenario {
  readonly suite: Suite;
  readonly name: string;
  /** Absent: the revision that the suite takes by itself. */
  readonly revision?: string;
}

interface Outcome {
  readonly exitCode: number;
  readonly output: string;
}

const root = join(import.meta.dirname, '..', '..');
const suites: readonly Suite[] = [suite('stable', '0.1.16'), suite('next', '0.2.0-alpha.12')];
/** About files that a server calls skills, which this client does not load. */
const notOffered = /^sep-2640-/;

function suite(name: Suite['name'], version: string): Suite {
  return { name, version, script: join(root, 'node_modules', `conformance-${name}`, 'dist', 'index.js') };
}

function runNode(args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}

/** The scenarios of a suite as it lists them: `  - name [revision,revision]`. */
async function scenariosOf(suite: Suite, everyVersion: boolean): Promise<Scenario[]> {
  const { output } = await runNode([suite.script, 'list', '--client']);
  const scenarios = [...output.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].flatMap(([, name = '', revisions = '']) => {
    const dated = revisions.split(',').filter((revision) => /^\d{4}-/.test(revision));
    const played = everyVersion && dated.length > 1 ? dated : [undefined];
    return played.map((revision) => ({ suite, name, revision }));
  });
  if (scenarios.length === 0) throw new Error(`${suite.script} lists no scenarios:\n${output}`);
  return scenarios;
}

/** One scenario alone, which fails on a failed check, a warning, a timeout or a client that ends badly. */
async function play(scenario: Scenario, folder: string): Promise<Outcome> {
  const command = `${process.execPath} ${join(import.meta.dirname, 'client.ts')}`;
  const { suite, name, revision } = scenario;
  const which = revision === undefined ? [] : ['--spec-version', revision];
  return runNode([suite.script, 'client', '--command', command, '--scenario', name, '-o', folder, ...which]);
}

/** `passed/total` of the checks, as the suite counts them. */
function checksIn(output: string): readonly [passed: number, total: number] {
  const match = /Passed: (\d+)\/(\d+)/.exec(output);
  return [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
}

function isWanted(name: string, words: readonly string[]): boolean {
  const out = words.filter((word) => word.startsWith('!')).map((word) => word.slice(1));
  const wanted = words.filter((word) => !word.startsWith('!'));
  if (out.some((word) => name.includes(word))) return false;
  return wanted.length === 0 || wanted.some((word) => name.includes(word));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string' },
    'every-version': { type: 'boolean' },
    verbose: { type: 'boolean' },
    'no-build': { type: 'boolean' },
  },
});
if (!values['no-build']) {
  const { exitCode, output } = await runNode([join(root, 'esbuild.mjs'), '--bundles']);
  if (exitCode !== 0) throw new Error(`the build failed:\n${output}`);
}
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const folder = mkdtempSync(join(tmpdir(), 'mcp-agent-conformance-'));
let failed = 0;
try {
  for (const suite of suites.filter(({ name }) => values.suite === undefined || values.suite === name)) {
    say(`\n@modelcontextprotocol/conformance ${suite.version}`);
    const counts = { passed: 0, played: 0, checks: 0, allChecks: 0, left: 0 };
    for (const scenario of await scenariosOf(suite, values['every-version'] === true)) {
      if (!isWanted(scenario.name, positionals)) continue;
      if (notOffered.test(scenario.name)) {
        counts.left++;
        continue;
      }
      const { exitCode, output } = await play(scenario, folder);
      const [passed, total] = checksIn(output);
      const revision = scenario.revision === undefined ? '' : ` at ${scenario.revision}`;
      say(`${exitCode === 0 ? 'passed' : 'FAILED'}  ${scenario.name}${revision}  ${passed}/${total}`);
      if (values.verbose || exitCode !== 0) say(output.trimEnd().replaceAll(/^/gm, '        '));
      counts.played++;
      counts.checks += passed;
      counts.allChecks += total;
      if (exitCode === 0) counts.passed++;
    }
    failed += counts.played - counts.passed;
    const left = counts.left === 0 ? '' : `; ${counts.left} about skills, which are not offered, were left out`;
    say(`${counts.passed} of ${counts.played} scenarios passed, ${counts.checks} of ${counts.allChecks} checks${left}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
