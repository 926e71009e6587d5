import * as vscode from 'vscode';

import type { AgentEvent } from '../agent/agentEvent.ts';
import { oneLine, plain } from './plainText.ts';

/** The command of the button at the step limit. */
export const continueCommand = 'mcpAgent.continue';

/** The agent's own tools, which belong to no server. */
const ownTools: ReadonlySet<string> = new Set(['read_result', 'search_tools', 'list_resources', 'read_resource']);

/** Where events are printed, and how the turn ended. */
export interface Printer {
  readonly stream: vscode.ChatResponseStream;
  reason: 'stop' | 'limit' | 'cancelled' | 'error' | undefined;
  error: string | undefined;
}

/** Shows one event in the chat. Calls are drawn by their rows, not here; only a call that never got one is told. */
export function printEvent(event: AgentEvent, printer: Printer): void {
  switch (event.kind) {
    case 'text-delta':
      // A plain string is never trusted: no command links, no HTML, and the chat loads no images from elsewhere.
      return printer.stream.markdown(event.text);
    case 'tool-start':
      if (event.server === '' && !ownTools.has(event.name))
        printer.stream.markdown(
          icon('question', vscode.l10n.t('The model asked for a tool that does not exist: {0}', plain(event.name, 80))),
        );
      return;
    case 'tool-progress':
      return printer.stream.progress(oneLine(event.message, 200));
    case 'notice':
      return printer.stream.markdown(icon('warning', plain(event.text, 1200)));
    case 'done':
      return printEnd(event, printer);
    case 'tool-end':
    case 'usage':
  }
}

function printEnd(event: AgentEvent & { kind: 'done' }, printer: Printer): void {
  printer.reason = event.reason;
  if (event.reason === 'error')
    printer.error = oneLine(event.error ?? vscode.l10n.t('The task ended with an error.'), 2000);
  if (event.reason !== 'limit') return;
  printer.stream.button({ command: continueCommand, title: vscode.l10n.t('Continue') });
}

function icon(name: string, text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(`\n\n$(${name}) ${text}\n\n`, true);
}
