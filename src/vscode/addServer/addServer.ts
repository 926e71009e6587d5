import * as vscode from 'vscode';

import type { JsonObject } from '../../base/json.ts';
import type { Tap } from '../../base/tap.ts';
import type { NewServer } from '../../settings/newServer/addition.ts';
import type { Chosen } from '../../settings/newServer/makeAddition.ts';
import { proposeName, uniqueName } from '../../settings/newServer/proposeName.ts';
import { toAbortSignal } from '../cancellation.ts';
import { oneLine } from '../plainText.ts';
import { serverErrorText } from '../serverErrorText.ts';
import { askPaste, type Understood } from './askPaste.ts';
import { confirmAddition, type AddContext } from './confirmAddition.ts';
import { probe, type Probed } from './probe.ts';
import { presentIn } from './targets.ts';
import { toldText } from './toldText.ts';

/** What adding a server works with. */
export interface AddServerContext extends AddContext {
  readonly tap: Tap;
}

/** "MCP Agent: Add Server": from what was pasted to a server that runs. `pasted` stands in the input already. */
export async function addServer(context: AddServerContext, pasted = ''): Promise<void> {
  for (let value = pasted; ;) {
    const understood = await askPaste(value);
    if (!understood) return;
    const chosen = understood.kind === 'url' ? await lookAt(understood.url, context.tap) : await choose(understood);
    if (chosen === 'again') value = understood.kind === 'url' ? understood.url : '';
    else return chosen && void (await confirmAddition(chosen, context));
  }
}

/** Looks at a URL and asks for a name. `again`: the person wants to correct the address. */
async function lookAt(url: string, tap: Tap): Promise<Chosen | 'again' | undefined> {
  const probed = await probeWithProgress(url, tap);
  if (!probed) return undefined;
  if (probed.kind === 'failed') {
    const answer = await askUnreached(url, probed.error);
    if (answer !== 'add') return answer;
  }
  const entry: JsonObject = { ...(probed.kind === 'found' && { type: probed.transport }), url };
  const name = await askName(
    probed.kind === 'found' && probed.name !== undefined ? shortName(probed.name) : proposeName(entry),
    described(probed),
  );
  if (name === undefined) return undefined;
  return { servers: [{ name, entry }], inputs: [], notes: [described(probed)] };
}

async function probeWithProgress(url: string, tap: Tap): Promise<Probed | undefined> {
  const title = vscode.l10n.t('Looking at {0}…', oneLine(url, 100));
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
    const link = toAbortSignal(token);
    try {
      const probed = await probe(url, { tap, signal: link.signal });
      return token.isCancellationRequested ? undefined : probed;
    } finally {
      link.dispose();
    }
  });
}

function described(probed: Probed): string {
  if (probed.kind === 'sign-in')
    return vscode.l10n.t('The server asks you to sign in; you can do so when it is added.');
  if (probed.kind === 'failed') return vscode.l10n.t('The server was not reached.');
  const kind = probed.transport === 'sse' ? 'HTTP+SSE' : 'Streamable HTTP';
  const title = probed.title ?? probed.name;
  return title === undefined
    ? vscode.l10n.t('Found: a server over {0}.', kind)
    : vscode.l10n.t('Found: {0}, over {1}.', oneLine(title, 60), kind);
}

async function askUnreached(url: string, error: Error): Promise<'add' | 'again' | undefined> {
  const items = [
    { label: `$(edit) ${vscode.l10n.t('Correct the address')}`, answer: 'again' },
    { label: `$(add) ${vscode.l10n.t('Add it all the same')}`, answer: 'add' },
  ] as const;
  const title = vscode.l10n.t('{0} was not reached', oneLine(url, 80));
  const detail = oneLine(serverErrorText(error, new URL(url).host), 300);
  const picked = await vscode.window.showQuickPick(
    items.map((item, index) => ({ ...item, ...(index === 0 && { detail }) })),
    { title, ignoreFocusOut: true },
  );
  return picked?.answer;
}

/** Of several servers the person picks; one whose name was only guessed may get another. */
async function choose(understood: Understood & { kind: 'servers' }): Promise<Chosen | undefined> {
  const { servers, inputs } = understood;
  const notes = understood.notes.map(toldText);
  const [only] = servers;
  if (servers.length === 1 && only) {
    const name = await askName(only.name, notes.join(' '));
    return name === undefined ? undefined : { servers: [{ ...only, name }], inputs, notes };
  }
  const picked = await pickServers(servers);
  return picked && picked.length > 0 ? { servers: picked, inputs, notes } : undefined;
}

async function pickServers(servers: readonly NewServer[]): Promise<readonly NewServer[] | undefined> {
  const items = servers.map((server) => ({
    label: oneLine(server.name, 60),
    description: targetOf(server),
    picked: true,
    server,
  }));
  const title = vscode.l10n.t('Which servers should be added?');
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true, ignoreFocusOut: true });
  return picked?.map(({ server }) => server);
}

/** What a server runs or reaches, in one line. */
export function targetOf({ entry }: NewServer): string {
  const { url, command, args } = entry;
  const words = typeof url === 'string' ? [url] : [command, ...(Array.isArray(args) ? args : [])];
  return oneLine(
    words
      .filter((word) => word !== undefined)
      .map(String)
      .join(' '),
    120,
  );
}

async function askName(proposed: string, prompt: string): Promise<string | undefined> {
  const { names } = presentIn();
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Name of the Server'),
    value: uniqueName(proposed, names),
    prompt,
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (text.trim() === '') return vscode.l10n.t('The server needs a name.');
      return names.has(text.trim()) ? vscode.l10n.t('There is a server of this name already.') : undefined;
    },
  });
  return name?.trim();
}

/** Servers like to call themselves `something-mcp-server`. */
function shortName(name: string): string {
  return proposeName({ command: 'npx', args: [name] });
}
