/**
 * Runs the bundled tests of `dist/test` inside an extension host, through `@vscode/test-electron`.
 * By default the host is one of ours (`MCP_AGENT_HOST`, a version), for which `codeStandIn.ts` stands in as executable.
 * `VSCODE_EXECUTABLE` names the executable of a desktop VS Code instead.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { projectRoot } from './hostServer.ts';

const workspace = mkdtempSync(join(tmpdir(), 'mcp-agent-workspace-'));
const desktop = process.env['VSCODE_EXECUTABLE'];
const standIn = join(import.meta.dirname, process.platform === 'win32' ? 'codeStandIn.cmd' : 'codeStandIn.ts');
try {
  await runTests({
    vscodeExecutablePath: desktop ?? standIn,
    extensionDevelopmentPath: projectRoot,
    extensionTestsPath: join(projectRoot, 'dist', 'test', 'index.cjs'),
    launchArgs: [workspace],
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
