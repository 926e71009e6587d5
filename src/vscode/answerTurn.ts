import type { ChatResult } from 'vscode';

import { agentTurn, type AgentTurnOptions } from './agentTurn.ts';
import { chatCommands } from './chatCommands.ts';
import { offerSignIn } from './offerSignIn.ts';
import type { Turn } from './participant.ts';
import type { SignIns } from './signIns.ts';
import { inspectLink, traceTurn } from './traceTurn.ts';
import type { WireLog } from '../wire/wireLog.ts';

export interface AnswerOptions extends AgentTurnOptions {
  /** What was recorded of it. */
  readonly wire: WireLog;
  readonly signIns: SignIns;
}

/** Answers one turn: a slash command by its name, everything else is a task for the agent. */
export async function answerTurn(turn: Turn, options: AnswerOptions): Promise<ChatResult> {
  if (turn.request.command === 'trace') return traceTurn(turn.stream, options.wire);
  const { command: name } = turn.request;
  const command = name === undefined ? undefined : chatCommands[name];
  const result = await (command === undefined ? taskTurn(turn, options) : command(turn, options.servers));
  if (command === undefined) inspectLink(turn.stream, options.wire);
  // A button comes last: the editor folds away what stands before one, as steps, with the answer in it.
  offerSignIn(turn.stream, options.signIns);
  return result;
}

/** A task: in the person's own words, or those of a server's prompt, or about a resource. */
async function taskTurn(turn: Turn, options: AnswerOptions): Promise<ChatResult> {
  switch (turn.request.command) {
    case 'prompt':
      return (await import('./promptCommand.ts')).promptTurn(turn, options);
    case 'resource':
      return (await import('./resourceCommand.ts')).resourceTurn(turn, options);
    default:
      return agentTurn(turn, options);
  }
}
