import * as vscode from 'vscode';

import {
  isResourceNotFound,
  listResources,
  listResourceTemplates,
  offersResources,
  readResource,
} from '../mcp/offers.ts';
import type { Resource, ResourceTemplate } from '../mcp/offerTypes.ts';
import type { ChatMessage, ModelPart } from '../model/chatModel.ts';
import { partsText } from '../model/partsText.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import { readBlock } from '../tools/contentBlock.ts';
import { expandTemplate, matchesTemplate, templateVariables } from '../tools/uriTemplate.ts';
import { agentTurn, untilServersAreUsable, type AgentTurnOptions } from './agentTurn.ts';
import { askArguments } from './askArguments.ts';
import { toAbortSignal } from './cancellation.ts';
import { readPast, turnMetadata } from './chatHistory.ts';
import { gather } from './gatherOffers.ts';
import type { Turn } from './participant.ts';
import { clip, fence, inlineCode, oneLine, plain, showInvisible } from './plainText.ts';
import { askPick, label } from './quickInputs.ts';

/** Characters of a resource that the chat shows; the model gets all of it. */
const shownCharacters = 1500;

/** Something to read, or a family of such, and the server that has it. */
type Offered = { readonly server: ServerConnection } & (
  | { readonly kind: 'resource'; readonly resource: Resource }
  | { readonly kind: 'template'; readonly template: ResourceTemplate }
);

interface Address {
  readonly server: ServerConnection;
  readonly uri: string;
}

/**
 * `/resource uri words`: adds a resource of a server to the conversation; with words besides, the model gets to work at once.
 * Without an address the person chooses from a list; the places of a template are asked for, with the server's proposals.
 */
export async function resourceTurn(turn: Turn, options: AgentTurnOptions): Promise<vscode.ChatResult> {
  const link = toAbortSignal(turn.token);
  const { signal } = link;
  try {
    await untilServersAreUsable(options.servers, turn.stream, signal);
    const offered = await gather({ ...options, stream: turn.stream }, offersResources, (client, server) =>
      offersOf(client, server, signal),
    );
    const [first = ''] = turn.prompt.split(/\s+/);
    const hasAddress = /^[a-z][a-z0-9+.-]*:/i.test(first);
    const words = (hasAddress ? turn.prompt.slice(first.length) : turn.prompt).trim();
    const address = hasAddress ? await serverFor(first, offered, options, signal) : await pick(offered, signal);
    if (address === undefined) return offered.length === 0 || hasAddress ? sayNone(turn) : {};
    const parts = await contentOf(address, turn, signal);
    if (parts === undefined) return {};
    if (words === '') return attach(turn, address, parts);
    return agentTurn(turn, options, { before: messagesFor(address, parts), prompt: [{ kind: 'text', text: words }] });
  } finally {
    link.dispose();
  }
}

async function offersOf(
  client: Parameters<typeof listResources>[0],
  server: ServerConnection,
  signal: AbortSignal,
): Promise<readonly Offered[]> {
  const [resources, templates] = await Promise.all([
    listResources(client, { signal }),
    listResourceTemplates(client, { signal }),
  ]);
  return [
    ...templates.map((template) => ({ kind: 'template', server, template }) as const),
    ...resources.map((resource) => ({ kind: 'resource', server, resource }) as const),
  ];
}

/** The server that lists an address or a template of it; the only one with resources; else the person is asked. */
async function serverFor(
  uri: string,
  offered: readonly Offered[],
  { servers }: AgentTurnOptions,
  signal: AbortSignal,
): Promise<Address | undefined> {
  const knows = (entry: Offered): boolean =>
    entry.kind === 'resource' ? entry.resource.uri === uri : matchesTemplate(entry.template.uriTemplate, uri);
  const able = servers.connections().filter(({ state }) => state.kind === 'ready' && offersResources(state.client));
  const holders = new Set(offered.filter(knows).map(({ server }) => server));
  const candidates = holders.size > 0 ? [...holders] : able;
  if (candidates.length < 2) return candidates[0] && { server: candidates[0], uri };
  const items = candidates.map((server) => ({ label: label(server.spec.name, 60), server }));
  const title = vscode.l10n.t('Read {0} from which server?', oneLine(uri, 80));
  const answer = await askPick(items, { title }, { signal });
  const server = answer.kind === 'value' ? answer.value[0]?.server : undefined;
  return server && { server, uri };
}

