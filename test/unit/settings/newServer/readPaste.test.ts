import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { englishOf } from '../../../../src/settings/newServer/told.ts';
import { packageEntry, readPaste } from '../../../../src/settings/newServer/readPaste.ts';

/** The servers that a paste means, by name; fails with the reason where it means none. */
function serversOf(text: string): Record<string, JsonObject> {
  const paste = readPaste(text);
  assert(paste.kind === 'servers', `${text}: ${JSON.stringify(paste)}`);
  return Object.fromEntries(paste.servers.map(({ name, entry }) => [name, entry]));
}

function problemOf(text: string): string {
  const paste = readPaste(text);
  assert(paste.kind === 'problem', `${text}: ${JSON.stringify(paste)}`);
  return englishOf(paste);
}

describe('what is pasted to add a server', () => {
  it('a URL is to be probed, also without its scheme where it has a port or a domain and a path', () => {
    const url = (text: string): unknown => readPaste(text);
    assert.deepEqual(url('https://example.com/mcp'), { kind: 'url', url: 'https://example.com/mcp' });
    assert.deepEqual(url('  http://127.0.0.1:8080/sse \n'), { kind: 'url', url: 'http://127.0.0.1:8080/sse' });
    assert.deepEqual(url('localhost:3000/mcp'), { kind: 'url', url: 'http://localhost:3000/mcp' });
    assert.deepEqual(url('mcp.example.com/mcp'), { kind: 'url', url: 'https://mcp.example.com/mcp' });
    assert.deepEqual(url('`https://example.com/mcp`'), { kind: 'url', url: 'https://example.com/mcp' });
  });

  it('an address of another kind is refused by name', () => {
    assert.match(problemOf('wss://example.com/mcp'), /WebSocket/);
    assert.match(problemOf('ftp://example.com/'), /"ftp:"/);
    assert.match(problemOf('   '), /Paste a URL/);
  });

  it('a command line is split as a shell would', () => {
    const lines: Record<string, Record<string, JsonObject>> = {
      'npx -y @modelcontextprotocol/server-filesystem "/home/me/My Files"': {
        filesystem: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/me/My Files'] },
      },
      'uvx mcp-server-time --local-timezone=Europe/Berlin': {
        time: { command: 'uvx', args: ['mcp-server-time', '--local-timezone=Europe/Berlin'] },
      },
      '$ docker run -i --rm -v /data:/data mcp/postgres:latest': {
        postgres: { command: 'docker', args: ['run', '-i', '--rm', '-v', '/data:/data', 'mcp/postgres:latest'] },
      },
      'uv --directory /srv/weather run weather.py': {
        weather: { command: 'uv', args: ['--directory', '/srv/weather', 'run', 'weather.py'] },
      },
      'npx mcp-remote https://docs.example.com/sse': {
        example: { command: 'npx', args: ['mcp-remote', 'https://docs.example.com/sse'] },
      },
      'npx -y \\\n  @acme/tickets-mcp \\\n  --port 3': {
        tickets: { command: 'npx', args: ['-y', '@acme/tickets-mcp', '--port', '3'] },
      },
    };
    for (const [line, expected] of Object.entries(lines)) {
      assert.deepEqual(serversOf(line), expected, line);
    }
    const [server] = Object.values(serversOf('API_URL=https://x.example node ./build/index.js --verbose'));
    assert.deepEqual(server, {
      command: 'node',
      args: ['./build/index.js', '--verbose'],
      env: { API_URL: 'https://x.example' },
    });
  });

  it('what only a shell can do is refused with the sign that it hangs on', () => {
    assert.match(problemOf('cd server && npm start'), /"&&"/);
    assert.match(problemOf('npx x | tee log'), /"\|"/);
    assert.match(problemOf('export PORT=1; npx x'), /";"/);
    assert.deepEqual(Object.values(serversOf('npx thing "a && b"'))[0], { command: 'npx', args: ['thing', 'a && b'] });
  });

  it('a scoped package is an npm package; a lone word may be several things', () => {
    assert.deepEqual(serversOf('@modelcontextprotocol/server-everything'), {
      everything: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
    });
    assert.deepEqual(readPaste('mcp-server-time'), { kind: 'word', word: 'mcp-server-time' });
    assert.deepEqual(packageEntry('mcp-server-time', 'python'), { command: 'uvx', args: ['mcp-server-time'] });
    assert.deepEqual(packageEntry('mcp-server-time', 'npm'), { command: 'npx', args: ['-y', 'mcp-server-time'] });
    assert.deepEqual(packageEntry('mcp-server-time', 'program'), { command: 'mcp-server-time' });
  });

  it("JSON of every product's spelling means the same server", () => {
    const entry = { command: 'npx', args: ['-y', 'thing-mcp'] };
    const expected = { thing: entry };
    const spellings: string[] = [
      JSON.stringify({ mcpServers: expected }),
      JSON.stringify({ servers: expected }),
      JSON.stringify({ mcp: { servers: expected } }),
      JSON.stringify({ 'mcp.servers': expected }),
      JSON.stringify({ context_servers: { thing: { source: 'custom', ...entry, enabled: true } } }),
      JSON.stringify({ context_servers: { thing: { command: { path: 'npx', args: entry.args } } } }),
      JSON.stringify({ mcpServers: [{ name: 'thing', ...entry }] }),
      JSON.stringify({ 'editor.fontSize': 12, 'mcp.servers': expected }),
      JSON.stringify(expected),
      JSON.stringify({ ...entry, name: 'thing' }),
      JSON.stringify(entry),
      `"mcpServers": ${JSON.stringify(expected)}`,
      `"thing": ${JSON.stringify(entry)},`,
      `"thing": ${JSON.stringify(entry)} }`,
      `\`\`\`json\n{\n  // add this\n  "mcpServers": ${JSON.stringify(expected)},\n}\n\`\`\``,
      `code --add-mcp '${JSON.stringify({ name: 'thing', ...entry })}'`,
      'claude mcp add thing -- npx -y thing-mcp',
      'codex mcp add thing npx -y thing-mcp',
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'thing', ...entry }))}`,
      `cursor://anysphere.cursor-deeplink/mcp/install?name=thing&config=${Buffer.from(JSON.stringify(entry)).toString('base64')}`,
      `https://insiders.vscode.dev/redirect/mcp/install?name=thing&config=${encodeURIComponent(JSON.stringify(entry))}`,
    ];
    for (const text of spellings) assert.deepEqual(serversOf(text), expected, text);
  });

  it('a remote server of another spelling comes in ours', () => {
    const text = JSON.stringify({
      mcpServers: { docs: { serverUrl: 'https://x.example/mcp', requestInit: { headers: { 'X-Team': 'a' } } } },
    });
    assert.deepEqual(serversOf(text), { docs: { url: 'https://x.example/mcp', headers: { 'X-Team': 'a' } } });
    assert.deepEqual(serversOf('claude mcp add --transport sse docs https://x.example/sse --header "X-Team: a"'), {
      docs: { type: 'sse', url: 'https://x.example/sse', headers: { 'X-Team': 'a' } },
    });
    assert.deepEqual(
      serversOf('{"mcpServers":{"a":{"type":"streamable-http","url":"https://x.example/mcp","timeout":30}}}'),
      {
        a: { type: 'http', url: 'https://x.example/mcp', timeout: 30 },
      },
    );
  });

  it('leave to run tools without a question is not taken over, and that is told', () => {
    const paste = readPaste('{"mcpServers":{"a":{"command":"a","alwaysAllow":["rm"],"autoApprove":["x"]}}}');
    assert(paste.kind === 'servers');
    assert.deepEqual(paste.servers, [{ name: 'a', entry: { command: 'a' } }]);
    assert.match(paste.notes.map(englishOf).join(), /"a" names tools that run without a question/);
  });

  it('inputs that come with the servers are kept', () => {
    const input = { id: 'key', type: 'promptString', password: true };
    const entry = { command: 'a', env: { KEY: '${input:key}' } };
    for (const value of [
      { servers: { a: entry }, inputs: [input] },
      { mcp: { servers: { a: entry }, inputs: [input] } },
    ]) {
      const paste = readPaste(JSON.stringify(value));
      assert(paste.kind === 'servers');
      assert.deepEqual(paste.inputs, [input]);
      assert.deepEqual(paste.servers, [{ name: 'a', entry }]);
    }
  });

  it('a value that would come from a command of the editor is asked for instead', () => {
    const entry = { name: 'a', command: 'a', env: { KEY: '${input:key}' } };
    const inputs = [{ id: 'key', type: 'command', command: 'workbench.action.quit', description: 'Key' }];
    const paste = readPaste(JSON.stringify({ ...entry, inputs }));
    assert(paste.kind === 'servers');
    assert.deepEqual(paste.inputs, [{ id: 'key', type: 'promptString', description: 'Key' }]);
    assert.match(paste.notes.map(englishOf).join(), /"key" would come from a command/);
  });

  it('one bad entry does not keep the others away', () => {
    const paste = readPaste('{"mcpServers":{"good":{"command":"a"},"bad":{"url":"not a url"}}}');
    assert(paste.kind === 'servers');
    assert.deepEqual(
      paste.servers.map(({ name }) => name),
      ['good'],
    );
    assert.match(paste.notes.map(englishOf).join(), /bad.*not a URL/);
  });

  it('broken JSON is told with its place, JSON without a server as such', () => {
    assert.match(problemOf('{"mcpServers": {"a": {"command": "x" "args": []}}}'), /broken at character \d+, near/);
    assert.match(problemOf('{"mcpServers": {}}'), /no server/);
    assert.match(problemOf('{"mcpServers": {"a": {"arg": 1}}}'), /needs a "url".*or a "command"/);
    assert.match(problemOf('[1, 2]'), /name|server/);
  });
});
