/**
 * `npm run demo`: the main job in a real VS Code. It starts a users server and a VS Code with the packaged extension,
 * types a task into the chat, allows what is asked, prints the conversation, and keeps pictures, transcript and wire
 * record. The exit code is 0 only when the server itself says that the task was done.
 */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeTurns } from '../../test/support/host/chat.ts';
import { hostVersions, projectRoot } from '../../test/support/host/hostServer.ts';
import { openHost, prepareHost, type VsCodeHost, type VsCodeHostOptions } from '../../test/support/host/vsCodeHost.ts';
import { setUp } from '../setUp/setUp.ts';
import { followTurn } from './conversation.ts';
import { findModelEndpoint, type ModelEndpoint } from './modelEndpoint.ts';
import { type DemoOptions, parseOptions, usage } from './options.ts';
import { Pictures } from './pictures.ts';
import { askForUsers, type DemoServer, startDemoServer } from './usersServer.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Builds the VSIX. */
async function packageExtension(): Promise<void> {
  print('Building and packaging the extension …');
  const child = spawn(process.execPath, [join(projectRoot, 'scripts', 'package.ts')], {
    cwd: projectRoot,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The extension could not be packaged: see above');
}

/** What a person would write into settings.json, and the model endpoint where there is one. */
function hostOptions(server: DemoServer, endpoint: ModelEndpoint | undefined): VsCodeHostOptions {
  const endpoints = endpoint && [{ name: endpoint.name, url: endpoint.url, models: [endpoint.model] }];
  return {
    size: { width: 1440, height: 900 },
    quiet: false,
    settings: {
      'mcp.servers': { users: { type: 'sse', url: server.url } },
      ...(endpoints && { 'mcpAgent.endpoints': endpoints }),
    },
  };
}

/** Leaves a workbench open for a person. Resolves when the person ends it. */
async function leaveOpen(options: VsCodeHostOptions): Promise<number> {
  const host = await prepareHost(options);
  try {
    print(`\nOpen this address in a browser:\n\n  ${host.url}\n`);
    print('Then open Chat (Ctrl+Alt+I) and write to @mcp, for example: @mcp list the users');
    print('Ctrl+C ends it.');
    await interrupted();
    return 0;
  } finally {
    await host.close();
  }
}

function interrupted(): Promise<unknown> {
  return Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process, 'SIGHUP')]);
}

/** Runs the task in the chat and gives the exit code. */
async function runTask(
  host: VsCodeHost,
  server: DemoServer,
  options: DemoOptions,
  endpoint?: ModelEndpoint,
): Promise<number> {
  const pictures = new Pictures(host, options.out);
  await host.workbench.runCommand('Preferences: Open User Settings (JSON)');
  await host.chat.open();
  await host.workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await host.chat.widen(560);
  if (endpoint) await chooseModel(host, endpoint);
  print(`Model: ${await host.chat.modelReady()}\n`);
  await pictures.take('ready');
  print(`> @mcp ${options.task}\n`);
  await host.chat.type(`@mcp ${options.task}`, 5);
  await pictures.takeAsIs('typed');
  await host.chat.submit();
  const turn = await followTurn(host, { print, limitMs: 600_000, onCard: (number) => pictures.take(`card-${number}`) });
  await pictures.take('answer');
  await host.chat.unfold();
  await pictures.take('unfolded');
  writeFileSync(join(options.out, 'transcript.txt'), `${describeTurns(await host.chat.read())}\n`);
  await exportWire(host, join(options.out, 'wire.jsonl'));
  print(`\nPictures, transcript.txt and wire.jsonl are in ${options.out}`);
  const failure = turn.parts.find((part) => part.kind === 'error');
  if (failure?.kind === 'error') throw new Error(`The answer ended with an error: ${failure.text}`);
  return options.isCaptured ? judge(await askForUsers(server.url)) : 0;
}

/** Saves the wire record with the command of the extension, as a person does, who tries again where the dialog closed. */
async function exportWire(host: VsCodeHost, file: string): Promise<void> {
  rmSync(file, { force: true });
  for (let attempt = 1; !existsSync(file); attempt += 1) {
    await host.workbench.runCommand('MCP Agent: Export Wire Record');
    await host.workbench.pick('JSON lines');
    await host.workbench.chooseFile(file);
    if (await host.fileWritten(file, 15_000)) return;
    if (attempt === 3) throw new Error(`The extension did not write ${file}`);
  }
}

/** Chooses the endpoint's model, with its key in VS Code's secret storage. */
async function chooseModel(host: VsCodeHost, { apiKey, model }: ModelEndpoint): Promise<void> {
  if (apiKey !== undefined) {
    await host.workbench.runCommand('MCP Agent: Set API Key');
    const box = host.page.locator('.quick-input-widget input[type=password]');
    await box.fill(apiKey);
    await box.press('Enter');
    await box.waitFor({ state: 'hidden' });
  }
  await host.chat.chooseModel(model);
}

/** What the server itself says, over its own wire. */
function judge(users: string): number {
  const added = users.includes('carson@example.com');
  print(`\nThe server's own list of users: ${users}`);
  print(added ? 'Carson was added. The demo passed.' : 'Carson was NOT added. The demo failed.');
  return added ? 0 : 1;
}

async function demo(options: DemoOptions): Promise<number> {
  await setUp(hostVersions.slice(0, 1), print);
  await packageExtension();
  const endpoint = options.planner ? undefined : await findModelEndpoint(process.env);
  const server = await startDemoServer({ onCall: (call) => print(`  ⇄ ${call}`) });
  try {
    print(`Users server (official SDK, HTTP+SSE): ${server.url}`);
    if (options.open) return await leaveOpen(hostOptions(server, endpoint));
    print(`Starting VS Code ${hostVersions[0].replace(/^4/, '1')} …`);
    const host = await openHost(hostOptions(server, endpoint));
    try {
      return await Promise.race([runTask(host, server, options, endpoint), interrupted().then(() => 130)]);
    } catch (error) {
      await host.workbench.screenshot(join(options.out, 'failure.png'));
      print(`A picture of the window as it was: ${join(options.out, 'failure.png')}`);
      throw error;
    } finally {
      await host.close();
    }
  } finally {
    await server.close();
  }
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) print(usage);
  else {
    const out = resolve(process.env['INIT_CWD'] ?? process.cwd(), options.out);
    mkdirSync(out, { recursive: true });
    rmSync(join(out, 'failure.png'), { force: true });
    process.exitCode = await demo({ ...options, out });
  }
} catch (error) {
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
