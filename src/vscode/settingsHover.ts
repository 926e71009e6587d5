import type * as vscode from 'vscode';

import { serverIdentity } from '../servers/serverIdentity.ts';
import { serverPlaces } from '../settings/serverPlaces.ts';
import { serverCard } from './serverCard.ts';
import { gatherFacts, type FactSources } from './serverFacts.ts';
import { settingsDocument } from './settingsDocuments.ts';

/** What is known of a server, for who points at its name in a settings file. */
export function settingsHover(
  document: vscode.TextDocument,
  position: vscode.Position,
  sources: FactSources,
): vscode.MarkdownString | undefined {
  const about = settingsDocument(document);
  if (about === undefined) return undefined;
  const offset = document.offsetAt(position);
  const place = serverPlaces(document.getText(), about.kind).find(
    // In a list the span of the name is the whole entry, over which other hovers should have their say.
    ({ key, value }) => key.offset !== value.offset && key.offset <= offset && offset <= key.offset + key.length,
  );
  if (place === undefined) return undefined;
  const identity = serverIdentity(about.source, place.name);
  const facts = gatherFacts(sources).servers.find((server) => server.identity === identity);
  return facts && serverCard(facts, sources.servers.find(identity));
}
