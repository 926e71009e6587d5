import * as vscode from 'vscode';

import { runAgent } from '../agent/agentLoop.ts';
import { Conversation } from '../agent/conversation.ts';
import type { Tap } from '../base/tap.ts';
import type { ChatModel } from '../model/chatModel.ts';
import type { Grant } from './approvalStore.ts';
import { toAbortSignal } from './cancellation.ts';
import { readPast, writeRecord, type ChatPast } from './chatHistory.ts';
import type { EditorServers } from './editorServers.ts';
import { printEvent, type Printer } from './eventPrinter.ts';
import type { Turn } from './participant.ts';
import { ServerNotices } from './serverNotices.ts';
import type { ToolCalls } from './toolCalls.ts';

/** How long a turn waits for servers that are still connecting, in milliseconds; they may join at any later step. */
const connectLimitMs = 10_000;

/** After this long the chat says what it is waiting for, in milliseconds. */
const patienceMs = 300;

export interface AgentTurnOptions {
  readonly servers: EditorServers;
  readonly calls: ToolCalls;
  /** The model that the person picked. */
  readonly modelOf: (model: vscode.LanguageModelChat) => Promise<ChatModel>;
  readonly tap: Tap;
}

/** One task: the servers, the model, the calls, the answer; and what the next turn has to know. */
export async function agentTurn(turn: Turn, options: AgentTurnOptions): Promise<vscode.ChatResult> {
  const past = readPast(turn.context.history);
  const link = toAbortSignal(turn.token);
  try {
    if (turn.prompt === '' && !past.unfinished) return await greet(turn);
    const model = await options.modelOf(turn.request.model);
    await connect(turn, options.servers, link.signal);
    return await converse({ turn, options, past, model, signal: link.signal });
  } finally {
    link.dispose();
  }
}

interface Conversing {
  readonly turn: Turn;
  readonly options: AgentTurnOptions;
  readonly past: ChatPast;
  readonly model: ChatModel;
  readonly signal: AbortSignal;
}

async function converse({ turn, options, past, model, signal }: Conversing): Promise<vscode.ChatResult> {
  const conversation = new Conversation();
  for (const message of past.messages) conversation.append(message);
  const grants: Grant[] = [...past.grants];
  const notices = new ServerNotices(options.servers, past.told);
  const place = { chat: turn.request.toolInvocationToken, stream: turn.stream, token: turn.token, grants };
  const printer: Printer = { stream: turn.stream, reason: undefined, error: undefined };
  for await (const event of runAgent({
    model,
    tools: () => options.servers.tools(),
    conversation,
    prompt: turn.prompt,
    carryOut: options.calls.forTurn(place),
    serverInstructions: () => options.servers.instructions(),
    notices: () => notices.take(),
    maxSteps: options.servers.number('maxSteps', 30),
    signal,
    tap: options.tap,
  })) {
    printEvent(event, printer);
  }
  const messages = conversation.messages.slice(past.messages.length);
  const record = { messages, grants, told: notices.told, unfinished: printer.reason === 'limit' };
  return {
    metadata: writeRecord(record),
    ...(printer.error !== undefined && { errorDetails: { message: printer.error } }),
  };
}

/** Starts the servers where that has not happened, and waits for them a while. */
async function connect(turn: Turn, servers: EditorServers, signal: AbortSignal): Promise<void> {
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number): Promise<void> => new Promise((resolve) => timers.push(setTimeout(resolve, ms)));
  const ready = servers.ready();
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  try {
    const early = await Promise.race([ready.then(() => true), stopped.then(() => true), after(patienceMs).then(() => false)]);
    if (early) return;
    turn.stream.progress(vscode.l10n.t('Connecting to the MCP servers…'));
    await Promise.race([ready, stopped, after(connectLimitMs)]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** A message without words. */
async function greet({ stream }: Turn): Promise<vscode.ChatResult> {
  stream.markdown(vscode.l10n.t('Tell me what to do: I use the tools of your MCP servers. `/tools` lists them, `/servers` says how the servers are.'));
  return {};
}

