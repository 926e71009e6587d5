// A plain node:http server that speaks HTTP+SSE and Streamable HTTP for any number of clients: /sse/<tools>, /mcp/<tools> (answers are JSON) and
// /events/<tools> (each answer is an event stream), with ?delay=<ms> before each answer. Prints its port. GET /trips tells, since the last time it was asked, how many requests came until a tool list was answered, and how
// many answers stood one before another on the way to it: a request that comes when an answer has gone may have waited for that.
import http from 'node:http';
import { answerTo } from './answers.ts';

const sessions = new Map<string, http.ServerResponse>();
let trips = { requests: 0, answered: 0, toList: 0 };
let nextSession = 0;

const server = http.createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/trips') {
    response.end(JSON.stringify({ requests: trips.requests, trips: trips.toList }));
    trips = { requests: 0, answered: 0, toList: 0 };
    return;
  }
  if (trips.toList === 0) trips.requests++;
  const depth = trips.answered + 1;
  const [, kind, tools = '10'] = url.pathname.split('/');
  const delay = Number(url.searchParams.get('delay') ?? 0);
  const later = (run: () => void): unknown => (delay > 0 ? setTimeout(run, delay) : run());
  const body: Buffer[] = [];
  request.on('data', (chunk: Buffer) => body.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(body).toString();
    later(() => {
      trips.answered = Math.max(trips.answered, depth);
      if (text.includes('"tools/list"') && trips.toList === 0) trips.toList = depth;
      if (kind === 'sse') serveSse(request, response, url);
      else if (kind === 'post') servePost(text, response, url, Number(tools));
      else serveHttp(request, response, text, { tools: Number(tools), asEvents: kind === 'events' });
    });
  });
});

function serveSse(request: http.IncomingMessage, response: http.ServerResponse, url: URL): void {
  if (request.method !== 'GET') {
    response.writeHead(405).end();
    return;
  }
  const session = String(nextSession++);
  sessions.set(session, response);
  response.on('close', () => sessions.delete(session));
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const tools = url.pathname.split('/')[2] ?? '10';
  const delay = url.searchParams.get('delay') ?? '0';
  response.write(`event: endpoint\ndata: /post/${tools}?session=${session}&delay=${delay}\n\n`);
}

function servePost(text: string, response: http.ServerResponse, url: URL, tools: number): void {
  const stream = sessions.get(url.searchParams.get('session') ?? '');
  if (!stream) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(202).end();
  const answer = answerTo(text, tools);
  if (answer !== undefined) stream.write(`event: message\ndata: ${answer}\n\n`);
}

function serveHttp(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  text: string,
  { tools, asEvents }: { readonly tools: number; readonly asEvents: boolean },
): void {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const answer = answerTo(text, tools);
  if (answer === undefined) {
    response.writeHead(202).end();
    return;
  }
  if (asEvents) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    response.end(`event: message\ndata: ${answer}\n\n`);
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) });
  response.end(answer);
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
