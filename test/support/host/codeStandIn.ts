#!/usr/bin/env node
/**
 * Stands in for the executable of a desktop VS Code: understands `--extensionDevelopmentPath=…`,
 * `--extensionTestsPath=…` and a folder, runs the tests in the extension host of a server, prints what they print, and
 * ends with their exit code.
 */
import { once } from 'node:events';
import { format } from 'node:util';
import { deferred } from '../deferred.ts';
import { openHost } from './vsCodeHost.ts';

interface Launch {
  readonly extension: string;
  readonly tests: string;
  readonly folder: string | undefined;
}

/** What `@vscode/test-electron` says on the command line; switches of a desktop build are passed over. */
function parseLaunch(args: readonly string[]): Launch {
  const valueOf = (name: string): string => {
    const prefix = `--${name}=`;
    const value = args.find((arg) => arg.startsWith(prefix))?.slice(prefix.length);
    if (value === undefined) throw new Error(`--${name}=… is missing`);
    return value;
  };
  return {
    extension: valueOf('extensionDevelopmentPath'),
    tests: valueOf('extensionTestsPath'),
    folder: args.find((arg) => !arg.startsWith('-')),
  };
}

/** How long a whole run may take, in ms. */
const runLimitMs = 600_000;

/** What the tests print begins its lines with this; VS Code's own messages are shown when `MCP_AGENT_VERBOSE` is set. */
const mark = '\u2063';
const all = process.env['MCP_AGENT_VERBOSE'] !== undefined;

/** Runs the tests and gives their exit code. */
async function runInHost({ extension, tests, folder }: Launch): Promise<number> {
  const noise: string[] = [];
  const exit = deferred<number>();
  const host = await openHost({
    version: process.env['MCP_AGENT_HOST'],
    vsix: false,
    workspace: folder,
    payload: (authority) => [
      ['extensionDevelopmentPath', `vscode-remote://${authority}${extension}`],
      ['extensionTestsPath', `vscode-remote://${authority}${tests}`],
      ['skipWelcome', 'true'],
    ],
    prepare: async (page) => {
      await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
        const text = format(...args);
        const lines = text.split('\n').filter((line) => all || line.startsWith(mark));
        if (lines.length === 0) noise.push(text);
        for (const line of lines) process.stdout.write(`${line.replace(mark, '')}\n`);
      });
      await page.exposeFunction('codeAutomationExit', (code: number) => exit.resolve(code));
      page.once('crash', () => exit.reject(new Error('The window crashed')));
    },
  });
  const limit = setTimeout(
    () => exit.reject(new Error(`The tests did not end within ${runLimitMs / 1000} s`)),
    runLimitMs,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) void once(process, signal).then(() => exit.resolve(130));
  try {
    return await exit.promise;
  } catch (error) {
    process.stdout.write(`${noise.slice(-30).join('\n')}\n`);
    throw error;
  } finally {
    clearTimeout(limit);
    await host.close();
  }
}

process.exit(await runInHost(parseLaunch(process.argv.slice(2))));
