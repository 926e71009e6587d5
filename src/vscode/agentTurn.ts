import * as vscode from 'vscode';

import { runAgent } from '../agent/agentLoop.ts';
import type { Tap } from '../base/tap.ts';
import type { ChatMessage, ChatModel, ModelPart } from '../model/chatModel.ts';
import { resourceTools } from '../tools/resourceTools.ts';
import { agentTexts } from './agentTexts.ts';
import { toAbortSignal } from './cancellation.ts';
import { readAttachments } from './attachments.ts';
import { readPast, turnMetadata, type ChatPast } from './chatHistory.ts';
import type { EditorServers } from './editorServers.ts';
import { customInstructions } from './customInstructions.ts';
import { printEvent, type Printer } from './eventPrinter.ts';
import { KeptResults } from './keptResults.ts';
import { plannerId } from './modelProvider.ts';
import type { Turn } from './participant.ts';
import { helpedModel, offerModelHelp } from './modelHelp.ts';
import type { HelpedModel } from './modelRemedies.ts';
import { serverNotices } from './serverNotices.ts';
import { isSteered, placeOf, tellReuse } from './steering.ts';
import type { ToolCalls } from './toolCalls.ts';

/** After this long the chat says what it is waiting for, in milliseconds. */
const patienceMs = 300;

/** What a turn of the agent works with. */
export interface AgentTurnOptions {
  readonly servers: EditorServers;
  readonly calls: ToolCalls;
  /** The model that the person picked. */
  readonly modelOf: (model: vscode.LanguageModelChat) => Promise<ChatModel>;
  readonly tap: Tap;
  /** The extension's folder of this workspace. */
  readonly storage: vscode.Uri;
}

/** What a turn begins with where that is more than the person's words: messages that stand before them, images. */
export interface TurnInput {
  readonly before: readonly ChatMessage[];
  readonly prompt: readonly ModelPart[];
}

/** One task: the servers, the model, the calls, the answer; and what the next turn has to know. */
export async function agentTurn(turn: Turn, options: AgentTurnOptions, input?: TurnInput): Promise<vscode.ChatResult> {
  const past = readPast(turn.context.history, keptResults(options.storage));
  if (turn.prompt === '' && !past.isPaused && input === undefined) return greet(turn);
  const link = toAbortSignal(turn.token);
  try {
    const model = await helpedModel(turn.stream, () => options.modelOf(turn.request.model));
    await untilServersAreUsable(options.servers, turn.stream, link.signal);
    return await converse(turn, options, { past, model, signal: link.signal, input });
  } finally {
    link.dispose();
  }
}

interface Prepared {
  readonly past: ChatPast;
  readonly model: HelpedModel;
  readonly signal: AbortSignal;
  readonly input: TurnInput | undefined;
}

async function converse(
  turn: Turn,
  { servers, calls, tap }: AgentTurnOptions,
  prepared: Prepared,
): Promise<vscode.ChatResult> {
  const { past, model, signal } = prepared;
  const { conversation } = past;
  const before = conversation.messages.length;
  for (const message of prepared.input?.before ?? []) conversation.append(message);
  const place = {
    chat: turn.request.toolInvocationToken,
    stream: turn.stream,
    token: turn.token,
    grants: [...past.grants],
  };
  // The planner reads the person's words as steps, so nothing else may stand among them.
  const isPlanner = model.id === plannerId;
  const attached = isPlanner ? [] : await readAttachments(turn.request.references);
  const instructions = isPlanner ? '' : await customInstructions(turn.request);
  const attempt = calls.attempts.begin(placeOf(turn));
  const printer: Printer = { stream: turn.stream, reason: undefined, error: undefined };
  const events = runAgent({
    model,
    tools: () => servers.tools(),
    maxTools: model.maxTools ?? servers.number('maxTools', 128),
    conversation,
    ownTools: () => resourceTools(() => servers.connectionsInUse()),
    prompt: [...(prepared.input?.prompt ?? [{ kind: 'text', text: turn.prompt }]), ...attached],
    carryOut: calls.forTurn(place),
    mayRunBeside: ({ definition }) => calls.isAllowed(definition, place.grants),
    instructions,
    serverInstructions: () => servers.instructions(),
    notices: () => serverNotices(servers, conversation),
    attempt,
    texts: agentTexts(),
    shouldYield: () => !isPlanner && isSteered(turn),
    maxSteps: servers.number('maxSteps', 30),
    signal,
    tap,
  });
  for await (const event of events) printEvent(event, printer);
  if (printer.error !== undefined) offerModelHelp(turn.stream, model);
  tellReuse(turn, attempt);
  const isPaused = printer.reason === 'limit' || (!isPlanner && isSteered(turn));
  const metadata = turnMetadata(conversation, before, { grants: place.grants, isPaused });
  return { metadata, ...(printer.error !== undefined && { errorDetails: { message: printer.error } }) };
}

/** Starts the servers where that has not happened, and waits until there is something to work with; the rest may join at any step. */
export async function untilServersAreUsable(
  servers: EditorServers,
  stream: vscode.ChatResponseStream,
  signal: AbortSignal,
): Promise<void> {
  const timer = setTimeout(() => stream.progress(vscode.l10n.t('Connecting to the MCP servers…')), patienceMs);
  try {
    await servers.usable(signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Large results outlive the window where the folder is one of this machine. */
function keptResults(storage: vscode.Uri): KeptResults | undefined {
  return storage.scheme === 'file' ? new KeptResults(vscode.Uri.joinPath(storage, 'results').fsPath) : undefined;
}

/** A message without words. */
function greet({ stream }: Turn): vscode.ChatResult {
  stream.markdown(
    vscode.l10n.t(
      'Tell me what to do: I use the tools of your MCP servers. `/tools` lists them, `/servers` says how the servers are.',
    ),
  );
  return {};
}
