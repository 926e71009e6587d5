import * as vscode from 'vscode';

import type { ApprovalQuestion } from '../agent/agentEvent.ts';
import type { CarryOut, RunCall } from '../agent/agentLoop.ts';
import { DisposableStore, type Disposable } from '../base/disposables.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import type { Allowances } from './allowances.ts';
import {
  allowCommand,
  approvalCard,
  compareCommand,
  refuseCommand,
  type AllowTarget,
  type CardRequest,
} from './approvalCard.ts';
import { askByButtons, ButtonQuestions } from './approvalButtons.ts';
import type { ApprovalStore, Decision, Grant } from './approvalStore.ts';
import { Attempts } from './attempts.ts';
import type { DefinitionBook } from './definitionBook.ts';
import type { EditorServers } from './editorServers.ts';
import { oneLine } from './plainText.ts';
import { originText } from './originText.ts';
import { rowLabel } from './rowLabel.ts';
import { runAgain, runAgainCommand } from './steering.ts';
import { confirmTool, newRowId, type Card, type RowEnd, ToolRows } from './toolRows.ts';

/** The asking tool as `chat.tools.eligibleForAutoApproval` names it. */
const settingName = 'mcp-agent.mcp-agent/confirmMcpTool';

/** How long the editor may take to let a card run that we accept on the person's behalf, in milliseconds. */
const acceptLimitMs = 1500;

/** One turn of one chat: where rows are drawn, and what was allowed in this chat. */
export interface TurnPlace {
  readonly chat: vscode.ChatParticipantToolToken;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
  /** Grants of this chat; new ones are added. */
  readonly grants: Grant[];
}

/** Of the agent's own tools those that reach a server: they have a row, and no question, since they only read. */
const resourceTools: ReadonlySet<string> = new Set(['list_resources', 'read_resource']);

type CallEnd = ToolOutcome | { readonly denied: string };

/** A call on its way. `run` carries it out as the model asked for it. */
interface OpenCall {
  readonly question: ApprovalQuestion;
  readonly definition: Tool;
  readonly place: TurnPlace;
  readonly run: RunCall;
  readonly signal: AbortSignal;
  /** It ran in an earlier attempt of this turn: its row only shows the result from then. */
  readonly isRepeated: boolean;
}

interface OpenQuestion {
  readonly question: ApprovalQuestion;
  readonly definition: Tool;
  readonly place: TurnPlace;
  readonly cancel: () => void;
  granted: boolean;
  /** The person's words for the model, where they refused with some. */
  reason: string;
}

/** Decides for each call whether it runs, is asked about, and how; remembers what the person allows for longer. */
export class ToolCalls implements Disposable {
  /** What the turns of this window did, for the case that one is repeated. */
  readonly attempts = new Attempts();
  readonly #servers: EditorServers;
  readonly #approvals: ApprovalStore;
  readonly #book: DefinitionBook;
  readonly #store = new DisposableStore();
  readonly #rows = this.#store.add(new ToolRows());
  readonly #buttons = this.#store.add(new ButtonQuestions());
  readonly #open = new Map<string, OpenQuestion>();

