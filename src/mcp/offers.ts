import { isRecord } from '../base/json.ts';
import type { Client, RequestOptions } from './client.ts';
import { ProtocolError, RpcError } from './errors.ts';
import { errorCode } from './jsonrpc.ts';
import { listPages } from './listPages.ts';
import {
  readPrompt,
  readResource as readListedResource,
  readTemplate,
  type LogLevel,
  type Prompt,
  type PromptMessage,
  type PromptResult,
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
} from './offerTypes.ts';
import { STATELESS_REVISION } from './schema.ts';

/**
 * What servers offer besides tools, as functions over a session of any revision. A server that does not declare a capability
 * is not asked for it: lists are empty then, and the rest rejects. Everything rejects as `Client.request` does.
 */

/** The part of a client that these functions need. */
export type Asked = Pick<Client, 'request' | 'capabilities' | 'protocolVersion'>;

/** The specification's own code for a resource that is not there; −32602 serves for it too from 2026-07-28 on. */
const RESOURCE_NOT_FOUND = -32002;
/** A completion has at most so many values (MCP "Completion"). */
const MOST_COMPLETIONS = 100;

/** Whether the server has said that it has resources. */
export function offersResources({ capabilities }: Pick<Client, 'capabilities'>): boolean {
  return isRecord(capabilities['resources']);
}

/** Whether the server has said that it has prompts. */
export function offersPrompts({ capabilities }: Pick<Client, 'capabilities'>): boolean {
  return isRecord(capabilities['prompts']);
}

/** Servers of 2024-11-05 complete without saying so. */
function offersCompletion({ capabilities, protocolVersion }: Omit<Asked, 'request'>): boolean {
  return isRecord(capabilities['completions']) || protocolVersion === '2024-11-05';
}

/** All resources of a server; empty where it offers none. Rejects as the requests do. */
export async function listResources(client: Asked, options?: RequestOptions): Promise<Resource[]> {
  if (!offersResources(client)) return [];
  const entries = await walk(client, { method: 'resources/list', member: 'resources' }, options);
  return entries.flatMap((entry) => readListedResource(entry) ?? []);
}

/** A server that knows no templates has none. */
export async function listResourceTemplates(client: Asked, options?: RequestOptions): Promise<ResourceTemplate[]> {
  if (!offersResources(client)) return [];
  const list = { method: 'resources/templates/list', member: 'resourceTemplates' };
  const entries = await walk(client, list, options);
  return entries.flatMap((entry) => readTemplate(entry) ?? []);
}

/** The content of one resource. What is no piece of content is left out. */
export async function readResource(client: Asked, uri: string, options?: RequestOptions): Promise<ResourceContents[]> {
  const result = await client.request('resources/read', { uri }, options);
  const contents = isRecord(result) ? result['contents'] : undefined;
  if (!Array.isArray(contents)) throw new ProtocolError('result', 'the result of resources/read has no contents');
  return contents.flatMap((piece): ResourceContents[] => {
    if (!isRecord(piece)) return [];
    const { uri: own, mimeType, text, blob } = piece;
    return [
      {
        uri: typeof own === 'string' ? own : uri,
        ...(typeof mimeType === 'string' && { mimeType }),
        ...(typeof text === 'string' && { text }),
        ...(typeof blob === 'string' && { blob }),
      },
    ];
  });
}

/** True for both codes by which servers say that there is no such resource. */
export function isResourceNotFound(error: unknown): boolean {
  return error instanceof RpcError && (error.code === RESOURCE_NOT_FOUND || error.code === errorCode.invalidParams);
}

/** Whether `subscribe` may be asked for: declared, and in a revision that has it (2026-07-28 subscribes by another way). */
function offersSubscriptions({ capabilities, protocolVersion }: Omit<Asked, 'request'>): boolean {
  const { resources } = capabilities;
  return protocolVersion !== STATELESS_REVISION && isRecord(resources) && resources['subscribe'] === true;
}

