import type { SamplingRequest } from '../answerSampling.ts';
import type { ChatMessage, ModelPart } from '../model/chatModel.ts';
import { partsText } from '../model/partsText.ts';

/** What a server wants to ask of a model as a document, and back. Pure. */

/** Lines that part the texts of a request in the document; they are found again when it is read back. */
const mark = (name: string): string => `──────── ${name} ────────`;
const markPattern = /^──────── (.+) ────────$/;

/** A request as a document that a person can edit. */
export function requestText({ systemPrompt, messages }: SamplingRequest): string {
  const parts = systemPrompt === undefined ? [] : [`${mark('system')}\n${systemPrompt}`];
  return [...parts, ...messages.map((message) => `${mark(message.role)}\n${textOf(message)}`)].join('\n\n');
}

/** The request with the texts of the document. Images stay with their message; where the marks were removed, all is one message. */
export function readBack(text: string, request: SamplingRequest): SamplingRequest {
  if (text === requestText(request).trim()) return request;
  const parts: { readonly role: string; readonly lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const role = markPattern.exec(line)?.[1];
    if (role !== undefined || parts.length === 0)
      parts.push({ role: role ?? 'user', lines: role === undefined ? [line] : [] });
    else parts.at(-1)?.lines.push(line);
  }
  const textIn = (lines: readonly string[]): string => lines.join('\n').trim();
  const system = parts.find(({ role }) => role === 'system');
  const said = parts.filter(({ role }) => role !== 'system');
  const { systemPrompt: _before, ...others } = request;
  return {
    ...others,
    ...(system && textIn(system.lines) !== '' && { systemPrompt: textIn(system.lines) }),
    messages: said.map(({ role, lines }, place) => editedMessage(role, textIn(lines), request.messages[place])),
  };
}

function editedMessage(role: string, text: string, before: ChatMessage | undefined): ChatMessage {
  if (role === 'assistant') return { role, text, toolCalls: [] };
  const content = before?.role === 'user' ? before.content : [];
  const images = content.filter((part: ModelPart) => part.kind === 'image');
  return { role: 'user', content: [{ kind: 'text', text }, ...images] };
}

/** The words of a message; an image stands as its type. */
export function textOf(message: ChatMessage): string {
  if (message.role === 'system' || message.role === 'assistant') return message.text;
  return partsText(message.content);
}
