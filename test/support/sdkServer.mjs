// A server on version 2 of the official SDK over stdin and stdout; its argument says which revisions it serves: legacy, modern or both.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [mode = 'both'] = process.argv.slice(2);

function newServer() {
  const server = new Server({ name: 'sdk2', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
  }));
  return server;
}

if (mode === 'legacy') await newServer().connect(new StdioServerTransport());
else serveStdio(newServer, { legacy: mode === 'modern' ? 'reject' : 'serve' });
