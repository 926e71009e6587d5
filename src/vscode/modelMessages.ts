import * as vscode from 'vscode';

import { isRecord, type JsonObject } from '../base/json.ts';
import type { ChatMessage, ModelPart, ModelTool, ModelToolCall } from '../model/chatModel.ts';

/** Our messages ↔ the editor's. The editor has no system role: system text travels as the first user message. */

/** What we send to a model of the editor. Images go along only where `images` is true; elsewhere a line says that there was one. */
export function toEditorMessages(messages: readonly ChatMessage[], images: boolean): vscode.LanguageModelChatMessage[] {
  return messages.map((message) => toEditorMessage(message, images));
}

function toEditorMessage(message: ChatMessage, images: boolean): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case 'system':
      return vscode.LanguageModelChatMessage.User(message.text);
    case 'user':
      return vscode.LanguageModelChatMessage.User(message.content.map((part) => toEditorPart(part, images)));
    case 'assistant':
      return vscode.LanguageModelChatMessage.Assistant([
        ...(message.text === '' ? [] : [new vscode.LanguageModelTextPart(message.text)]),
        ...message.toolCalls.map((call) => new vscode.LanguageModelToolCallPart(call.id, call.name, call.arguments)),
      ]);
    case 'tool':
      return vscode.LanguageModelChatMessage.User([
        new vscode.LanguageModelToolResultPart(
          message.callId,
          message.content.map((part) => toEditorPart(part, images)),
        ),
      ]);
  }
}

function toEditorPart(part: ModelPart, images: boolean): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  if (part.kind === 'text') return new vscode.LanguageModelTextPart(part.text);
  if (!images) return new vscode.LanguageModelTextPart(`[image ${part.mimeType}, which this model cannot read]`);
  return vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType);
}

/** What a chat participant of anyone asks one of our models. Parts that we do not know are left out. */
export function fromEditorMessages(messages: readonly vscode.LanguageModelChatRequestMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.flatMap((message) =>
    message.role === vscode.LanguageModelChatMessageRole.Assistant
      ? [fromAssistant(message, names)]
      : fromUser(message, names),
  );
}

function fromAssistant(message: vscode.LanguageModelChatRequestMessage, names: Map<string, string>): ChatMessage {
  const toolCalls: ModelToolCall[] = [];
  let text = '';
  for (const part of message.content) {
    if (part instanceof vscode.LanguageModelTextPart) text += part.value;
    else if (part instanceof vscode.LanguageModelToolCallPart) {
      names.set(part.callId, part.name);
      toolCalls.push({ id: part.callId, name: part.name, arguments: asObject(part.input) });
    }
  }
  return { role: 'assistant', text, toolCalls };
}

/** Results come first: an endpoint wants them right after the calls that they answer. */
function fromUser(message: vscode.LanguageModelChatRequestMessage, names: Map<string, string>): ChatMessage[] {
  const results: ChatMessage[] = [];
  const content: ModelPart[] = [];
  for (const part of message.content) {
    if (part instanceof vscode.LanguageModelToolResultPart) {
      results.push({
        role: 'tool',
        callId: part.callId,
        name: names.get(part.callId) ?? '',
        content: toModelParts(part.content),
        isError: false,
      });
    } else content.push(...toModelParts([part]));
  }
  return content.length === 0 ? results : [...results, { role: 'user', content }];
}

function toModelParts(parts: readonly unknown[]): ModelPart[] {
  return parts.flatMap((part): ModelPart[] => {
    if (part instanceof vscode.LanguageModelTextPart) return [{ kind: 'text', text: part.value }];
    if (part instanceof vscode.LanguageModelDataPart) return fromData(part);
    if (part instanceof vscode.LanguageModelPromptTsxPart) return [{ kind: 'text', text: JSON.stringify(part.value) }];
    return [];
  });
}

function fromData(part: vscode.LanguageModelDataPart): ModelPart[] {
  if (part.mimeType.startsWith('image/')) {
    return [{ kind: 'image', mimeType: part.mimeType, data: Buffer.from(part.data).toString('base64') }];
  }
  const isText = part.mimeType.startsWith('text/') || part.mimeType.includes('json');
  return isText ? [{ kind: 'text', text: new TextDecoder().decode(part.data) }] : [];
}

/** Tools as the editor passes them. */
export function fromEditorTools(tools: readonly vscode.LanguageModelChatTool[]): ModelTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: isRecord(tool.inputSchema) ? tool.inputSchema : { type: 'object', properties: {} },
  }));
}

function asObject(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}
