import * as vscode from 'vscode';

import type { Disposable } from '../base/disposables.ts';
import { isRecord } from '../base/json.ts';
import { RateLimit } from '../base/rateLimit.ts';
import type { ConnectOptions } from '../mcp/connect.ts';
import { RpcError } from '../mcp/errors.ts';
import type { ServerConfig } from '../mcp/serverConfig.ts';
import type { ChatModel } from '../model/chatModel.ts';
import type { ApprovalStore } from './approvalStore.ts';
import type { Asking } from './asking.ts';
import { listRoots } from './roots.ts';

/** So many questions of one server within a minute; one that asks more is refused without a dialog. */
const mostAMinute = 20;

/** Who allows what servers ask, and which model answers them. */
export interface ServerQuestionsOptions {
  readonly approvals: ApprovalStore;
  readonly modelOf: (model: vscode.LanguageModelChat) => Promise<ChatModel>;
}

type Handlers = NonNullable<ConnectOptions['handlers']>;

/**
 * Answers what servers ask of this side: folders, an answer of the model, input of the person. Questions to the person come
 * one after the other, whichever server asks; the dialogs are read when the first one is needed.
 */
export class ServerQuestions implements Disposable {
  readonly #options: ServerQuestionsOptions;
  readonly #limit = new RateLimit(mostAMinute, 60_000);
  readonly #completed = new vscode.EventEmitter<string>();
  #last: Promise<unknown> = Promise.resolve();
  /** The model that the person picked last in the chat. */
  #picked: vscode.LanguageModelChat | undefined;

  /** A server says that the person is through with a page, named by the id of the question. */
  readonly onDidComplete: vscode.Event<string> = this.#completed.event;

  constructor(options: ServerQuestionsOptions) {
    this.#options = options;
  }

  /** The model for a turn of the chat; what servers ask is put to the same one. */
  modelOf(picked: vscode.LanguageModelChat): Promise<ChatModel> {
    this.#picked = picked;
    return this.#options.modelOf(picked);
  }

  /** What `connect` needs to have the questions of this server answered. */
  forServer(config: ServerConfig): Required<Pick<ConnectOptions, 'handlers' | 'capabilities'>> {
    const handlers: Handlers = {
      'roots/list': listRoots,
      'sampling/createMessage': (params, signal) => this.#sample(params, asking(config, signal)),
      'elicitation/create': (params, signal) => this.#elicit(params, asking(config, signal)),
    };
    return { handlers, capabilities: { sampling: {}, elicitation: { form: {}, url: {} } } };
  }

  /** `notifications/elicitation/complete`. */
  complete(params: unknown): void {
    const id = isRecord(params) ? params['elicitationId'] : undefined;
    if (typeof id === 'string') this.#completed.fire(id);
  }

  dispose(): void {
    this.#completed.dispose();
  }

  async #sample(params: unknown, asked: Asking): Promise<unknown> {
    const { readSamplingRequest } = await import('../answerSampling.ts');
    const request = readSamplingRequest(params);
    this.#count(asked);
    const { sample } = await import('./sampling.ts');
    const { approvals, modelOf } = this.#options;
    const turn = <T>(work: () => Promise<T>): Promise<T> => this.#inTurn(work, asked.signal);
    return await sample(request, asked, { approvals, modelOf, picked: this.#picked, turn });
  }

  async #elicit(params: unknown, asked: Asking): Promise<unknown> {
    const { readElicitation, askElicitation } = await import('./elicitation.ts');
    const elicitation = readElicitation(params);
    this.#count(asked);
    return await this.#inTurn(() => askElicitation(elicitation, asked, this.onDidComplete), asked.signal);
  }

  #count({ key, server }: Asking): void {
    if (!this.#limit.take(key)) {
      throw new RpcError(
        -32000,
        `${server} asks too often: at most ${mostAMinute} questions a minute are put to a person`,
      );
    }
  }

  /** One dialog at a time; one that nobody waits for any more is not shown. */
  #inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const result = this.#last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Another command or address under the same name is another server. */
function asking(config: ServerConfig, signal: AbortSignal): Asking {
  const target = config.kind === 'stdio' ? [config.command, ...(config.args ?? []), config.cwd ?? ''] : [config.url];
  return { server: config.name, key: JSON.stringify(['sampling', config.name, ...target]), signal };
}
