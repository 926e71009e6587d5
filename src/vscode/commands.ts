import * as vscode from 'vscode';

import type { Allowances } from './allowances.ts';
import { toDisposable, type Disposable } from '../base/disposables.ts';
import type { EditorServers } from './editorServers.ts';
import { continueCommand } from './eventPrinter.ts';
import { chooseServer, chooseTool, type Choice } from './listTools.ts';
import type { LazyInspector } from './lazyInspector.ts';
import type { ServerLogs } from './serverLogs.ts';
import { signInCommand, type SignIns } from './signIns.ts';
import type { ToolDocuments } from './toolDocuments.ts';

export interface CommandsOptions {
  readonly servers: EditorServers;
  readonly logs: ServerLogs;
  readonly documents: ToolDocuments;
  readonly setApiKey: () => Promise<void>;
  readonly refreshModels: () => Promise<void>;
  /** What the person has allowed, to be seen and taken back. */
  readonly allowances: Allowances;
  readonly signIns: SignIns;
  readonly inspector: LazyInspector;
}

/** Registers the commands of the palette: one table, one short function each. */
export function registerCommands(options: CommandsOptions): Disposable {
  const table: Readonly<Record<string, (argument?: unknown) => unknown>> = {
    'mcpAgent.listTools': () => listTools(options),
    'mcpAgent.chooseTools': async () => (await import('./toolPicks.ts')).chooseTools(options.servers),
    'mcpAgent.switchToolSet': async () => (await import('./toolSetPick.ts')).switchToolSet(options.servers),
    'mcpAgent.restartServer': (name) => restartServer(options, name),
    'mcpAgent.showLog': () => showLog(options),
    'mcpAgent.setApiKey': options.setApiKey,
    'mcpAgent.refreshModels': options.refreshModels,
    'mcpAgent.manageApprovals': async () => (await import('./manageApprovals.ts')).manageApprovals(options.allowances),
    'mcpAgent.resetApprovals': async () => (await import('./manageApprovals.ts')).resetApprovals(options.allowances),
    [signInCommand]: async (name) => (await import('./signInCommands.ts')).signIn(options, name),
    'mcpAgent.signOut': async (name) => (await import('./signInCommands.ts')).signOut(options, name),
    'mcpAgent.setClientSecret': async (name) => (await import('./signInCommands.ts')).setClientSecret(options, name),
    'mcpAgent.openSettings': openSettings,
    'mcpAgent.openInspector': async (reveal) => (await options.inspector.get()).open(reveal),
    'mcpAgent.exportWire': async (path) => (await options.inspector.get()).export(pathOf(path)),
    'mcpAgent.importWire': async (path) => (await options.inspector.get()).import(pathOf(path)),
    'mcpAgent.clearWire': async () => (await options.inspector.get()).clear(),
    [continueCommand]: continueTask,
  };
  const registrations = Object.entries(table).map(([id, run]) => vscode.commands.registerCommand(id, run));
  return toDisposable(() => registrations.forEach((registration) => registration.dispose()));
}

/** A path that a caller passed; without one the person is asked. */
function pathOf(argument: unknown): string | undefined {
  return typeof argument === 'string' ? argument : undefined;
}

async function listTools(options: CommandsOptions): Promise<void> {
  const choice = await chooseTool(options.servers);
  if (choice?.kind === 'tool') await options.documents.show(choice.tool);
  else if (choice?.kind === 'server') await attend(choice, options);
  else if (choice !== undefined) await setUp(choice);
}

/** What to do about a server that has no tools. */
async function attend(
  { server }: Choice & { kind: 'server' },
  { servers, logs, signIns }: CommandsOptions,
): Promise<void> {
  const { name } = server.spec;
  const signIn = {
    label: `$(sign-in) ${vscode.l10n.t('Sign In')}`,
    run: () => vscode.commands.executeCommand(signInCommand, name),
  };
  const actions = [
    ...(signIns.needed.includes(name) ? [signIn] : []),
    { label: `$(debug-restart) ${vscode.l10n.t('Restart')}`, run: () => servers.restart(server.spec.identity) },
    { label: `$(output) ${vscode.l10n.t('Show Log')}`, run: () => logs.show(server.spec.name) },
    { label: `$(gear) ${vscode.l10n.t('Open Settings')}`, run: openSettings },
  ];
  const action = await vscode.window.showQuickPick(actions, { title: server.spec.name });
  await Promise.resolve(action?.run());
}

/** `name` names a server, for keybindings and other callers; without it the person is asked. */
async function restartServer({ servers }: CommandsOptions, name: unknown): Promise<void> {
  if (typeof name === 'string') return servers.restartNamed(name);
  const choice = await chooseServer(servers, vscode.l10n.t('Restart which server?'));
  if (choice?.kind === 'server') servers.restart(choice.server.spec.identity);
  else if (choice !== undefined) await setUp(choice);
}

async function showLog({ servers, logs }: CommandsOptions): Promise<void> {
  if (servers.connections().length === 0) return logs.show();
  const choice = await chooseServer(servers, vscode.l10n.t('Show the log of which server?'));
  if (choice?.kind === 'server') logs.show(choice.server.spec.name);
}

async function setUp({ kind }: Choice): Promise<void> {
  if (kind === 'trust') await vscode.commands.executeCommand('workbench.trust.manage');
  else await openSettings();
}

/** Opens settings.json at the servers: their editor is the text. */
async function openSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: 'mcp.servers' } });
}

/** Asks the participant to go on where it paused. */
async function continueTask(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', { query: `@mcp ${vscode.l10n.t('Continue')}` });
}
