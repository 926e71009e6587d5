import type { ChatMessage, ModelPart } from '../model/chatModel.ts';
import type { Conversation } from './conversation.ts';
import { cutText, textOf } from './largeResult.ts';

/** What the model can take. */
export interface RenderOptions {
  readonly imageInput: boolean;
}

/**
 * The conversation as it is sent: without what is left out, with what is shortened. Depends on nothing else, so that the same conversation always
 * gives the same beginning. Neighbouring messages of the user are one, as strict endpoints demand.
 */
export function renderMessages(conversation: Conversation, options: RenderOptions): readonly ChatMessage[] {
  const rendered: ChatMessage[] = [];
  for (const [place, message] of conversation.messages.entries()) {
    if (conversation.leftOut.has(place)) continue;
    const next = render(message, conversation, options);
    const before = rendered.at(-1);
    if (next.role === 'user' && before?.role === 'user') {
      rendered[rendered.length - 1] = { role: 'user', content: [...before.content, ...next.content] };
    } else rendered.push(next);
  }
  return rendered;
}

function render(message: ChatMessage, conversation: Conversation, { imageInput }: RenderOptions): ChatMessage {
  if (message.role !== 'tool' && message.role !== 'user') return message;
  const limit = message.role === 'tool' ? conversation.shortened.get(message.callId) : undefined;
  const content =
    message.role === 'tool' && limit !== undefined
      ? shortened(message.callId, message.content, limit)
      : message.content;
  const seen = imageInput || content.every(({ kind }) => kind === 'text') ? content : content.map(withoutImage);
  // The same object, so that what was worked out for it holds at the next step.
  return seen === message.content ? message : { ...message, content: seen };
}

function shortened(callId: string, content: readonly ModelPart[], limit: number): readonly ModelPart[] {
  const text = textOf(content);
  if (limit > 0) return [{ kind: 'text', text: cutText(callId, text, limit) }];
  const images = content.filter(({ kind }) => kind === 'image').length;
  const what = images > 0 ? `${text.length} characters and ${images} image(s)` : `${text.length} characters`;
  const how = `read_result {"call_id":${JSON.stringify(callId)},"offset":0} shows the text again.`;
  return [{ kind: 'text', text: `[This result (${what}) is left out to make room. ${how}]` }];
}

/** A model that cannot see is told what there was. */
function withoutImage(part: ModelPart): ModelPart {
  if (part.kind === 'text') return part;
  const kilobytes = Math.max(1, Math.round((part.data.length * 3) / 4000));
  return { kind: 'text', text: `[Image, ${part.mimeType}, ${kilobytes} KB: this model cannot see images]` };
}
