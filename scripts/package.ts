/** `npm run package`: builds and writes dist/mcp-agent.vsix. A warning of the packager fails it. */
import { spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { projectRoot } from '../test/support/host/hostServer.ts';

/** Runs a program of the project and gives its output; ends this process when it fails. */
function run(script: string, args: readonly string[]): string {
  const result = spawnSync(process.execPath, [join(projectRoot, script), ...args], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, MCP_AGENT_BUILDING: '1' },
  });
  const output = `${result.stdout}${result.stderr}`;
  if (result.status === 0) return output;
  process.stderr.write(output);
  process.exit(result.status ?? 1);
}

/** Builds and packs, while no other build changes the files. */
async function packageExtension(): Promise<void> {
  run('esbuild.mjs', ['--bundles']);
  const file = join('dist', 'mcp-agent.vsix');
  const own = `${file}.${process.pid}`;
  const args = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', own];
  const output = run('node_modules/@vscode/vsce/vsce', ['package', ...args]);
  if (/\bWARNING\b/.test(output)) {
    process.stderr.write(output);
    process.exit(1);
  }
  renameSync(join(projectRoot, own), join(projectRoot, file));
  process.stdout.write(`${output.trim().split('\n').at(-1)?.trim().replace(own, file) ?? file}\n`);
}

await withLock(join(projectRoot, '.vscode-test', 'build.lock'), packageExtension, (text) =>
  process.stderr.write(`${text}\n`),
);