/** From now on `notifications/resources/updated` tells of changes. False, and nothing sent, where the server does not offer it. */
export async function subscribe(client: Asked, uri: string, options?: RequestOptions): Promise<boolean> {
  if (!offersSubscriptions(client)) return false;
  await client.request('resources/subscribe', { uri }, options);
  return true;
}

/** Asks for no more notices about a resource; nothing is sent where the server gives none. */
export async function unsubscribe(client: Asked, uri: string, options?: RequestOptions): Promise<void> {
  if (offersSubscriptions(client)) await client.request('resources/unsubscribe', { uri }, options);
}

/** All prompts of a server; empty where it offers none. Rejects as the requests do. */
export async function listPrompts(client: Asked, options?: RequestOptions): Promise<Prompt[]> {
  if (!offersPrompts(client)) return [];
  const entries = await walk(client, { method: 'prompts/list', member: 'prompts' }, options);
  return entries.flatMap((entry) => readPrompt(entry) ?? []);
}

/** The messages of a prompt. Arguments are strings. */
export async function getPrompt(
  client: Asked,
  name: string,
  args: Readonly<Record<string, string>>,
  options?: RequestOptions,
): Promise<PromptResult> {
  const params = Object.keys(args).length === 0 ? { name } : { name, arguments: args };
  const result = await client.request('prompts/get', params, options);
  const messages = isRecord(result) ? result['messages'] : undefined;
  if (!isRecord(result) || !Array.isArray(messages)) {
    throw new ProtocolError('result', 'the result of prompts/get has no messages');
  }
  const { description } = result;
  return { ...(typeof description === 'string' && { description }), messages: messages.flatMap(readMessage) };
}

function readMessage(value: unknown): PromptMessage[] {
  if (!isRecord(value)) return [];
  const { role, content } = value;
  // Some servers send several blocks in one message.
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map((block: unknown) => ({ role: role === 'assistant' ? 'assistant' : 'user', content: block }));
}

/** What completion is about: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** One question for `completion/complete`: which argument, and what stands in it so far. */
export interface CompletionQuestion {
  readonly reference: CompletionReference;
  readonly name: string;
  readonly value: string;
  /** Arguments that have a value already. */
  readonly known: Readonly<Record<string, string>>;
}

/** Values that the server proposes, its best first; none where it does not complete. */
export async function complete(
  client: Asked,
  { reference, name, value, known }: CompletionQuestion,
  options?: RequestOptions,
): Promise<readonly string[]> {
  if (!offersCompletion(client)) return [];
  const params = {
    ref: reference,
    argument: { name, value },
    ...(Object.keys(known).length > 0 && { context: { arguments: known } }),
  };
  try {
    const result = await client.request('completion/complete', params, options);
    const completion = isRecord(result) ? result['completion'] : undefined;
    const values = isRecord(completion) && Array.isArray(completion['values']) ? completion['values'] : [];
    return values.filter((each) => typeof each === 'string').slice(0, MOST_COMPLETIONS);
  } catch (error) {
    // It completes some arguments and refuses others.
    if (error instanceof RpcError) return [];
    throw error;
  }
}

/** Asks for log messages from this level on. False, and nothing sent, where the server does not log or the revision has no such request. */
export async function setLogLevel(client: Asked, level: LogLevel, options?: RequestOptions): Promise<boolean> {
  if (!isRecord(client.capabilities['logging']) || client.protocolVersion === STATELESS_REVISION) return false;
  await client.request('logging/setLevel', { level }, options);
  return true;
}

/** All pages of a list; empty for a server that does not know the method after all. */
async function walk(
  client: Asked,
  list: { readonly method: string; readonly member: string },
  options?: RequestOptions,
): Promise<unknown[]> {
  try {
    return await listPages({ ...list, fetchPage: (params) => client.request(list.method, params, options) });
  } catch (error) {
    if (error instanceof RpcError && error.code === errorCode.methodNotFound) return [];
    throw error;
  }
}
