import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import type { OauthOptions } from '../mcp/oauth/oauthOptions.ts';
import type { HttpServerConfig } from '../mcp/serverConfig.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import { toAbortSignal } from './cancellation.ts';
import type { EditorServers } from './editorServers.ts';
import { oneLine } from './plainText.ts';
import type { SignIns } from './signIns.ts';

/** What the commands for signing in work on. */
export interface SignInCommands {
  readonly servers: EditorServers;
  readonly signIns: SignIns;
}

/** Signs in at a server in the browser; afterwards the server connects at once. `name` names it, else the person is asked. */
export async function signIn({ servers, signIns }: SignInCommands, name?: unknown): Promise<void> {
  const title = vscode.l10n.t('Sign in to which server?');
  const chosen = await chooseServer({ servers, signIns }, title, name);
  if (!chosen) return;
  const { server, config } = chosen;
  const shown = oneLine(config.name, 60);
  await attempt(vscode.l10n.t('Signing in to {0} in the browser…', shown), async (signal) => {
    const { oauthAuthorization } = await import('../mcp/oauth/authorization.ts');
    const { loopbackRedirect } = await import('../mcp/oauth/loopbackRedirect.ts');
    const options: OauthOptions = { ...(await signIns.optionsFor(config)), interactive: true, signal };
    await oauthAuthorization({ ...options, redirect: loopbackRedirect({ externalUri, page: page() }) }).signIn();
    signIns.done(config.name);
    servers.restart(server.spec.identity);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Signed in to {0}.', shown), 5000);
  });
}

/** Forgets the tokens of a server, here and at its authorization server. */
export async function signOut({ servers, signIns }: SignInCommands, name?: unknown): Promise<void> {
  const chosen = await chooseServer({ servers, signIns }, vscode.l10n.t('Sign out of which server?'), name);
  if (!chosen) return;
  const { server, config } = chosen;
  await attempt(vscode.l10n.t('Signing out of {0}…', oneLine(config.name, 60)), async (signal) => {
    const { oauthAuthorization } = await import('../mcp/oauth/authorization.ts');
    await oauthAuthorization({ ...(await signIns.optionsFor(config)), signal }).signOut();
    signIns.done(config.name);
    servers.restart(server.spec.identity);
  });
}

/** Asks for the secret of the client that `oauth.clientId` names, and keeps it in secret storage. */
export async function setClientSecret({ servers, signIns }: SignInCommands, name?: unknown): Promise<void> {
  const title = vscode.l10n.t('Set the client secret of which server?');
  const chosen = await chooseServer({ servers, signIns }, title, name);
  if (!chosen) return;
  const { server, config } = chosen;
  const secret = await vscode.window.showInputBox({
    title: vscode.l10n.t('Client secret for {0}', oneLine(config.name, 60)),
    prompt: vscode.l10n.t('Sent to its authorization server only. Leave it empty to remove the stored secret.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (secret === undefined) return;
  await signIns.setClientSecret(config, secret.trim());
  servers.restart(server.spec.identity);
}

interface Chosen {
  readonly server: ServerConnection;
  readonly config: HttpServerConfig;
}

/** Servers that ask for a sign-in stand first. */
async function chooseServer(
  { servers, signIns }: SignInCommands,
  title: string,
  name: unknown,
): Promise<Chosen | undefined> {
  servers.start();
  const needed = new Set(signIns.needed);
  const reachable = servers.connections().filter(({ spec }) => /^https?:/i.test(spec.target ?? ''));
  const named = typeof name === 'string' ? reachable.find(({ spec }) => spec.name === name) : undefined;
  if (named) return withConfig(named);
  const items = reachable
    .toSorted((a, b) => Number(needed.has(b.spec.name)) - Number(needed.has(a.spec.name)))
    .map((server) => ({
      label: oneLine(server.spec.name, 60),
      description: oneLine(server.spec.target ?? '', 100),
      detail: needed.has(server.spec.name) ? vscode.l10n.t('asks you to sign in') : undefined,
      server,
    }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No MCP server with a "url" is configured.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, { title });
  return picked && withConfig(picked.server);
}

async function withConfig(server: ServerConnection): Promise<Chosen | undefined> {
  const config = await server.spec.resolve(new AbortController().signal);
  return config.kind === 'stdio' ? undefined : { server, config };
}

/** Runs something that the person waits for and may cancel; what goes wrong is shown. */
async function attempt(title: string, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const location = vscode.ProgressLocation.Notification;
  try {
    await vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
      const link = toAbortSignal(token);
      try {
        await run(link.signal);
      } finally {
        link.dispose();
      }
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'cancelled') return;
    const text = oneLine(messageOf(error), 600);
    void vscode.window.showErrorMessage(vscode.l10n.t('Signing in failed: {0}', text));
  }
}

/** The listener's address as the person's browser reaches it: in a remote window that is another machine's. */
async function externalUri(uri: string): Promise<string> {
  return (await vscode.env.asExternalUri(vscode.Uri.parse(uri))).toString(true);
}

function page(): { readonly title: string; readonly done: string; readonly failed: string } {
  return {
    title: 'MCP Agent',
    done: vscode.l10n.t('You are signed in. You can close this page.'),
    failed: vscode.l10n.t('The sign-in was not completed. You can close this page and try again.'),
  };
}
