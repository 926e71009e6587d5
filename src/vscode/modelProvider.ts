import * as vscode from 'vscode';

import type { Disposable } from '../base/disposables.ts';
import type { ChatModel } from '../model/chatModel.ts';
import { ModelError } from '../model/modelError.ts';
import { toAbortSignal } from './cancellation.ts';
import type { EndpointModels, OurModel } from './endpointModels.ts';

/** The vendor of our models, as the manifest names it. */
export const vendor = 'mcp-agent';

/** The id of the built-in planner among our models. */
export const plannerId = 'planner';

/**
 * Offers our models to the whole editor: the planner, which is always there, and those of the endpoints.
 * The chat participant takes the `ChatModel` behind them directly; this way round is for other participants.
 */
export class ModelProvider implements vscode.LanguageModelChatProvider, Disposable {
  readonly #openPlanner: () => Promise<ChatModel>;
  readonly #endpoints: EndpointModels;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: Disposable;
  readonly onDidChangeLanguageModelChatInformation = this.#changed.event;

  constructor(openPlanner: () => Promise<ChatModel>, endpoints: EndpointModels) {
    this.#openPlanner = openPlanner;
    this.#endpoints = endpoints;
    this.#subscription = endpoints.onDidChange(() => this.#changed.fire());
  }

  /** Answers at once from what is known; without `silent` the person has asked, so the endpoints are asked as well. */
  async provideLanguageModelChatInformation(
    options: vscode.PrepareLanguageModelChatModelOptions,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelChatInformation[]> {
    if (!options.silent) await withSignal(token, (signal) => this.#endpoints.refresh(signal));
    return [plannerInformation(), ...this.#endpoints.models().map(information)];
  }

  async provideLanguageModelChatResponse(
    model: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { fromEditorMessages, fromEditorTools } = await import('./modelMessages.ts');
    const chatModel = await this.chatModel(model.id);
    const tools = fromEditorTools(options.tools ?? []);
    await withSignal(token, async (signal) => {
      for await (const event of chatModel.stream({ messages: fromEditorMessages(messages), tools, signal })) {
        if (event.kind === 'text-delta') progress.report(new vscode.LanguageModelTextPart(event.text));
        else if (event.kind === 'tool-call') {
          progress.report(new vscode.LanguageModelToolCallPart(event.id, event.name, event.arguments));
        }
      }
    });
  }

  /** An estimate: about four characters a token, about one where the script is Chinese, Japanese or Korean. */
  async provideTokenCount(
    _model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    const { fromEditorMessages } = await import('./modelMessages.ts');
    const whole = typeof text === 'string' ? text : JSON.stringify(fromEditorMessages([text]));
    const wide = whole.match(/[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]/gu)?.length ?? 0;
    return wide + Math.ceil((whole.length - wide) / 4);
  }

  /** The model behind one of our ids. Throws `ModelError` where it is not there any more. */
  async chatModel(id: string): Promise<ChatModel> {
    if (id === plannerId) return this.#openPlanner();
    const model = await this.#endpoints.chatModel(id);
    if (model === undefined) {
      throw new ModelError(
        'not-found',
        vscode.l10n.t('The model {0} is not there any more: pick another one below the chat input.', id),
      );
    }
    return model;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

/** The planner has no window: the figures keep callers from cutting their requests. */
function plannerInformation(): vscode.LanguageModelChatInformation {
  return {
    id: plannerId,
    name: vscode.l10n.t('Planner (built-in, no model)'),
    family: 'planner',
    version: '1',
    tooltip: vscode.l10n.t(
      'Rules that choose tools by the words of your request. No network, no account, and no language model: it cannot reason or chat.',
    ),
    maxInputTokens: 1_000_000,
    maxOutputTokens: 16_384,
    capabilities: { toolCalling: true, imageInput: false },
  };
}

function information(model: OurModel): vscode.LanguageModelChatInformation {
  return {
    id: model.id,
    name: model.label,
    family: model.model,
    version: '1',
    detail: model.endpoint.name,
    tooltip: vscode.l10n.t('{0} at {1}', model.model, model.endpoint.url),
    maxInputTokens: model.maxInputTokens,
    maxOutputTokens: model.maxOutputTokens,
    capabilities: { toolCalling: true, imageInput: model.imageInput },
  };
}

async function withSignal<T>(token: vscode.CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const link = toAbortSignal(token);
  try {
    return await work(link.signal);
  } finally {
    link.dispose();
  }
}
