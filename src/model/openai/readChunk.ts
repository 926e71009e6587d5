import { asString, isRecord, type JsonObject } from '../../base/json.ts';
import { readUsage } from './readUsage.ts';
import type { CallPiece, ReadChunk } from './wireTypes.ts';

/** Reads one chunk, or one whole completion, of any endpoint we know. What is missing or of the wrong type counts as not said. */
export function readChunk(chunk: JsonObject): ReadChunk {
  const choice = firstChoice(chunk['choices']);
  const said = saidBy(choice);
  const usage = readUsage(chunk, choice);
  return {
    hasChoice: choice !== undefined,
    text:
      readText(said.fields['content']) +
      readText(said.fields['refusal']) +
      (said.isWhole ? '' : readText(choice?.['text'])),
    reasoning: readReasoning(said.fields),
    calls: readCalls(said.fields),
    sealedThoughts: readSealed(said.fields['reasoning_details']),
    isWhole: said.isWhole,
    finish: asString(choice?.['finish_reason']) ?? '',
    ...(usage && { usage }),
  };
}

/** Only the first of several answers counts. An endpoint that does not number them sends one. */
function firstChoice(choices: unknown): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.filter(isRecord).find((choice) => (choice['index'] ?? 0) === 0);
}

/** The choice's `delta`, or `message` where that says more. */
function saidBy(choice: JsonObject | undefined): { fields: JsonObject; isWhole: boolean } {
  const delta = choice?.['delta'];
  const message = choice?.['message'];
  if (isRecord(delta) && Object.keys(delta).length > 0) return { fields: delta, isWhole: false };
  return isRecord(message) ? { fields: message, isWhole: true } : { fields: {}, isWhole: false };
}

/** Content is text or a list of parts, of which those with text are read. */
function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return isRecord(content) ? (asString(content['text']) ?? '') : '';
  return content.map((part) => (typeof part === 'string' ? part : isThought(part) ? '' : partText(part))).join('');
}

function partText(part: unknown): string {
  return isRecord(part) ? (asString(part['text']) ?? asString(part['content']) ?? '') : '';
}

function isThought(part: unknown): part is JsonObject {
  return isRecord(part) && (part['type'] === 'thinking' || part['type'] === 'reasoning');
}

/** The same thoughts may stand under several names; the first that says something is taken. */
function readReasoning(fields: JsonObject): string {
  for (const name of ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text']) {
    const text = readText(fields[name]);
    if (text !== '') return text;
  }
  return readDetails(fields['reasoning_details']) + readThoughtParts(fields['content']);
}

function readDetails(details: unknown): string {
  if (!Array.isArray(details)) return '';
  return details
    .filter(isRecord)
    .map((detail) => asString(detail['text']) ?? asString(detail['summary']) ?? '')
    .join('');
}

/** OpenRouter hands the sealed thoughts of Gemini and OpenAI models through in this form. */
function readSealed(details: unknown): readonly JsonObject[] {
  return Array.isArray(details)
    ? details.filter(isRecord).filter((detail) => detail['type'] === 'reasoning.encrypted')
    : [];
}

function readThoughtParts(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .filter(isThought)
    .map((part) => readText(part['thinking'] ?? part['text'] ?? part['content'] ?? part['summary']))
    .join('');
}

function readCalls(fields: JsonObject): CallPiece[] {
  const calls = fields['tool_calls'];
  const list: unknown[] = Array.isArray(calls) ? calls : isRecord(calls) ? [calls] : [];
  const legacy = fields['function_call'];
  const pieces = list.filter(isRecord).map(readCall);
  return isRecord(legacy) && pieces.length === 0 ? [readCall({ function: legacy })] : pieces;
}

/** Some endpoints leave out the `function` around name and arguments. */
function readCall(call: JsonObject): CallPiece {
  const inner = isRecord(call['function']) ? call['function'] : isRecord(call['custom']) ? call['custom'] : call;
  const index = readIndex(call['index']);
  const extra = readExtra(call);
  return {
    ...(index !== undefined && { index }),
    id: readId(call['id'] ?? call['call_id']),
    name: asString(inner['name']) ?? '',
    arguments: readArgumentText(inner['arguments'] ?? inner['input']),
    ...(extra && { extra }),
  };
}

function readIndex(index: unknown): number | undefined {
  const value = typeof index === 'string' && index.trim() !== '' ? Number(index) : index;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function readId(id: unknown): string {
  return typeof id === 'number' ? String(id) : (asString(id) ?? '').trim();
}

/** Arguments should be text; an object or a list is taken as its JSON text. */
function readArgumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** What an endpoint attaches to a call and wants to see again. */
function readExtra(call: JsonObject): JsonObject | undefined {
  const extra = call['extra_content'];
  return isRecord(extra) ? extra : undefined;
}
