import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { Tap } from '../base/tap.ts';
import type { ChatModel } from '../model/chatModel.ts';
import { setApiKey } from './apiKeys.ts';
import { EndpointKeys } from './endpointKeys.ts';
import { EndpointModels, type OurModel } from './endpointModels.ts';
import { parseEndpoints, type ConfiguredModel, type Endpoint, type EndpointWords } from './endpointSettings.ts';
import { ModelProvider, vendor } from './modelProvider.ts';
import { oneLine } from './plainText.ts';

/** How long an endpoint may take to list its models, in milliseconds. */
const listLimitMs = 2000;

/** What the models are made with. */
export interface ModelsOptions {
  readonly context: vscode.ExtensionContext;
  readonly tap: Tap;
  readonly onSecret: (value: string) => void;
  readonly log: (level: 'debug' | 'warning', text: string) => void;
}

/** The models of this window: ours, registered with the editor, and whichever the person picks. */
export class Models implements Disposable {
  readonly #options: ModelsOptions;
  readonly #keys: EndpointKeys;
  readonly #endpointModels: EndpointModels;
  readonly #provider: ModelProvider;
  readonly #store = new DisposableStore();
  #endpoints: readonly Endpoint[] | undefined;

  constructor(options: ModelsOptions) {
    this.#options = options;
    this.#keys = new EndpointKeys(options.context.secrets);
    this.#endpointModels = new EndpointModels({
      endpoints: () => this.endpoints(),
      list: (endpoint, signal) => this.#list(endpoint, signal),
      open: (model) => this.#open(model),
      cache: options.context.globalState,
      onFailure: (endpoint, error) => options.log('debug', `${endpoint.name}: ${String(error)}`),
    });
    this.#provider = this.#store.add(new ModelProvider(openPlanner, this.#endpointModels));
    this.#store.add(vscode.lm.registerLanguageModelChatProvider(vendor, this.#provider));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('mcpAgent.endpoints')) this.#reset();
      }),
    );
    this.#store.add(
      options.context.secrets.onDidChange(({ key }) => {
        if (this.endpoints().some((endpoint) => EndpointKeys.concerns(key, endpoint))) this.#reset();
      }),
    );
  }

  /** Without this the first message of a window finds "no language model". Costs no network. */
  async announce(): Promise<void> {
    await vscode.lm.selectChatModels({ vendor });
  }

  /** The model that the person picked: ours directly, for better errors and the wire; others through the editor. */
  async modelOf(picked: vscode.LanguageModelChat): Promise<ChatModel> {
    void this.#endpointModels.refresh(new AbortController().signal);
    if (picked.vendor === vendor) return this.#provider.chatModel(picked.id);
    const { editorModel } = await import('./editorModel.ts');
    return editorModel(picked);
  }

  async setApiKey(): Promise<void> {
    if (await setApiKey(this.endpoints(), this.#keys)) await this.refresh();
  }

  /** Asks every endpoint anew for its models, and says what came of it. */
  async refresh(): Promise<void> {
    this.#endpointModels.reset();
    await this.#endpointModels.refresh(new AbortController().signal);
    const lines = this.endpoints().map((endpoint) => {
      const count = this.#endpointModels.models().filter((model) => model.endpoint.name === endpoint.name).length;
      const failure = this.#endpointModels.failureOf(endpoint);
      const name = oneLine(endpoint.name, 60);
      if (failure !== undefined) return vscode.l10n.t('{0}: {1}', name, oneLine(failure.message, 300));
      return count === 1 ? vscode.l10n.t('{0}: 1 model', name) : vscode.l10n.t('{0}: {1} models', name, count);
    });
    const none = vscode.l10n.t('No model endpoint is configured (setting "mcpAgent.endpoints").');
    await vscode.window.showInformationMessage(lines.length === 0 ? none : lines.join(' · '));
  }

  endpoints(): readonly Endpoint[] {
    this.#endpoints ??= this.#read();
    return this.#endpoints;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #reset(): void {
    this.#endpoints = undefined;
    this.#endpointModels.reset();
  }

  #read(): readonly Endpoint[] {
    const value: unknown = vscode.workspace.getConfiguration('mcpAgent').get('endpoints');
    const { endpoints, problems } = parseEndpoints(value, words());
    for (const { path, message } of problems) this.#options.log('warning', `${path}: ${message}`);
    return endpoints;
  }

  async #list(endpoint: Endpoint, signal: AbortSignal): Promise<readonly ConfiguredModel[]> {
    const { name, url, headers } = endpoint;
    const { listModels } = await import('../model/openai/listModels.ts');
    return listModels({
      name,
      url,
      headers,
      apiKey: await this.#key(endpoint),
      signal,
      tap: this.#options.tap,
      timeoutMs: listLimitMs,
    });
  }

  async #open({ endpoint, ...model }: OurModel): Promise<ChatModel> {
    const { openaiModel } = await import('../model/openai/openaiModel.ts');
    return openaiModel({
      name: endpoint.name,
      url: endpoint.url,
      headers: endpoint.headers,
      id: model.model,
      label: model.label,
      apiKey: await this.#key(endpoint),
      maxInputTokens: model.maxInputTokens,
      imageInput: model.imageInput,
      tap: this.#options.tap,
    });
  }

  async #key(endpoint: Endpoint): Promise<string | undefined> {
    const key = await this.#keys.get(endpoint);
    if (key !== undefined) this.#options.onSecret(key);
    return key;
  }
}

/** Read when it is first used. */
async function openPlanner(): Promise<ChatModel> {
  const { plannerModel } = await import('../model/planner/plannerModel.ts');
  return plannerModel();
}

function words(): EndpointWords {
  return {
    noList: vscode.l10n.t('It must be a list of endpoints.'),
    noObject: vscode.l10n.t('An endpoint must be an object with "name" and "url".'),
    noName: vscode.l10n.t('The endpoint needs a name.'),
    noUrl: vscode.l10n.t('The endpoint needs a URL that begins with http:// or https://.'),
    secondName: (name) => vscode.l10n.t('There is another endpoint named {0}; the first one is used.', name),
    noModel: vscode.l10n.t('A model must be its id, or an object with "id".'),
  };
}
