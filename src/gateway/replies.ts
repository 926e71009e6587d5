import type http from 'node:http';
import type { JsonObject } from '../base/json.ts';

/** How often an open stream shows that it lives, in milliseconds: what is silent for minutes is given up by clients. */
const heartbeatMs = 25_000;

/** Ends an exchange with a status and one line of text. */
export function refuse(
  response: http.ServerResponse,
  status: number,
  reason: string,
  headers: http.OutgoingHttpHeaders = {},
): undefined {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${reason}\n`);
}

/** Ends an exchange with one JSON value. */
export function replyJson(response: http.ServerResponse, value: unknown, headers: http.OutgoingHttpHeaders = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** An answer in events, kept alive as long as it is open. */
export class EventReply {
  readonly #response: http.ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(response: http.ServerResponse, headers: http.OutgoingHttpHeaders = {}) {
    this.#response = response;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers });
    response.flushHeaders();
    this.#heartbeat = setInterval(() => response.write(':\n\n'), heartbeatMs);
    response.once('close', () => clearInterval(this.#heartbeat));
  }

  /** Sends one message. JSON holds no line break, so it is one line. */
  send(message: JsonObject): void {
    if (!this.#response.writableEnded && !this.#response.destroyed)
      this.#response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  end(): void {
    clearInterval(this.#heartbeat);
    this.#response.end();
  }
}
