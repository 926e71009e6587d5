import { isRecord, type JsonObject } from '../base/json.ts';
import type { RequestSizes, WireBody, WireEntry, WireFact } from './wireEntry.ts';

/** The shape of a member: a type of JSON, a list of literals, or a check; `?` before it lets it be absent. */
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const flag: Check = (value) => typeof value === 'boolean';
const id: Check = (value) => text(value) || number(value);
const idOrNull: Check = (value) => value === null || id(value);
const textOrNull: Check = (value) => value === null || text(value);
const numberOrNull: Check = (value) => value === null || number(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value);
const texts = listOf(text);
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
const header: Check = (value) => text(value) || texts(value);
const headers: Check = (value) => isRecord(value) && Object.values(value).every(header);

const body = members({ text, bytes: number, cut: optional(flag), omitted: optional(flag) } satisfies Record<
  keyof WireBody,
  Check
>);

const sizes = members({
  instructions: number,
  tools: listOf(members({ name: text, server: text, bytes: number })),
  history: number,
  results: listOf(members({ callId: text, name: text, bytes: number })),
  user: number,
  other: number,
  messages: number,
} satisfies Record<keyof RequestSizes, Check>);

const heads: Readonly<Record<string, Check>> = {
  request: members({ id, method: text, progressToken: optional(id), target: optional(text) }),
  notification: members({ method: text, requestId: optional(id), reason: optional(text), progressToken: optional(id) }),
  response: members({ id, toolError: flag }),
  error: members({ id: idOrNull, code: number, message: text }),
  other: members({}),
};
const head: Check = (value) => isRecord(value) && text(value.kind) && heads[String(value.kind)]?.(value) === true;

const exchange = { exchange: number };
const step = { turn: text, step: number };

const facts: Readonly<Record<WireFact['kind'], Check>> = {
  'connection-open': members({ transport: text, protocolVersion: optional(text) }),
  'connection-close': members({ error: optional(text) }),
  'http-request': members({
    ...exchange,
    method: text,
    url: text,
    headers,
    body: optional(body),
    redirectOf: optional(number),
  }),
  'http-response': members({ ...exchange, status: number, statusText: text, headers }),
  'http-body': members({ ...exchange, body }),
  'sse-event': members({ ...exchange, event: optional(text), id: optional(text), body, incomplete: optional(flag) }),
  'http-end': members({ ...exchange, outcome: oneOf('complete', 'aborted', 'error'), error: optional(text) }),
  'stdio-line': members({ direction: oneOf('in', 'out', 'err'), body }),
  'process-start': members({ command: text, args: texts, cwd: optional(text), pid: optional(number) }),
  'process-exit': members({ code: numberOrNull, signal: textOrNull }),
  message: members({
    direction: oneOf('in', 'out'),
    head,
    bytes: number,
    exchange: optional(number),
    carrier: optional(number),
    body: optional(body),
  }),
  'request-end': members({ requestId: id, outcome: oneOf('cancelled', 'timeout') }),
  'tool-call': members({ callId: text, tool: text, requestId: id }),
  'model-request': members({
    ...step,
    model: text,
    logical: flag,
    exchange: optional(number),
    maxInputTokens: optional(number),
    prompt: optional(text),
    bytes: number,
    sizes,
    body: optional(body),
  }),
  'model-answer': members({
    ...step,
    text: body,
    toolCalls: listOf(members({ id: text, name: text, arguments: text })),
    finish: text,
    inputTokens: optional(number),
    outputTokens: optional(number),
  }),
  note: members({ level: oneOf('debug', 'info', 'warning', 'error'), text, exchange: optional(number) }),
  annotation: members({ row: text, pinned: optional(flag), note: optional(text), replayOf: optional(text) }),
};

const common = members({
  seq: number,
  at: number,
  connection: text,
  server: text,
  peer: oneOf('mcp', 'model', 'authorization'),
});

function isKind(kind: unknown): kind is WireFact['kind'] {
  return typeof kind === 'string' && Object.hasOwn(facts, kind);
}

/** True where the value is an entry in every member that the record reads. Files come from anywhere. */
export function isWireEntry(value: unknown): value is WireEntry {
  return isRecord(value) && common(value) && isFact(value);
}

function isFact(value: JsonObject): boolean {
  return isKind(value.kind) && facts[value.kind](value);
}