  constructor(servers: EditorServers, { approvals, book }: Pick<Allowances, 'approvals' | 'book'>) {
    this.#servers = servers;
    this.#approvals = approvals;
    this.#book = book;
    this.#store.add(
      vscode.commands.registerCommand(runAgainCommand, (chat: unknown) =>
        runAgain(chat, (each) => this.attempts.forget(each)),
      ),
    );
    this.#store.add(
      vscode.commands.registerCommand(allowCommand, (id: unknown, target: unknown) => this.#allow(id, target)),
    );
    this.#store.add(vscode.commands.registerCommand(refuseCommand, (id: unknown) => this.#refuse(id)));
    this.#store.add(vscode.commands.registerCommand(compareCommand, (id: unknown) => this.#compare(id)));
  }

  /** The function that carries out the calls of one turn. Questions come one after another; allowed calls run side by side. */
  forTurn(place: TurnPlace): CarryOut {
    let last: Promise<unknown> = Promise.resolve();
    return async ({ definition, isRepeated = false, ...question }, run, signal) => {
      if (definition.server === '' && !resourceTools.has(definition.tool)) return run();
      const call: OpenCall = { question, definition, place, run, signal, isRepeated };
      if (isRepeated || this.isAllowed(definition, place.grants)) return this.#reviewed(call, this.#drawAllowed(call));
      const turn = last.then(() => this.#ask(call));
      last = turn.catch(() => undefined);
      return this.#reviewed(call, turn);
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** True where a call of this tool needs no question. The agent's own tools never do. */
  isAllowed(definition: Tool, grants: readonly Grant[]): boolean {
    return definition.server === '' || this.#decide(definition, grants) === 'allowed';
  }

  #decide(definition: Tool, grants: readonly Grant[]): Decision {
    if (this.#servers.isAutoApproved(definition)) return 'allowed';
    return this.#approvals.decide(definition.approvalKey, grants, this.#book.find(definition.approvalKey)?.definition);
  }

  /** Asks, unless an answer that was given meanwhile holds for this call too. */
  async #ask(call: OpenCall): Promise<CallEnd> {
    if (call.signal.aborted) return stopped();
    const decision = this.#decide(call.definition, call.place.grants);
    if (decision === 'allowed') return this.#draw(call);
    const id = newRowId();
    const source = new vscode.CancellationTokenSource();
    const open: OpenQuestion = { ...call, cancel: () => source.cancel(), granted: false, reason: '' };
    this.#open.set(id, open);
    const subscription = call.place.token.onCancellationRequested(() => source.cancel());
    try {
      const end = await this.#question({ ...call, id, decision }, source.token);
      if (end.kind === 'ran') return end.outcome;
      if (call.signal.aborted) return stopped();
      return open.granted ? await this.#draw(call) : { denied: open.reason };
    } finally {
      subscription.dispose();
      source.dispose();
      this.#open.delete(id);
    }
  }

  async #question(request: CardRequest & OpenCall, token: vscode.CancellationToken): Promise<RowEnd> {
    const card = approvalCard({
      ...request,
      origin: originText(this.#servers, request.definition),
      change: await this.#changeOf(request),
    });
    if (cardsAreSafe()) return this.#show(request, request.id, token, card);
    const allowed = await askByButtons(this.#buttons, {
      id: request.id,
      card,
      stream: request.place.stream,
      token,
    });
    return allowed ? this.#show(request, newRowId(), request.place.token) : { kind: 'skipped' };
  }

  async #changeOf({ decision, definition }: CardRequest): Promise<string | undefined> {
    if (decision !== 'changed') return undefined;
    const { changeText } = await import('./definitionChange.ts');
    return changeText(this.#book.find(definition.approvalKey), definition);
  }

  /** A tool that came after its server was allowed is noted, so that a change of it can be seen. */
  async #drawAllowed(call: OpenCall): Promise<CallEnd> {
    const { definition } = call;
    if (definition.server !== '' && this.#book.find(definition.approvalKey) === undefined)
      await this.#book.note([definition]);
    return this.#draw(call);
  }

  /** Where the person wants to read results first, the model gets this one only with their consent. */
  async #reviewed(call: OpenCall, work: Promise<CallEnd>): Promise<CallEnd> {
    const end = await work;
    if ('denied' in end || call.isRepeated || call.signal.aborted || !wantsReview()) return end;
    const { reviewResult } = await import('./resultReview.ts');
    return await reviewResult(this.#buttons, { definition: call.definition, outcome: end }, call.place);
  }

  async #draw(call: OpenCall): Promise<CallEnd> {
    const end = await this.#show(call, newRowId(), call.place.token);
    return end.kind === 'ran' ? end.outcome : stopped();
  }

  #show(call: OpenCall, id: string, token: vscode.CancellationToken, card?: Card): Promise<RowEnd> {
    const { question } = call;
    const label = rowLabel(question, call.isRepeated);
    const run = (args: JsonObject): Promise<ToolOutcome> => runEdited(args, call);
    const request = { id, label, arguments: question.arguments, ...(card && { card }), run };
    return this.#rows.show(request, call.place.chat, token);
  }

  /** A link of a card: remembers the grant, then lets the waiting call run. */
  async #allow(id: unknown, target: unknown): Promise<void> {
    const open = this.#openQuestion(id);
    if (typeof id !== 'string' || open === undefined || !isTarget(target)) return;
    await this.#remember(open, target);
    open.granted = true;
    if (this.#buttons.answer(id, true)) return;
    await vscode.commands.executeCommand('workbench.action.chat.acceptTool');
    const end = Date.now() + acceptLimitMs;
    while (!this.#rows.hasStarted(id) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
    if (!this.#rows.hasStarted(id)) open.cancel();
  }

  /** A link of a card: asks for the person's words, then refuses with them. Escape leaves the question open. */
  async #refuse(id: unknown): Promise<void> {
    const open = this.#openQuestion(id);
    if (typeof id !== 'string' || open === undefined) return;
    const reason = await vscode.window.showInputBox({
      title: vscode.l10n.t('Refuse {0}', oneLine(open.question.tool, 80)),
      prompt: vscode.l10n.t('What should the model know or do instead?'),
      ignoreFocusOut: true,
    });
    if (reason === undefined) return;
    open.reason = reason;
    if (!this.#buttons.answer(id, false)) open.cancel();
  }

  async #compare(id: unknown): Promise<void> {
    const open = this.#openQuestion(id);
    const before = open && this.#book.find(open.definition.approvalKey);
    if (open === undefined || before === undefined) return;
    const { compareDefinitions } = await import('./definitionChange.ts');
    await compareDefinitions(before, open.definition);
  }

  /** The question that a link belongs to. Links stay clickable for ever, so one of an answered question says so. */
  #openQuestion(id: unknown): OpenQuestion | undefined {
    const open = typeof id === 'string' ? this.#open.get(id) : undefined;
    if (open === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This question has been answered already.'));
    }
    return open;
  }

  async #remember({ definition, place }: OpenQuestion, target: AllowTarget): Promise<void> {
    const { server, tool, definition: hash } = definition.approvalKey;
    const label = definition.server;
    const [what, scope] = target.split('-');
    const grant: Grant = what === 'server' ? { server, label } : { server, label, tool, definition: hash };
    await this.#book.note(what === 'server' ? this.#servers.toolsOf(definition.serverIdentity) : [definition]);
    if (scope === 'chat') place.grants.push(grant);
    else await this.#approvals.add(scope === 'workspace' ? 'workspace' : 'always', grant);
  }
}

