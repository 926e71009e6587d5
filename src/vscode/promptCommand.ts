import * as vscode from 'vscode';

import { getPrompt, listPrompts, offersPrompts } from '../mcp/offers.ts';
import type { Prompt } from '../mcp/offerTypes.ts';
import type { ChatMessage, ModelPart } from '../model/chatModel.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import { readBlock } from '../tools/contentBlock.ts';
import { agentTurn, untilServersAreUsable, type AgentTurnOptions, type TurnInput } from './agentTurn.ts';
import { askArguments } from './askArguments.ts';
import { toAbortSignal } from './cancellation.ts';
import { gather } from './gatherOffers.ts';
import type { Turn } from './participant.ts';
import { inlineCode, oneLine, plain } from './plainText.ts';
import { askPick, label } from './quickInputs.ts';
import { splitWords } from './splitWords.ts';

/** A prompt and the server that has it. */
interface OfferedPrompt {
  readonly server: ServerConnection;
  readonly prompt: Prompt;
}

/**
 * `/prompt name argument=value …`: fills in a prompt of a server and takes its messages as what the person says. Without a
 * name the prompts are listed; arguments that are missing are asked for, with the server's proposals.
 */
export async function promptTurn(turn: Turn, options: AgentTurnOptions): Promise<vscode.ChatResult> {
  const link = toAbortSignal(turn.token);
  const { signal } = link;
  try {
    await untilServersAreUsable(options.servers, turn.stream, signal);
    const prompts = await gather({ ...options, stream: turn.stream }, offersPrompts, async (client, server) =>
      (await listPrompts(client, { signal })).map((prompt) => ({ server, prompt })),
    );
    const [name = ''] = turn.prompt.split(/\s+/);
    if (name === '') return printPrompts(turn, prompts);
    const found = await choose(prompts, name, signal);
    if (found === 'dismissed') return {};
    if (found === undefined) return printPrompts(turn, prompts, name);
    const args = await argumentsFor(found, turn.prompt.slice(name.length), signal);
    if (args === undefined) return {};
    return agentTurn(turn, options, await inputOf(found, args, turn, signal));
  } finally {
    link.dispose();
  }
}

/** `name`, or `server/name` where several servers have one of that name; else the person is asked which. */
async function choose(
  prompts: readonly OfferedPrompt[],
  name: string,
  signal: AbortSignal,
): Promise<OfferedPrompt | 'dismissed' | undefined> {
  const found = prompts.filter(
    ({ prompt, server }) => prompt.name === name || `${server.spec.name}/${prompt.name}` === name,
  );
  if (found.length < 2) return found[0];
  const items = found.map((offered) => ({
    label: label(offered.server.spec.name, 60),
    description: label(offered.prompt.title ?? offered.prompt.name, 80),
    offered,
  }));
  const title = vscode.l10n.t('Several servers have the prompt {0}', oneLine(name, 60));
  const answer = await askPick(items, { title }, { signal });
  return answer.kind === 'value' ? answer.value[0]?.offered : 'dismissed';
}

/** Typed arguments by name or in their order; missing ones are asked for, optional ones only where nothing was typed. */
function argumentsFor(
  { server, prompt }: OfferedPrompt,
  typed: string,
  signal: AbortSignal,
): Promise<Record<string, string> | undefined> {
  const values = typedArguments(prompt, typed);
  const hasTyped = typed !== '';
  const asked = prompt.arguments.filter(({ name, required }) => !(name in values) && (required || !hasTyped));
  const title = `${oneLine(prompt.title ?? prompt.name, 60)} — ${oneLine(server.spec.name, 60)}`;
  return askArguments({
    server,
    reference: { type: 'ref/prompt', name: prompt.name },
    asked: asked.map((argument) => ({
      name: argument.name,
      title,
      placeholder: `${oneLine(argument.title ?? argument.name, 80)}${argument.required ? ' *' : ''}`,
      ...(argument.description !== undefined && { prompt: oneLine(argument.description, 400) }),
      isRequired: argument.required,
    })),
    values,
    signal,
  });
}

function typedArguments(prompt: Prompt, typed: string): Record<string, string> {
  const { plain: words, named } = splitWords(typed, new Set(prompt.arguments.map(({ name }) => name)));
  const values: Record<string, string> = { ...named };
  const open = prompt.arguments.filter(({ name }) => !(name in named));
  for (const [place, { name }] of open.entries()) {
    // The last argument takes all that is left.
    const text = place === open.length - 1 ? words.slice(place).join(' ') : words[place];
    if (text !== undefined && text !== '') values[name] = text;
  }
  return values;
}

/** The prompt's messages: the last ones of the user are what is said now, those before them stand before. */
async function inputOf(
  { server, prompt }: OfferedPrompt,
  args: Readonly<Record<string, string>>,
  turn: Turn,
  signal: AbortSignal,
): Promise<TurnInput> {
  const { messages } = await server.use(signal, (client) => getPrompt(client, prompt.name, args, { signal }));
  turn.stream.markdown(
    new vscode.MarkdownString(
      `${vscode.l10n.t('Prompt {0} of {1}', inlineCode(prompt.name, 80), inlineCode(server.spec.name, 60))}\n\n`,
    ),
  );
  const last = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const before = messages.slice(0, last).map(({ role, content }): ChatMessage => {
    const parts: readonly ModelPart[] = readBlock(content);
    if (role === 'user') return { role, content: parts };
    return { role, text: parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n'), toolCalls: [] };
  });
  const said = messages.slice(last).flatMap(({ content }): readonly ModelPart[] => readBlock(content));
  return { before, prompt: said };
}

function printPrompts(turn: Turn, prompts: readonly OfferedPrompt[], missing?: string): vscode.ChatResult {
  const text = new vscode.MarkdownString('', true);
  if (missing !== undefined) {
    text.appendMarkdown(`$(warning) ${vscode.l10n.t('No server has a prompt {0}.', inlineCode(missing, 80))}\n\n`);
  }
  if (prompts.length === 0) text.appendMarkdown(vscode.l10n.t('No server that is ready has prompts.'));
  else text.appendMarkdown(vscode.l10n.t('Use a prompt with `/prompt name`, arguments as `name=value`:'));
  let server: ServerConnection | undefined;
  for (const offered of prompts) {
    if (offered.server !== server) text.appendMarkdown(`\n\n**${plain(offered.server.spec.name, 80)}**\n\n`);
    ({ server } = offered);
    text.appendMarkdown(`- ${promptLine(offered.prompt)}\n`);
  }
  turn.stream.markdown(text);
  return {};
}

function promptLine(prompt: Prompt): string {
  const args = prompt.arguments.map(({ name, required }) => inlineCode(required ? name : `[${name}]`, 60)).join(' ');
  const words = prompt.description ?? prompt.title ?? '';
  return `${inlineCode(prompt.name, 80)}${args === '' ? '' : ` ${args}`}${words === '' ? '' : ` — ${plain(words, 160)}`}`;
}
