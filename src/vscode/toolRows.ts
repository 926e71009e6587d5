import { randomBytes } from 'node:crypto';

import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../base/disposables.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import { partsText } from '../model/partsText.ts';
import type { ToolOutcome, ToolPart } from '../tools/tool.ts';
import { clip } from './plainText.ts';

/** The two tools of the manifest that draw every call: one runs at once, one asks the person first. */
const runTool = 'mcp-agent_run';
/** The editor's name of the tool that asks before a call. */
export const confirmTool = 'mcp-agent_confirm';

/** Characters of a result that its row shows; the model gets all of it. */
const shownCharacters = 20_000;

/** What the editor asks before a row runs. */
export interface Card {
  readonly title: string;
  readonly message: vscode.MarkdownString;
}

/** One row of the chat: its call, and what runs in it. */
export interface RowRequest {
  /** Works once, and only while its row is open. */
  readonly id: string;
  /** The row's own line. */
  readonly label: vscode.MarkdownString;
  readonly arguments: Readonly<JsonObject>;
  /** With a card the row asks first. */
  readonly card?: Card;
  /** Carries the call out with the arguments as the person left them. Never rejects. */
  readonly run: (args: JsonObject) => Promise<ToolOutcome>;
}

/** How a row ended: the call ran, the person skipped it, or nobody is waiting any more. */
export type RowEnd = { readonly kind: 'ran'; readonly outcome: ToolOutcome } | { readonly kind: 'skipped' | 'stopped' };

interface OpenRow extends RowRequest {
  started: boolean;
  outcome?: ToolOutcome;
}

/** A call id that nobody can guess: any extension may call our tools, and only ids of open rows do anything. */
export function newRowId(): string {
  return randomBytes(9).toString('base64url');
}

/** Draws tool calls as the editor's own rows, with its own question where one is needed. */
export class ToolRows implements Disposable {
  readonly #rows = new Map<string, OpenRow>();
  readonly #store = new DisposableStore();

  constructor() {
    this.#store.add(vscode.lm.registerTool(runTool, this.#tool(false)));
    this.#store.add(vscode.lm.registerTool(confirmTool, this.#tool(true)));
  }

  /** True once the person has let the row run. */
  hasStarted(id: string): boolean {
    return this.#rows.get(id)?.started ?? true;
  }

  /** Draws one row and resolves when it has ended. */
  async show(
    request: RowRequest,
    chat: vscode.ChatParticipantToolToken,
    token: vscode.CancellationToken,
  ): Promise<RowEnd> {
    const row: OpenRow = { ...request, started: false };
    this.#rows.set(request.id, row);
    try {
      await vscode.lm.invokeTool(
        request.card === undefined ? runTool : confirmTool,
        { input: { arguments: request.arguments, call: request.id }, toolInvocationToken: chat },
        token,
      );
    } catch (error) {
      // A failed call is shown as failed by throwing in `invoke`; its outcome is kept beside that.
      if (row.outcome === undefined && !isCancellation(error)) throw error;
      if (row.outcome === undefined) return { kind: 'stopped' };
    } finally {
      this.#rows.delete(request.id);
    }
    return row.outcome === undefined ? { kind: 'skipped' } : { kind: 'ran', outcome: row.outcome };
  }

  dispose(): void {
    this.#store.dispose();
    this.#rows.clear();
  }

  #tool(asks: boolean): vscode.LanguageModelTool<unknown> {
    return {
      prepareInvocation: ({ input }) => {
        const row = this.#open(input, asks);
        return { invocationMessage: row.label, ...(row.card && { confirmationMessages: row.card }) };
      },
      invoke: async ({ input }) => {
        const row = this.#open(input, asks);
        if (row.started) throw refusal();
        row.started = true;
        row.outcome = await row.run(argumentsOf(input) ?? { ...row.arguments });
        if (row.outcome.isError) throw new Error(textOf(row.outcome.parts));
        return new vscode.LanguageModelToolResult(row.outcome.parts.map(toResultPart));
      },
    };
  }

  #open(input: unknown, asks: boolean): OpenRow {
    const id = isRecord(input) ? input['call'] : undefined;
    const row = typeof id === 'string' ? this.#rows.get(id) : undefined;
    if (row === undefined || (row.card !== undefined) !== asks) throw refusal();
    return row;
  }
}

function refusal(): Error {
  return new Error(vscode.l10n.t('This tool only carries out calls that the chat participant @mcp has just prepared.'));
}

/** The arguments as the person left them in the card. */
function argumentsOf(input: unknown): JsonObject | undefined {
  const args = isRecord(input) ? input['arguments'] : undefined;
  return isRecord(args) ? args : undefined;
}

function toResultPart(part: ToolPart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  if (part.kind === 'image') return vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType);
  return new vscode.LanguageModelTextPart(shorten(part.text));
}

function textOf(parts: readonly ToolPart[]): string {
  return shorten(partsText(parts));
}

function shorten(text: string): string {
  return clip(
    text,
    shownCharacters,
    (count) => `\n${vscode.l10n.t('… {0} more characters, which the model gets too', count)}`,
  );
}

/** The editor rejects with an error of this name when the person presses Stop. */
export function isCancellation(error: unknown): boolean {
  return error instanceof Error && (error.name === 'Canceled' || error instanceof vscode.CancellationError);
}
