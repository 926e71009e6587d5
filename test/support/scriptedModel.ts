/**
 * An OpenAI-compatible endpoint on 127.0.0.1 that answers from a script and records what it was asked.
 * `POST …/chat/completions` takes the next answer of the queue, else asks `respond`, else says 500; `GET …/models` lists `models`.
 */
import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Socket } from 'node:net';
import { isRecord, parseJson, type JsonObject } from '../../src/base/json.ts';

/** A step of a body: bytes to write, or something to wait for before the next bytes leave. */
export type BodyStep = string | Uint8Array | Promise<unknown>;

/** What the endpoint does with one request. Without `end` the body ends properly after its last step. */
export interface ScriptedAnswer {
  /** Default 200. */
  readonly status?: number;
  /** Default `content-type: text/event-stream`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: readonly BodyStep[];
  /** `reset` destroys the socket after the last step, `hang` leaves the body open. */
  readonly end?: 'close' | 'reset' | 'hang';
}

/** One request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  /** The path with its query, `/v1/chat/completions`. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** The body's bytes as UTF-8. */
  readonly text: string;
  /** The body as JSON; an empty object where it is none. */
  readonly body: JsonObject;
  /** Resolves when the connection under it is closed or the answer is complete; tells which. */
  readonly ended: Promise<'complete' | 'closed'>;
}

/** How the endpoint behaves. */
export interface ScriptedModelOptions {
  /** The entries of `GET /models`, or a whole answer to it. Default one model, `scripted`. */
  readonly models?: readonly JsonObject[] | ScriptedAnswer;
  /** Answers requests when the queue is empty. */
  readonly respond?: (request: RecordedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;
}

/** The running endpoint. Close it when the test ends. */
export interface ScriptedModel {
  /** The base to configure, `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** Chat requests in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Every other request: `GET /models`, wrong paths. */
  readonly otherRequests: readonly RecordedRequest[];
  /** Appends answers to the queue. */
  enqueue(...answers: readonly ScriptedAnswer[]): void;
  /** Resolves with the chat request number `count`, counted from 1, as soon as it has arrived. */
  request(count: number): Promise<RecordedRequest>;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/** Starts the endpoint on a free port. */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const queue: ScriptedAnswer[] = [];
  const requests: RecordedRequest[] = [];
  const otherRequests: RecordedRequest[] = [];
  const waiting: { readonly count: number; readonly resolve: (request: RecordedRequest) => void }[] = [];
  const sockets = new Set<Socket>();

  const answerFor = async (request: RecordedRequest): Promise<ScriptedAnswer> => {
    if (!request.path.split('?')[0]?.endsWith('/chat/completions')) {
      otherRequests.push(request);
      return request.path.endsWith('/models') ? modelList(options.models) : jsonAnswer({ error: 'no such path' }, 404);
    }
    requests.push(request);
    for (const wait of waiting) if (wait.count === requests.length) wait.resolve(request);
    const next = queue.shift() ?? (await options.respond?.(request));
    return next ?? jsonAnswer({ error: { message: 'the script of this test has no further answer' } }, 500);
  };

