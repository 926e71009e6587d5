/** `npm run check`: types, lint, format, layers. Runs them all and ends with 1 when one of them fails. */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { projectRoot } from '../test/support/host/hostServer.ts';

const checks = [
  ['Types', 'tsc -p .'],
  ['Types of the inspector', 'tsc -p media/inspector'],
  ['Lint', 'oxlint'],
  ['Format', 'oxfmt --check'],
  ['Layers', 'mocha --exit --reporter dot test/layers.test.ts'],
] as const;

const path = `${join(projectRoot, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
const failed = checks.filter(([title, command]) => {
  process.stdout.write(`━━ ${title}\n`);
  return (
    spawnSync(command, { cwd: projectRoot, stdio: 'inherit', shell: true, env: { ...process.env, PATH: path } })
      .status !== 0
  );
});
if (failed.length > 0) process.stdout.write(`Failed: ${failed.map(([title]) => title).join(', ')}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
