/** `npm run package`: builds and writes dist/mcp-agent.vsix. A warning of the packager fails it. */
import { spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../test/support/host/hostServer.ts';

/** Runs a program of the project and gives its output; ends this process when it fails. */
function run(script: string, args: readonly string[]): string {
  const result = spawnSync(process.execPath, [join(projectRoot, script), ...args], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  const output = `${result.stdout}${result.stderr}`;
  if (result.status === 0) return output;
  process.stderr.write(output);
  process.exit(result.status ?? 1);
}

run('esbuild.mjs', []);
const file = join('dist', 'mcp-agent.vsix');
const own = `${file}.${process.pid}`;
const output = run('node_modules/@vscode/vsce/vsce', [
  'package',
  '--no-dependencies',
  '--allow-missing-repository',
  '--no-rewrite-relative-links',
  '--out',
  own,
]);
if (/\bWARNING\b/.test(output)) {
  process.stderr.write(output);
  process.exit(1);
}
renameSync(join(projectRoot, own), join(projectRoot, file));
process.stdout.write(`${output.trim().split('\n').at(-1)?.replace(own, file) ?? file}\n`);