async function pick(offered: readonly Offered[], signal: AbortSignal): Promise<Address | undefined> {
  if (offered.length === 0) return undefined;
  const items = withSeparators(offered);
  const text = {
    title: vscode.l10n.t('Add a resource to the conversation'),
    placeholder: vscode.l10n.t('Search by name, address or description'),
  };
  const answer = await askPick(items, text, { signal });
  const chosen = answer.kind === 'value' ? answer.value[0]?.offered : undefined;
  if (chosen === undefined) return undefined;
  if (chosen.kind === 'resource') return { server: chosen.server, uri: chosen.resource.uri };
  const uri = await fillIn(chosen.template, chosen.server, signal);
  return uri === undefined ? undefined : { server: chosen.server, uri };
}

type Item = vscode.QuickPickItem & { readonly offered?: Offered };

function withSeparators(offered: readonly Offered[]): Item[] {
  let server: ServerConnection | undefined;
  return offered.flatMap((entry): Item[] => {
    const isNew = entry.server !== server;
    ({ server } = entry);
    const name = label(entry.server.spec.name, 60);
    return [...(isNew ? [{ label: name, kind: vscode.QuickPickItemKind.Separator }] : []), itemFor(entry)];
  });
}

function itemFor(offered: Offered): Item {
  const entry = offered.kind === 'resource' ? offered.resource : offered.template;
  const address = offered.kind === 'resource' ? offered.resource.uri : offered.template.uriTemplate;
  const icon = offered.kind === 'resource' ? '$(file)' : '$(symbol-parameter)';
  return {
    label: `${icon} ${label(entry.title ?? entry.name, 80)}`,
    description: label(address, 120),
    ...(entry.description !== undefined && { detail: label(entry.description, 160) }),
    offered,
  };
}

/** Asks for each place of a template. */
async function fillIn(
  { uriTemplate, name, title }: ResourceTemplate,
  server: ServerConnection,
  signal: AbortSignal,
): Promise<string | undefined> {
  const asked = templateVariables(uriTemplate).map((variable) => ({
    name: variable,
    title: `${oneLine(title ?? name, 60)} — ${oneLine(server.spec.name, 60)}`,
    placeholder: oneLine(variable, 80),
    prompt: oneLine(uriTemplate, 300),
    isRequired: true,
  }));
  const reference = { type: 'ref/resource', uri: uriTemplate } as const;
  const values = await askArguments({ server, reference, asked, values: {}, signal });
  return values && expandTemplate(uriTemplate, values);
}

/** What a model reads of it; undefined, and told, where the server has no such thing. */
async function contentOf(
  { server, uri }: Address,
  { stream }: Turn,
  signal: AbortSignal,
): Promise<readonly ModelPart[] | undefined> {
  try {
    const contents = await server.use(signal, (client) => readResource(client, uri, { signal }));
    const parts = contents.flatMap((resource): readonly ModelPart[] => readBlock({ type: 'resource', resource }));
    stream.markdown(markdownOf(server, uri, parts));
    return parts;
  } catch (error) {
    if (!isResourceNotFound(error)) throw error;
    const text = vscode.l10n.t('{0} has no resource {1}.', plain(server.spec.name, 80), inlineCode(uri, 200));
    stream.markdown(new vscode.MarkdownString(`$(warning) ${text}`, true));
    return undefined;
  }
}

function markdownOf(server: ServerConnection, uri: string, parts: readonly ModelPart[]): vscode.MarkdownString {
  const head = vscode.l10n.t('Resource {0} of {1}', inlineCode(uri, 200), inlineCode(server.spec.name, 60));
  const shown = clip(
    showInvisible(partsText(parts)),
    shownCharacters,
    (count) => `\n${vscode.l10n.t('… {0} more characters, which the model gets too', count)}`,
  );
  return new vscode.MarkdownString(`$(file) ${head}\n\n${fence(shown, 'text', shownCharacters + 200)}\n\n`, true);
}

/** Keeps the content for the next turns. No model is asked. */
function attach(turn: Turn, address: Address, parts: readonly ModelPart[]): vscode.ChatResult {
  const { conversation, grants } = readPast(turn.context.history);
  const before = conversation.messages.length;
  for (const message of messagesFor(address, parts)) conversation.append(message);
  turn.stream.markdown(vscode.l10n.t('It is part of this conversation now. What shall I do with it?'));
  return { metadata: turnMetadata(conversation, before, { grants, isPaused: false }) };
}

/** The content as a message of its own, with an answer, so that what the person says next stands by itself. */
function messagesFor({ uri }: Address, parts: readonly ModelPart[]): readonly ChatMessage[] {
  const content: readonly ModelPart[] = parts.length > 0 ? parts : [{ kind: 'text', text: `${uri} is empty.` }];
  return [
    { role: 'user', content },
    { role: 'assistant', text: `I have read ${uri}.`, toolCalls: [] },
  ];
}

function sayNone({ stream }: Turn): vscode.ChatResult {
  stream.markdown(vscode.l10n.t('No server that is ready has resources.'));
  return {};
}
