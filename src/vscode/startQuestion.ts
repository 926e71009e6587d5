import * as vscode from 'vscode';

import type { ServerEntry } from '../settings/serverEntry.ts';
import { startFacts, type StartFacts } from '../settings/startFacts.ts';
import type { StartAnswer, StartContext } from '../settings/startPermission.ts';
import { oneLine, showInvisible } from './plainText.ts';
import { sourceText } from './serverTexts.ts';

/** Asks whether a server of the workspace may start, with all that the start does. Undefined: the person decides later. */
export async function askToStart(entry: ServerEntry, context: StartContext): Promise<StartAnswer | undefined> {
  const facts = startFacts(entry, context);
  const start = vscode.l10n.t('Start');
  const withTools = vscode.l10n.t('Start and Run These Tools Unasked');
  const never = vscode.l10n.t('Do Not Start');
  const later: vscode.MessageItem = { title: vscode.l10n.t('Not Now'), isCloseAffordance: true };
  const items = [start, ...(facts.autoApprove.length > 0 ? [withTools] : []), never].map((title) => ({ title }));
  const choice = await vscode.window.showWarningMessage<vscode.MessageItem>(
    vscode.l10n.t('Start the MCP server “{0}” that this workspace defines?', oneLine(facts.name, 80)),
    { modal: true, detail: factsText(facts, sourceText(entry.source)) },
    ...items,
    later,
  );
  switch (choice?.title) {
    case start:
      return 'start';
    case withTools:
      return 'start-with-tools';
    case never:
      return 'decline';
    default:
      return undefined;
  }
}

/** From so many characters on a person is told that they may not see all at once. */
const longTarget = 600;

/** What the start does, line by line, in plain text: the dialog reads no Markdown. */
function factsText(facts: StartFacts, source: string): string {
  const isProgram = facts.target.kind === 'program';
  const head = isProgram
    ? vscode.l10n.t('The {0} ask to run this program on your computer:', source)
    : vscode.l10n.t('The {0} ask to connect to this address:', source);
  const end = isProgram
    ? vscode.l10n.t('It can do whatever you can do here. Start it only if you know where it comes from.')
    : vscode.l10n.t('What the tools are given is sent there. Start it only if you know whose address it is.');
  const target = visible(facts.target.text);
  const long =
    target.length > longTarget
      ? [vscode.l10n.t('It has {0} characters: scroll to read all of it.', target.length)]
      : [];
  return [head, ...long, target, ...details(facts), end].join('\n\n');
}

function details(facts: StartFacts): string[] {
  const lines: string[] = [];
  const add = (words: string, values: readonly string[]): void => {
    if (values.length > 0) lines.push(`${words} ${values.map(visible).join(', ')}`);
  };
  add(vscode.l10n.t('Working folder:'), facts.folder === undefined ? [] : [facts.folder]);
  add(vscode.l10n.t('Environment:'), facts.environment);
  add(vscode.l10n.t('Environment from the file:'), facts.envFile === undefined ? [] : [facts.envFile]);
  add(vscode.l10n.t('Headers:'), facts.headers);
  add(vscode.l10n.t('It gets from your environment:'), facts.reads);
  add(vscode.l10n.t('Editor commands that are run for values:'), facts.commands);
  add(vscode.l10n.t('You will be asked for:'), facts.questions);
  add(vscode.l10n.t('Tools that it wants to run without asking you:'), facts.autoApprove);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

/** Nothing shortened; what cannot be seen is spelt out, line breaks too. */
function visible(text: string): string {
  return showInvisible(text.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}
