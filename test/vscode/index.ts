/**
 * The module that VS Code loads inside its extension host: it runs every bundled test file that lies beside it.
 * `MCP_AGENT_GREP` picks tests by name; `MCP_AGENT_COUNTS` names a file for the counts (see `test/support/countReporter.ts`).
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';

/** Begins each line of ours on the console, which the host shares with VS Code's own messages (see `codeStandIn.ts`). */
const mark = '\u2063';
Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(format(...args).replace(/^/gm, mark));

/** Runs the tests; rejects when one failed or none ran, which gives the host a bad exit code. */
export async function run(): Promise<void> {
  const grep = process.env['MCP_AGENT_GREP'];
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    retries: 1,
    slow: 2000,
    color: false,
    reporter: 'spec',
    ...(grep !== undefined && { grep }),
  });
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.cjs'),
  );
  for (const file of files.sort()) mocha.addFile(join(__dirname, file));
  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
  });
  const { passes = 0, failures = 0, pending = 0 } = stats ?? {};
  const countsFile = process.env['MCP_AGENT_COUNTS'];
  if (countsFile !== undefined)
    writeFileSync(countsFile, JSON.stringify({ passed: passes, failed: failures, pending }));
  if (failures > 0) throw new Error(`${failures} of ${passes + failures} tests failed`);
  if (passes === 0) throw new Error('No test ran');
}
