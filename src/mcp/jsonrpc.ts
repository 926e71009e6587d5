import { isRecord, type JsonObject } from '../base/json.ts';
import { RpcError } from './errors.ts';

/** JSON-RPC 2.0 as MCP uses it: shapes, builders and the one reading of what came. */

export type RequestId = number | string;

/** JSON-RPC 2.0 §4. */
export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/** JSON-RPC 2.0 §4.1. */
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: unknown;
}

/** JSON-RPC 2.0 §5. */
export type JsonRpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly error: JsonRpcErrorObject };

/** JSON-RPC 2.0 §5.1. */
export interface JsonRpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** One message, either way. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;

/** The codes of JSON-RPC 2.0 §5.1. */
export const errorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** A request whose members stand in the order jsonrpc, id, method, params, for servers that search the text for the first "id". */
export function requestMessage(id: RequestId, method: string, params: unknown): JsonRpcRequest {
  return params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
}

/** A notification; without `params` where they are undefined. */
export function notificationMessage(method: string, params: unknown): JsonRpcNotification {
  return params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
}

/** Whether an answer to the message is to be expected. */
export function isRequestMessage(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message;
}

/** What a parsed value is. A `method` member makes a request or notification whatever else is there: an id alone never makes an answer. */
export type Incoming =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: unknown; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'response'; readonly id: unknown; readonly message: JsonObject }
  | { readonly kind: 'other' };

/** Tells what a parsed value is; see {@link Incoming}. Never throws. */
export function readIncoming(value: unknown): Incoming {
  if (!isRecord(value)) return { kind: 'other' };
  if ('method' in value) return readCall(value);
  const answers = 'result' in value || 'error' in value || ('id' in value && value['jsonrpc'] === '2.0');
  return answers ? { kind: 'response', id: value['id'], message: value } : { kind: 'other' };
}

function readCall(value: JsonObject): Incoming {
  const { id, method, params } = value;
  if (typeof id === 'number' || typeof id === 'string') return { kind: 'request', id, method, params };
  return typeof method === 'string' ? { kind: 'notification', method, params } : { kind: 'other' };
}

/**
 * The number that an answered id stands for: numbers, and strings that are written exactly as that number ("1", not "01").
 * Undefined for everything else.
 */
export function numericId(id: unknown): number | undefined {
  if (typeof id === 'number') return id;
  if (typeof id !== 'string') return undefined;
  const number = Number(id);
  return String(number) === id ? number : undefined;
}

/** Reads an `error` member of whatever shape; the message is never empty. */
export function readRpcError(error: unknown): RpcError {
  if (typeof error === 'string' && error !== '') return new RpcError(errorCode.internalError, error);
  if (!isRecord(error)) return new RpcError(errorCode.internalError, `an error without a message: ${brief(error)}`);
  const code = typeof error['code'] === 'string' ? Number(error['code']) : error['code'];
  const known = typeof code === 'number' && Number.isFinite(code) ? code : errorCode.internalError;
  const { message, data } = error;
  const text = typeof message === 'string' && message !== '' ? message : `an error without a message: ${brief(error)}`;
  return new RpcError(known, text, data);
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Whether an answer's id is the id of a request. */
export function isSameId(answered: unknown, id: RequestId): boolean {
  return answered === id || (typeof id === 'number' && numericId(answered) === id);
}

/** What may reach a server twice without harm: everything but calls and methods that are not known here. */
export function isRepeatable(message: JsonRpcMessage): boolean {
  return !('method' in message) || isRepeatableMethod(message.method);
}

/** Of requests and notifications with this method. */
export function isRepeatableMethod(method: string): boolean {
  return repeatableMethod.test(method);
}

const repeatableMethod =
  /^notifications\/|\/list$|^(initialize|ping|server\/discover|resources\/read|prompts\/get|completion\/complete)$/;

/** Names a message in errors. */
export function nameOf(message: JsonRpcMessage): string {
  return 'method' in message ? message.method : 'an answer';
}
