import * as vscode from 'vscode';

import type { Disposable } from '../base/disposables.ts';
import type { Tap } from '../base/tap.ts';
import { parseUrl } from '../base/url.ts';
import type { Authorization } from '../mcp/authorization.ts';
import type { OauthOptions } from '../mcp/oauth/oauthOptions.ts';
import type { HttpServerConfig, ServerConfig } from '../mcp/serverConfig.ts';
import { oneLine } from './plainText.ts';

/** The command of every button that begins a sign-in; its argument is the server's name. */
export const signInCommand = 'mcpAgent.signIn';

/** Where sign-ins are kept, and what they need of the editor. */
export interface SignInsOptions {
  readonly secrets: vscode.SecretStorage;
  /** A folder that all windows of this machine share, for locks between them. */
  readonly folder: vscode.Uri;
  readonly tap: Tap;
  readonly onSecret: (value: string) => void;
}

/**
 * Sign-ins at servers: kept in secret storage, begun by the person alone. A server that asks for one is remembered until it
 * has been given; the person is told of it once.
 */
export class SignIns implements Disposable {
  readonly #options: SignInsOptions;
  readonly #needed = new Set<string>();
  readonly #told = new Set<string>();
  readonly #following: Disposable;

  constructor(options: SignInsOptions) {
    this.#options = options;
    // Another window may sign in for this one.
    this.#following = options.secrets.onDidChange(({ key }) => {
      for (const name of this.#needed) if (key.startsWith(`mcpAgent.oauth.session:${name}:`)) this.done(name);
    });
  }

  /** Names of the servers that ask for a sign-in now. */
  get needed(): readonly string[] {
    return [...this.#needed];
  }

  /** What a connection to a server signs in with: what is kept, and never the browser. */
  async forServer(config: ServerConfig): Promise<{ readonly authorization?: Authorization }> {
    if (config.kind === 'stdio' || hasOwnCredentials(config)) return {};
    const { oauthOnDemand } = await import('../mcp/signIn.ts');
    return { authorization: await oauthOnDemand(await this.optionsFor(config)) };
  }

  /** Options for a sign-in in the background; who has a person waiting makes them interactive. */
  async optionsFor(config: HttpServerConfig): Promise<OauthOptions> {
    const { secrets, folder, tap, onSecret } = this.#options;
    const stored = await secrets.get(clientSecretKey(config));
    return {
      server: config.name,
      url: config.url,
      account: config.name,
      settings: { ...(stored !== undefined && { clientSecret: stored }), ...config.oauth },
      store: {
        get: async (key) => secrets.get(`mcpAgent.${key}`),
        set: async (key, value) => secrets.store(`mcpAgent.${key}`, value),
        delete: async (key) => secrets.delete(`mcpAgent.${key}`),
        ...(folder.scheme === 'file' && { lock: (key: string) => lockIn(folder, key) }),
      },
      interactive: false,
      openBrowser: openInBrowser,
      clientName: 'MCP Agent',
      howToSignIn: vscode.l10n.t('Use the command "MCP Agent: Sign In"'),
      ca: config.ca,
      tap,
      onSecret,
      onNeeded: () => this.#onNeeded(config.name),
    };
  }

  /** Keeps the secret of a client that the person has registered; an empty one is removed. */
  async setClientSecret(config: HttpServerConfig, secret: string): Promise<void> {
    const { secrets } = this.#options;
    if (secret === '') return secrets.delete(clientSecretKey(config));
    await secrets.store(clientSecretKey(config), secret);
  }

  /** The person has signed in, or out. */
  done(name: string): void {
    this.#needed.delete(name);
    this.#told.delete(name);
  }

  dispose(): void {
    this.#following.dispose();
  }

  #onNeeded(name: string): void {
    this.#needed.add(name);
    if (this.#told.has(name)) return;
    this.#told.add(name);
    void tellOnce(name);
  }
}

async function tellOnce(name: string): Promise<void> {
  const signIn = vscode.l10n.t('Sign In');
  const text = vscode.l10n.t('The MCP server {0} asks you to sign in.', oneLine(name, 60));
  const answer = await vscode.window.showInformationMessage(text, signIn);
  if (answer === signIn) await vscode.commands.executeCommand(signInCommand, name);
}

/** An Authorization header of the settings is the person's own way to sign in. */
function hasOwnCredentials({ headers = {}, oauth, url }: HttpServerConfig): boolean {
  if (oauth !== undefined) return false;
  return parseUrl(url)?.username !== '' || Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** The secret belongs to a client at a server: settings that point the name elsewhere never receive it. */
function clientSecretKey({ name, url, oauth }: HttpServerConfig): string {
  const { origin, pathname } = new URL(url);
  const client = JSON.stringify([oauth?.['clientId'], oauth?.['issuer']]);
  return `mcpAgent.oauth.secret:${name}:${origin}${pathname}:${client}`;
}

/** Keeps the other windows from what is under a key. Where the folder cannot be written to, nobody is kept out. */
async function lockIn(folder: vscode.Uri, key: string): Promise<() => Promise<void>> {
  const [{ lockFile }, { createHash }] = await Promise.all([import('../base/fileLock.ts'), import('node:crypto')]);
  const name = `${createHash('sha256').update(key).digest('hex').slice(0, 24)}.lock`;
  return lockFile(vscode.Uri.joinPath(folder, 'locks', name).fsPath).catch(() => async () => undefined);
}

/** Opens a page in the person's browser. Rejects when it is not opened. */
async function openInBrowser(url: string): Promise<void> {
  if (await vscode.env.openExternal(vscode.Uri.parse(url, true))) return;
  const { SignInError } = await import('../mcp/signInError.ts');
  throw new SignInError('cancelled', vscode.l10n.t('the page to sign in on was not opened'));
}
