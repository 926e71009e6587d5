import assert from 'node:assert/strict';
import { nameOfServerInfo, proposeName, uniqueName } from '../../../../src/settings/newServer/proposeName.ts';

describe('the name that is proposed for a server', () => {
  it('says what it is', () => {
    const urls: Record<string, string> = {
      'https://mcp.deepwiki.com/mcp': 'deepwiki',
      'https://api.githubcopilot.com/mcp/': 'githubcopilot',
      'http://127.0.0.1:8080/sse': 'local',
      'http://localhost:3000/weather/mcp': 'weather',
      'http://[::1]:3000/sse': 'local',
      'https://learn.microsoft.com/api/mcp': 'microsoft',
    };
    for (const [url, name] of Object.entries(urls)) assert.equal(proposeName({ url }), name, url);
    const lines: Record<string, string> = {
      'npx -y @modelcontextprotocol/server-github': 'github',
      'npx -y @upstash/context7-mcp@latest': 'context7',
      'npx @playwright/mcp@latest': 'playwright',
      'uvx --from git+https://x.example/y serena start-mcp-server': 'serena',
      'uvx mcp-server-git --repository /srv': 'git',
      'docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server': 'github',
      'node /srv/weather/build/index.js': 'weather',
      'python -m weather_server': 'weather',
      '/usr/local/bin/my-tool --stdio': 'my-tool',
      'C:\\Tools\\db.exe': 'db',
    };
    for (const [line, name] of Object.entries(lines)) {
      const [command = '', ...args] = line.split(' ');
      assert.equal(proposeName({ command, args }), name, line);
    }
  });

  it('is never empty, and never another one’s', () => {
    assert.equal(proposeName({ command: '', args: [] }), 'server');
    assert.equal(proposeName({ url: 'not a url' }), 'server');
    assert.equal(uniqueName('a', new Set(['a', 'a-2'])), 'a-3');
    assert.equal(nameOfServerInfo({ name: ' My\u202E Server! ' }), 'My-Server');
    assert.equal(nameOfServerInfo({ name: '!!' }), undefined);
    assert.equal(nameOfServerInfo(undefined), undefined);
  });
});
