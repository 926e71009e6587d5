import { asString, isRecord, type JsonObject } from '../base/json.ts';

/** What servers offer besides tools, named as the specification names it, read from what they list. */

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

/** A family of resources: `uriTemplate` as RFC 6570 has it. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** One piece of a resource's content: `text`, or `blob` in Base64. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

/** MCP "Prompts", `PromptArgument`. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

/** MCP "Prompts", `Prompt`. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly PromptArgument[];
}

/** MCP "Prompts", `PromptMessage`. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  /** A content block as the server sent it. */
  readonly content: unknown;
}

/** The result of `prompts/get`. */
export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** The levels of `notifications/message` and `logging/setLevel` (RFC 5424), the least first. */
const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
/** A level of MCP "Logging" (RFC 5424). */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Undefined for an entry that has no address. */
export function readResource(value: unknown): Resource | undefined {
  if (!isRecord(value)) return undefined;
  const uri = asString(value['uri']);
  if (uri === undefined || uri === '') return undefined;
  const { size } = value;
  return { uri, ...readNames(value, uri), ...(typeof size === 'number' && { size }) };
}

/** Undefined for an entry that has no template. */
export function readTemplate(value: unknown): ResourceTemplate | undefined {
  if (!isRecord(value)) return undefined;
  const uriTemplate = asString(value['uriTemplate']);
  return uriTemplate === undefined || uriTemplate === ''
    ? undefined
    : { uriTemplate, ...readNames(value, uriTemplate) };
}

/** Undefined for an entry that has no name. */
export function readPrompt(value: unknown): Prompt | undefined {
  if (!isRecord(value)) return undefined;
  const name = asString(value['name']);
  if (name === undefined || name === '') return undefined;
  const args = Array.isArray(value['arguments']) ? value['arguments'] : [];
  return { name, ...readWords(value), arguments: args.flatMap((argument) => readArgument(argument) ?? []) };
}

function readArgument(value: unknown): PromptArgument | undefined {
  if (!isRecord(value)) return undefined;
  const name = asString(value['name']);
  if (name === undefined || name === '') return undefined;
  return { name, ...readWords(value), required: value['required'] === true };
}

function readNames(value: JsonObject, fallback: string): { readonly name: string; readonly mimeType?: string } {
  const mimeType = asString(value['mimeType']);
  return {
    name: asString(value['name']) ?? fallback,
    ...readWords(value),
    ...(mimeType !== undefined && { mimeType }),
  };
}

function readWords(value: JsonObject): { readonly title?: string; readonly description?: string } {
  const title = asString(value['title']);
  const description = asString(value['description']);
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}
