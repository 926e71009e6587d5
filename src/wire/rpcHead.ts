import { asString, isRecord, type JsonObject } from '../base/json.ts';
import type { RpcHead, RpcId } from './wireEntry.ts';

function asId(value: unknown): RpcId | undefined {
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}

function membersOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

/** Leaves out members that are undefined, so that what is kept is what is exported. */
function compact<T extends object>(value: T): T {
  for (const [key, member] of Object.entries(value)) if (member === undefined) Reflect.deleteProperty(value, key);
  return value;
}

function requestHead(message: JsonObject, id: RpcId, method: string): RpcHead {
  const params = membersOf(message.params);
  return compact({
    kind: 'request',
    id,
    method,
    progressToken: asId(membersOf(params._meta).progressToken),
    target: asString(params.name) ?? asString(params.uri),
  });
}

function notificationHead(message: JsonObject, method: string): RpcHead {
  const params = membersOf(message.params);
  return compact({
    kind: 'notification',
    method,
    requestId: asId(params.requestId),
    reason: asString(params.reason),
    progressToken: asId(params.progressToken),
  });
}

function errorHead(message: JsonObject): RpcHead {
  const error = membersOf(message.error);
  const code = typeof error.code === 'number' ? error.code : 0;
  return { kind: 'error', id: asId(message.id) ?? null, code, message: asString(error.message) ?? '' };
}

/** What the record needs to know of one JSON-RPC message (JSON-RPC 2.0, sections 4 and 5). Anything else is `other`. */
export function rpcHead(message: unknown): RpcHead {
  if (!isRecord(message)) return { kind: 'other' };
  const id = asId(message.id);
  const method = asString(message.method);
  if (method !== undefined)
    return id === undefined ? notificationHead(message, method) : requestHead(message, id, method);
  if ('error' in message) return errorHead(message);
  if (id === undefined || !('result' in message)) return { kind: 'other' };
  return { kind: 'response', id, toolError: membersOf(message.result).isError === true };
}