/** The card lets a person edit the arguments; what runs is what they left there, and the model is told. */
async function runEdited(args: JsonObject, call: OpenCall): Promise<ToolOutcome> {
  if (JSON.stringify(args) === JSON.stringify(call.question.arguments)) return call.run();
  const outcome = await call.run(args);
  const note = `[Note of the client: the person changed the arguments before the call ran. It ran with: ${JSON.stringify(args)}]`;
  return { ...outcome, parts: [{ kind: 'text', text: note }, ...outcome.parts] };
}

/** Whether the person wants to read every result before the model does. A workspace has no say in it. */
function wantsReview(): boolean {
  return vscode.workspace.getConfiguration('mcpAgent').get('reviewResults') === true;
}

/** True where the editor will offer no "always" of its own, which would open every tool of every server. */
function cardsAreSafe(): boolean {
  const value: unknown = vscode.workspace.getConfiguration('chat.tools').get('eligibleForAutoApproval');
  return isRecord(value) && value[settingName] === false && vscode.lm.tools.some((tool) => tool.name === confirmTool);
}

const targets: readonly string[] = ['tool-chat', 'tool-workspace', 'tool-always', 'server-always'];

function isTarget(value: unknown): value is AllowTarget {
  return typeof value === 'string' && targets.includes(value);
}

function stopped(): CallEnd {
  return { denied: 'They stopped the task before this call ran.' };
}
