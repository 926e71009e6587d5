import { spawn } from 'node:child_process';
import http from 'node:http';
import { textOf, type Peer, type Session, type Target } from '../target.ts';

/** The least that can speak: bare node:http with a line splitter, no checks, no time limits, nothing closed in order. */
export const peer: Peer = {
  load: () => Promise.resolve(open),
};

type Answer = (message: { readonly id?: number; readonly result: Record<string, unknown> }) => void;

/** A bare line splitter: chunks in a list, one search a chunk, one decoding a line. */
function splitter(onLine: (line: string) => void): (chunk: Buffer) => void {
  let kept: Buffer[] = [];
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      kept.push(chunk.subarray(start, end));
      start = end + 1;
      onLine((kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept)).toString());
      kept = [];
    }
    if (start < chunk.length) kept.push(chunk.subarray(start));
  };
}

async function open(target: Target): Promise<Session> {
  const pending = new Map<number, (result: Record<string, unknown>) => void>();
  const onAnswer: Answer = ({ id, result }) => {
    if (id === undefined) return;
    pending.get(id)?.(result);
    pending.delete(id);
  };
  const wire = await (target.transport === 'stdio' ? overStdio(target, onAnswer) : overHttp(target, onAnswer));
  let last = 0;
  const request = (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = ++last;
    const answer = new Promise<Record<string, unknown>>((resolve) => pending.set(id, resolve));
    void wire.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answer;
  };
  const clientInfo = { name: 'bench', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  await wire.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return {
    async listTools() {
      const tools: unknown[] = [];
      let cursor: unknown;
      do {
        const page = await request('tools/list', cursor === undefined ? {} : { cursor });
        if (Array.isArray(page['tools'])) for (const tool of page['tools']) tools.push(tool);
        cursor = page['nextCursor'];
      } while (cursor !== undefined);
      return tools;
    },
    call: async (name, args) => textOf(await request('tools/call', { name, arguments: args })),
    close: () => wire.close(),
  };
}

interface Wire {
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

function overStdio(target: Target & { transport: 'stdio' }, onAnswer: Answer): Promise<Wire> {
  const child = spawn(target.command, target.args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.on(
    'data',
    splitter((line) => onAnswer(JSON.parse(line))),
  );
  return Promise.resolve({
    send: async (text) => void child.stdin.write(`${text}\n`),
    close: async () => void child.stdin.end(),
  });
}

async function overHttp(target: Target & { transport: 'sse' | 'http' | 'unknown' }, onAnswer: Answer): Promise<Wire> {
  const agent = new http.Agent({ keepAlive: true });
  const sse = target.transport === 'sse';
  const stream = sse ? await openStream(target.url, agent, onAnswer) : undefined;
  const url = stream?.endpoint ?? target.url;
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const onEventLine = (line: string): void => {
    if (line.startsWith('data: ')) onAnswer(JSON.parse(line.slice(6)));
  };
  let closed = false;
  const send = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = http.request(url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'Content-Length': Buffer.byteLength(text) },
      });
      request.on('error', (error) => (closed ? resolve() : reject(error)));
      request.on('response', (response) => {
        if (response.headers['content-type'] === 'text/event-stream') {
          response.on('data', splitter(onEventLine));
          return response.on('end', resolve);
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        return response.on('end', () => {
          if (chunks.length > 0 && !sse) onAnswer(JSON.parse(Buffer.concat(chunks).toString()));
          resolve();
        });
      });
      request.end(text);
    });
  const close = async (): Promise<void> => {
    closed = true;
    stream?.request.destroy();
    agent.destroy();
  };
  return { send, close };
}

function openStream(
  url: string,
  agent: http.Agent,
  onAnswer: Answer,
): Promise<{ endpoint: string; request: http.ClientRequest }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { Accept: 'text/event-stream' } });
    request.on('error', reject);
    request.on('response', (response) => {
      let event = '';
      response.on(
        'data',
        splitter((line) => {
          if (line.startsWith('event: ')) event = line.slice(7);
          else if (line.startsWith('data: ') && event === 'endpoint')
            resolve({ endpoint: new URL(line.slice(6), url).href, request });
          else if (line.startsWith('data: ')) onAnswer(JSON.parse(line.slice(6)));
        }),
      );
      response.on('error', () => undefined);
    });
  });
}
