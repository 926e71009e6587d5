import type { ChatResult } from 'vscode';

import { agentTurn, type AgentTurnOptions } from './agentTurn.ts';
import { chatCommands } from './chatCommands.ts';
import type { Turn } from './participant.ts';

/** Answers one turn: a slash command by its name, everything else is a task for the agent. */
export async function answerTurn(turn: Turn, options: AgentTurnOptions): Promise<ChatResult> {
  const command = turn.request.command === undefined ? undefined : chatCommands[turn.request.command];
  return command === undefined ? agentTurn(turn, options) : command(turn, options.servers);
}
