import * as vscode from 'vscode';

import { serverIdentity } from '../servers/serverIdentity.ts';
import { serverPlaces } from '../settings/serverPlaces.ts';
import { factIcon, factText } from './factTexts.ts';
import { oneLine } from './plainText.ts';
import { iconless } from './quickInputs.ts';
import { gatherFacts, type FactSources } from './serverFacts.ts';
import { actionsOf, type ServerFacts, type ViewFacts } from './serversTree.ts';
import { settingsDocument } from './settingsDocuments.ts';

/** The line of links above each server entry of a settings file: what the server is at, and what can be done with it. */
export function settingsLenses(document: vscode.TextDocument, sources: FactSources): vscode.CodeLens[] {
  const about = settingsDocument(document);
  if (about === undefined) return [];
  const facts = gatherFacts(sources);
  return serverPlaces(document.getText(), about.kind).flatMap(({ name, key }) => {
    const position = document.positionAt(key.offset);
    const range = new vscode.Range(position, document.positionAt(key.offset + key.length));
    return commandsFor(name, about.source, facts).map((command) => new vscode.CodeLens(range, command));
  });
}

function commandsFor(name: string, source: string, facts: ViewFacts): readonly vscode.Command[] {
  const identity = serverIdentity(source, name);
  const server = facts.servers.find((each) => each.identity === identity);
  return server === undefined ? commandsWithout(name, source, facts) : commandsOf(server);
}

function commandsOf(server: ServerFacts): readonly vscode.Command[] {
  const target = { identity: server.identity, name: server.name, source: server.source };
  const link = (title: string, action: string): vscode.Command => ({
    title,
    command: `mcpAgent.view.${action}`,
    arguments: [target],
  });
  const actions = actionsOf(server);
  const can = (action: string, title: string): readonly vscode.Command[] =>
    actions.includes(action) ? [link(title, action)] : [];
  return [
    link(`$(${factIcon(server).id}) ${factText(server)}`, 'reveal'),
    ...can('signIn', vscode.l10n.t('Sign In')),
    ...can('start', vscode.l10n.t('Start')),
    ...can('stop', vscode.l10n.t('Stop')),
    ...can('restart', vscode.l10n.t('Restart')),
    ...(['idle', 'disabled'].includes(server.state) ? [] : [link(vscode.l10n.t('Log'), 'showLog')]),
  ];
}

/** Says why an entry is no server of this window. */
function commandsWithout(name: string, source: string, { badEntries, servers }: ViewFacts): readonly vscode.Command[] {
  const bad = badEntries.find((entry) => entry.name === name && entry.source === source);
  if (bad !== undefined) {
    const title = `$(error) ${vscode.l10n.t('Not used: {0}', iconless(oneLine(bad.message, 120)))}`;
    return [{ title, command: '' }];
  }
  if (!vscode.workspace.isTrusted && !source.startsWith('usr')) {
    return [{ title: `$(shield) ${vscode.l10n.t('Restricted Mode')}`, command: 'workbench.trust.manage' }];
  }
  if (!servers.some((server) => server.name === name)) return [];
  return [{ title: `$(info) ${vscode.l10n.t('Not used: a nearer scope has a server of this name')}`, command: '' }];
}