  const server = http.createServer((incoming, response) => {
    record(incoming, response)
      .then(answerFor)
      .then((answer) => play(answer, response))
      .catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${portOf(server.address())}/v1`,
    requests,
    otherRequests,
    enqueue: (...answers) => void queue.push(...answers),
    request: (count) => {
      const present = requests[count - 1];
      return present ? Promise.resolve(present) : new Promise((resolve) => waiting.push({ count, resolve }));
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Chunks as an event stream, each `data: {…}` and a blank line, with `[DONE]` at the end unless `done` is false. */
export function streamAnswer(chunks: readonly unknown[], options: { readonly done?: boolean } = {}): ScriptedAnswer {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  return { body: options.done === false ? events : [...events, 'data: [DONE]\n\n'] };
}

/** An event stream given as it is, byte for byte. */
export function rawAnswer(...body: readonly BodyStep[]): ScriptedAnswer {
  return { body };
}

/** A whole JSON answer, by default with status 200. */
export function jsonAnswer(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): ScriptedAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: [JSON.stringify(value)] };
}

/** A streamed answer of text alone, word by word. */
export function textAnswer(text: string): ScriptedAnswer {
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  return streamAnswer([
    chunk({ role: 'assistant', content: '' }),
    ...words.map((word) => chunk({ content: word })),
    chunk({}, 'stop'),
    usageChunk(100, words.length),
  ]);
}

/** A tool call of the script. `arguments` is sent as JSON text, or as it is where it is a string. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments?: unknown;
}

let lastCall = 0;

/** A streamed answer that asks for tools in the manner of OpenAI: the head of each call, then its arguments in two pieces. */
export function toolCallAnswer(calls: readonly ScriptedCall[], text = ''): ScriptedAnswer {
  const pieces = calls.flatMap((call, index) => {
    const written = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
    const middle = Math.ceil(written.length / 2);
    const id = call.id ?? `call_${String(++lastCall).padStart(6, '0')}`;
    return [
      chunk({
        content: null,
        role: 'assistant',
        tool_calls: [{ function: { arguments: '', name: call.name }, id, index, type: 'function' }],
      }),
      ...[written.slice(0, middle), written.slice(middle)]
        .filter((piece) => piece !== '')
        .map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ];
  });
  const words = text === '' ? [] : [chunk({ role: 'assistant', content: text })];
  return streamAnswer([...words, ...pieces, chunk({}, 'tool_calls'), usageChunk(100, 20)]);
}

/** One chunk as OpenAI frames it. */
export function chunk(delta: JsonObject, finishReason: string | null = null): JsonObject {
  return {
    choices: [{ index: 0, delta, finish_reason: finishReason }],
    created: 1_745_649_196,
    id: 'chatcmpl-BQTO863fJsOBHD4tU1LN3AEk5Uuo2',
    model: 'gpt-4o-2024-11-20',
    object: 'chat.completion.chunk',
    system_fingerprint: 'fp_ee1d74bde0',
  };
}

/** The last chunk of a stream that was asked to include its usage. */
export function usageChunk(promptTokens: number, completionTokens: number): JsonObject {
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  return { ...chunk({}), choices: [], usage };
}

function modelList(models: ScriptedModelOptions['models']): ScriptedAnswer {
  if (models !== undefined && 'body' in models) return models;
  return jsonAnswer({ object: 'list', data: models ?? [{ id: 'scripted', object: 'model', owned_by: 'test' }] });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the scripted model does not listen on a port');
  return address.port;
}

async function record(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<RecordedRequest> {
  const pieces: Buffer[] = [];
  const ended = new Promise<'complete' | 'closed'>((resolve) => {
    response.on('close', () => resolve(response.writableFinished ? 'complete' : 'closed'));
  });
  for await (const piece of incoming) if (Buffer.isBuffer(piece)) pieces.push(piece);
  const text = Buffer.concat(pieces).toString('utf8');
  const parsed = parseJson(text);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    text,
    body: parsed.ok && isRecord(parsed.value) ? parsed.value : {},
    ended,
  };
}

async function play(answer: ScriptedAnswer, response: http.ServerResponse): Promise<void> {
  response.writeHead(answer.status ?? 200, answer.headers ?? { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  for (const step of answer.body) {
    if (step instanceof Promise) await step;
    else await written(response, step);
    if (response.destroyed) return;
  }
  if (answer.end === 'reset') response.destroy();
  else if (answer.end !== 'hang') response.end();
}

/** Writes and waits until the bytes left, so that each step is a piece of its own on the wire where the network keeps them apart. */
function written(response: http.ServerResponse, bytes: string | Uint8Array): Promise<void> {
  if (bytes.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    response.write(bytes, () => resolve());
  });
}
