import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import { isRecord } from '../base/json.ts';
import type { Client } from '../mcp/client.ts';
import type { LogLevel } from '../mcp/offerTypes.ts';
import { STATELESS_REVISION } from '../mcp/schema.ts';
import { clip, prettyJson, showInvisible } from './plainText.ts';
import type { ServerLogs } from './serverLogs.ts';
import type { ServerQuestions } from './serverQuestions.ts';

/** Characters of one message in the log. */
const longestMessage = 20_000;

type Level = 'debug' | 'info' | 'warning' | 'error';

/** The log's levels for those of MCP (RFC 5424); a level that is not known is information. */
const levels: ReadonlyMap<unknown, Level> = new Map<unknown, Level>([
  ['debug', 'debug'],
  ['info', 'info'],
  ['notice', 'info'],
  ['warning', 'warning'],
  ['error', 'error'],
  ['critical', 'error'],
  ['alert', 'error'],
  ['emergency', 'error'],
]);

/** Where the notices of a server go. */
export interface NoticeTargets {
  readonly server: string;
  readonly logs: ServerLogs;
  readonly questions: ServerQuestions;
}

/**
 * Has what a server says by itself reach its place: log messages its log, completed questions those who wait. The server's
 * level follows that of its log; at the usual level it is left to the server, so that no request is spent on it. A server
 * of 2026-07-28 says nothing before it is told a level, which travels with the requests that are sent anyway.
 */
export function followNotices(client: Client, { server, logs, questions }: NoticeTargets): void {
  client.onDidReceiveNotification(({ method, params }) => {
    if (method === 'notifications/message') {
      const { level, text } = readMessage(params);
      logs.note(level, text, server);
    } else if (method === 'notifications/elicitation/complete') questions.complete(params);
  });
  if (!isRecord(client.capabilities['logging'])) return;
  const tell = async (level: vscode.LogLevel): Promise<void> => {
    const { setLogLevel } = await import('../mcp/offers.ts');
    try {
      await setLogLevel(client, levelFor(level));
    } catch (error) {
      logs.note('debug', `logging/setLevel: ${messageOf(error)}`, server);
    }
  };
  const subscription = logs.onDidChangeLevel(server, (level) => void tell(level));
  client.onDidClose(() => subscription.dispose());
  const level = logs.levelOf(server);
  if (level !== vscode.LogLevel.Info || client.protocolVersion === STATELESS_REVISION) void tell(level);
}

function readMessage(params: unknown): { readonly level: Level; readonly text: string } {
  const { level, logger, data } = isRecord(params) ? params : {};
  const body = clip(showInvisible(typeof data === 'string' ? data : prettyJson(data)), longestMessage);
  const name = typeof logger === 'string' && logger !== '' ? `[${showInvisible(logger)}] ` : '';
  return { level: levels.get(level) ?? 'info', text: `${name}${body}` };
}

function levelFor(level: vscode.LogLevel): LogLevel {
  switch (level) {
    case vscode.LogLevel.Trace:
    case vscode.LogLevel.Debug:
      return 'debug';
    case vscode.LogLevel.Info:
      return 'info';
    case vscode.LogLevel.Warning:
      return 'warning';
    case vscode.LogLevel.Error:
      return 'error';
    case vscode.LogLevel.Off:
      return 'emergency';
  }
}
