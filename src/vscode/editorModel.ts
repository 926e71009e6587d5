import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import type { ChatModel, ChatRequest, ModelEvent } from '../model/chatModel.ts';
import { ModelError, type ModelErrorCode } from '../model/modelError.ts';
import { toEditorMessages } from './modelMessages.ts';

/** A model that another extension provides (Copilot and others), as a `ChatModel`. */
export function editorModel(model: vscode.LanguageModelChat): ChatModel {
  return {
    id: `${model.vendor}/${model.id}`,
    label: model.name,
    maxInputTokens: model.maxInputTokens,
    imageInput: acceptsImages(model),
    stream: (request) => streamOf(model, request),
  };
}

/** The stable interface does not say whether a model reads images; where the object tells nevertheless, we listen. */
function acceptsImages(model: vscode.LanguageModelChat): boolean {
  const value: unknown = model;
  const capabilities = isRecord(value) ? value['capabilities'] : undefined;
  if (!isRecord(capabilities)) return false;
  return capabilities['supportsImageToText'] === true || capabilities['imageInput'] === true;
}

async function* streamOf(model: vscode.LanguageModelChat, request: ChatRequest): AsyncIterable<ModelEvent> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  request.signal.addEventListener('abort', cancel, { once: true });
  if (request.signal.aborted) cancel();
  try {
    const response = await model.sendRequest(
      toEditorMessages(request.messages, acceptsImages(model)),
      {
        justification: vscode.l10n.t('The answer to your message to @mcp comes from this model.'),
        ...(request.wishes && { modelOptions: optionsOf(request.wishes) }),
        ...(request.tools.length > 0 && { tools: request.tools.map((tool) => ({ ...tool })) }),
      },
      source.token,
    );
    yield* eventsOf(response.stream);
  } catch (error) {
    throw toModelError(error, model, request.signal);
  } finally {
    request.signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** As most providers name them; each decides what it makes of them. */
function optionsOf({ maxTokens, temperature, stopSequences }: NonNullable<ChatRequest['wishes']>): JsonObject {
  return {
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences !== undefined && stopSequences.length > 0 && { stop: [...stopSequences] }),
  };
}

/** Unknown parts are skipped. A stream of the editor's ends only when it is complete. */
async function* eventsOf(stream: AsyncIterable<unknown>): AsyncIterable<ModelEvent> {
  let calls = 0;
  for await (const part of stream) {
    if (part instanceof vscode.LanguageModelTextPart) yield { kind: 'text-delta', text: part.value };
    else if (part instanceof vscode.LanguageModelToolCallPart) {
      calls += 1;
      yield callEvent(part);
    }
  }
  yield { kind: 'finish', reason: calls > 0 ? 'tool-calls' : 'stop' };
}

function callEvent(part: vscode.LanguageModelToolCallPart): ModelEvent {
  const { callId: id, name } = part;
  const input: unknown = part.input;
  if (isRecord(input)) return { kind: 'tool-call', id, name, arguments: input };
  const text = JSON.stringify(input) ?? '';
  return { kind: 'invalid-tool-call', id, name, text, reason: 'The arguments must be a JSON object.' };
}

function toModelError(error: unknown, model: vscode.LanguageModelChat, signal: AbortSignal): ModelError {
  const name = `${model.name} (${model.vendor})`;
  const cause = error;
  if (signal.aborted)
    return new ModelError('cancelled', vscode.l10n.t('The request to {0} was stopped.', name), { cause });
  const { code, text } = explain(error, name);
  return new ModelError(code, text, { cause });
}

function explain(error: unknown, name: string): { code: ModelErrorCode; text: string } {
  const code = error instanceof vscode.LanguageModelError ? error.code : 'Unknown';
  const message = messageOf(error);
  switch (code) {
    case 'NoPermissions':
      return {
        code: 'unauthorized',
        text: vscode.l10n.t(
          'MCP Agent may not use {0} yet: send the message again and choose Allow. ({1})',
          name,
          message,
        ),
      };
    case 'Blocked':
      return {
        code: 'rate-limit',
        text: vscode.l10n.t(
          '{0} refuses further requests for now (quota or content filter): wait, or pick another model. ({1})',
          name,
          message,
        ),
      };
    case 'NotFound':
      return {
        code: 'not-found',
        text: vscode.l10n.t('{0} is not there any more: pick another model. ({1})', name, message),
      };
    default:
      return { code: 'server', text: vscode.l10n.t('{0} did not answer: {1}', name, deepest(error)) };
  }
}

/** The innermost message: the editor wraps what a provider threw. */
function deepest(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error && current.cause instanceof Error; depth += 1)
    current = current.cause;
  return messageOf(current);
}
