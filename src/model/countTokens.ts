import type { ChatMessage, ModelPart, ModelTool } from './chatModel.ts';

/** Tokens that most models charge for an image of usual size. */
const imageTokens = 1000;

/** Tokens that the frame of a message costs: role, separators. */
const frameTokens = 4;

/**
 * Estimates the tokens of a text without a tokenizer: about four characters a token where the script is an alphabet,
 * about one a character where it is Chinese, Japanese or Korean, about two characters a token elsewhere (emoji, Thai, symbols).
 * Good to about a fifth for prose; JSON and code cost up to a third more than this says, so plan with a margin.
 */
export function countTokens(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index++) quarters += quarterTokens(text.charCodeAt(index));
  return Math.ceil(quarters / 4);
}

/** The quarters of a token that one UTF-16 unit costs. */
function quarterTokens(unit: number): number {
  if (unit < 0x590) return 1;
  if (unit >= 0x2e80 && unit < 0xa000) return 4;
  if (unit >= 0xac00 && unit < 0xd7b0) return 4;
  if (unit >= 0xf900 && unit < 0xfb00) return 4;
  return 2;
}

/** Estimates what one message costs in a request. */
export function countMessageTokens(message: ChatMessage): number {
  switch (message.role) {
    case 'system':
      return frameTokens + countTokens(message.text);
    case 'assistant':
      return (
        frameTokens +
        countTokens(message.text) +
        sum(
          message.toolCalls.map(
            (call) => frameTokens + countTokens(call.name) + countTokens(JSON.stringify(call.arguments)),
          ),
        )
      );
    case 'user':
    case 'tool':
      return frameTokens + sum(message.content.map(countPartTokens));
  }
}

/** Estimates what offering one tool costs in a request. */
export function countToolTokens(tool: ModelTool): number {
  return (
    frameTokens + countTokens(tool.name) + countTokens(tool.description) + countTokens(JSON.stringify(tool.inputSchema))
  );
}

function countPartTokens(part: ModelPart): number {
  return part.kind === 'text' ? countTokens(part.text) : imageTokens;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
