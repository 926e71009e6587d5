import { asString, isRecord, parseJson, type JsonObject } from '../base/json.ts';
import { HAR_WIRE_FORMAT, HAR_WIRE_VERSION } from './har.ts';
import { wireUrl } from './harParts.ts';
import type { WireEntry } from './wireEntry.ts';
import { isWireEntry } from './wireEntryGuard.ts';

function member(value: unknown, name: string): JsonObject {
  const found = isRecord(value) ? value[name] : undefined;
  return isRecord(found) ? found : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads a HAR that {@link toHar} wrote. Throws an Error that says so where it is another. */
export function fromHar(text: string): WireEntry[] {
  const parsed = parseJson(text);
  if (!parsed.ok || !isRecord(parsed.value) || !isRecord(parsed.value.log))
    throw new Error('This file is no HAR: it has no "log".');
  const { log } = parsed.value;
  const wire = member(log, '_wire');
  if (wire.format !== HAR_WIRE_FORMAT)
    throw new Error('This HAR was not written by MCP Agent: "log._wire" is missing.');
  if (wire.version !== HAR_WIRE_VERSION)
    throw new Error(
      `This HAR has version ${String(wire.version)} of the wire record; this MCP Agent reads version ${HAR_WIRE_VERSION}.`,
    );
  const logical = list(log._logicalRequests).flatMap((request) => list(isRecord(request) ? request.entries : []));
  const found = [...list(wire.entries), ...logical, ...list(log.entries).flatMap(entriesOf)];
  return found.filter(isWireEntry).sort((a, b) => a.seq - b.seq);
}

/** Header names with several values, and those that always may have, come as lists. */
function headersOf(value: unknown): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const header of list(value)) {
    const name = isRecord(header) ? asString(header.name) : undefined;
    const one = isRecord(header) ? asString(header.value) : undefined;
    if (name === undefined || one === undefined) continue;
    const before = headers[name];
    if (before === undefined) headers[name] = name === 'set-cookie' ? [one] : one;
    else headers[name] = [...(typeof before === 'string' ? [before] : before), one];
  }
  return headers;
}

/** The entries of one exchange; whether they are whole is checked afterwards. */
function entriesOf(entry: unknown): unknown[] {
  if (!isRecord(entry)) return [];
  const { connection, server, peer, exchange, seq, at, redirectOf, ...wire } = member(entry, '_wire');
  const tags = { connection, server, peer };
  const request = member(entry, 'request');
  const response = member(entry, 'response');
  const body =
    wire.body === undefined
      ? {}
      : { body: { text: asString(member(request, 'postData').text) ?? '', ...member(wire, 'body') } };
  const redirect = redirectOf === undefined ? {} : { redirectOf };
  const url = wireUrl(asString(request.url) ?? '');
  const result: unknown[] = [
    {
      ...tags,
      seq,
      at,
      kind: 'http-request',
      exchange,
      method: request.method,
      url,
      headers: headersOf(request.headers),
      ...body,
      ...redirect,
    },
  ];
  if (wire.response !== undefined)
    result.push({ ...tags, ...member(wire, 'response'), ...responseOf(response, exchange) });
  if (wire.answer !== undefined) {
    const { seq: number, at: time, ...extent } = member(wire, 'answer');
    const answer = { text: asString(member(response, 'content').text) ?? '', ...extent };
    result.push({ ...tags, seq: number, at: time, kind: 'http-body', exchange, body: answer });
  }
  for (const event of list(entry._eventSourceMessages)) result.push({ ...tags, exchange, ...eventOf(event) });
  if (wire.end !== undefined) result.push({ ...tags, kind: 'http-end', exchange, ...member(wire, 'end') });
  return result;
}

function responseOf(response: JsonObject, exchange: unknown): JsonObject {
  const { status, statusText } = response;
  return { kind: 'http-response', exchange, status, statusText, headers: headersOf(response.headers) };
}

function eventOf(value: unknown): JsonObject {
  const { seq, at, event, id, incomplete, ...extent } = member(value, '_wire');
  const data = isRecord(value) ? asString(value.data) : undefined;
  return {
    ...{ kind: 'sse-event', seq, at, body: { text: data ?? '', ...extent } },
    ...(event === undefined ? {} : { event }),
    ...(id === undefined ? {} : { id }),
    ...(incomplete === true ? { incomplete } : {}),
  };
}
