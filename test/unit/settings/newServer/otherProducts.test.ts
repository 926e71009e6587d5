import assert from 'node:assert/strict';
import { productFiles, type Machine } from '../../../../src/settings/newServer/otherProducts.ts';
import { englishOf } from '../../../../src/settings/newServer/told.ts';
import { readProductFile } from '../../../../src/settings/newServer/readProductFile.ts';

const linux: Machine = { platform: 'linux', home: '/home/me', env: {}, folders: ['/work/app'] };
const mac: Machine = { platform: 'darwin', home: '/Users/me', env: {}, folders: [] };
const windows: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\me',
  env: { APPDATA: 'D:\\Roaming' },
  folders: ['C:\\app'],
};

function filesOf(machine: Machine, product: string): string[] {
  return productFiles(machine)
    .filter((each) => each.product === product)
    .map(({ file }) => file);
}

describe("other products' servers", () => {
  it('are looked for where each product keeps them, on every system', () => {
    const cases: [string, Machine, string][] = [
      ['Claude Desktop', linux, '/home/me/.config/Claude/claude_desktop_config.json'],
      ['Claude Desktop', mac, '/Users/me/Library/Application Support/Claude/claude_desktop_config.json'],
      ['Claude Desktop', windows, 'D:\\Roaming\\Claude\\claude_desktop_config.json'],
      ['Claude Code', linux, '/work/app/.mcp.json'],
      ['Cursor', mac, '/Users/me/.cursor/mcp.json'],
      ['Cursor', windows, 'C:\\app\\.cursor\\mcp.json'],
      [
        'Cline',
        linux,
        '/home/me/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      ],
      [
        'Cline',
        windows,
        'D:\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\cline_mcp_settings.json',
      ],
      [
        'Roo Code',
        mac,
        '/Users/me/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
      ],
      ['Roo Code', linux, '/work/app/.roo/mcp.json'],
      ['Windsurf', windows, 'C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json'],
      ['Continue', linux, '/home/me/.continue/config.yaml'],
      ['Zed', mac, '/Users/me/.config/zed/settings.json'],
      ['Zed', windows, 'D:\\Roaming\\zed\\settings.json'],
      ['VS Code', linux, '/home/me/.config/Code/User/mcp.json'],
      ['VS Code', windows, 'C:\\app\\.vscode\\mcp.json'],
    ];
    for (const [product, machine, file] of cases) {
      const files = filesOf(machine, product);
      assert(files.includes(file), `${file} is not among ${files.join(', ')}`);
    }
  });

  it('a folder for settings that was moved is minded, and no file is named twice', () => {
    const files = productFiles({ ...linux, env: { XDG_CONFIG_HOME: '/cfg' }, userFolder: '/cfg/Code/User' });
    assert(files.some(({ file }) => file === '/cfg/zed/settings.json'));
    assert.equal(new Set(files.map(({ file }) => file)).size, files.length);
  });

  it("what the editor's own mcp.json holds is known to be used already", () => {
    const files = productFiles({ ...linux, userFolder: '/data/User' });
    const read = files.filter(({ isRead }) => isRead).map(({ file }) => file);
    assert.deepEqual(read, ['/data/User/mcp.json', '/work/app/.vscode/mcp.json']);
  });
});

describe('a file of another product', () => {
  it('gives its servers, among whatever else it holds', async () => {
    const files: [string, string][] = [
      ['claude_desktop_config.json', '{"globalShortcut":"x","mcpServers":{"a":{"command":"npx","args":["-y","b"]}}}'],
      [
        'settings.json',
        '// Zed\n{ "theme": "One", "context_servers": { "a": { "source": "custom", "command": { "path": "npx", "args": ["-y", "b"] }, }, }, }',
      ],
      ['mcp.json', '\uFEFF{"servers":{"a":{"type":"stdio","command":"npx","args":["-y","b"]}},"inputs":[]}'],
      [
        'config.yaml',
        'name: me\nmodels: []\nmcpServers:\n  - name: a\n    command: npx\n    args:\n      - -y\n      - b\n',
      ],
      [
        'config.json',
        '{"experimental":{"modelContextProtocolServers":[{"name":"a","transport":{"type":"stdio","command":"npx","args":["-y","b"]}}]}}',
      ],
    ];
    for (const [file, text] of files) {
      const read = await readProductFile(file, text);
      assert(read.kind === 'servers', `${file}: ${JSON.stringify(read)}`);
      assert.deepEqual(read.servers, [{ name: 'a', entry: { command: 'npx', args: ['-y', 'b'] } }], file);
    }
  });

  it("Continue's secrets are places to fill in", async () => {
    const text = 'mcpServers:\n  - name: a\n    command: npx\n    env:\n      KEY: ${{ secrets.MY_KEY }}\n';
    const read = await readProductFile('config.yaml', text);
    assert(read.kind === 'servers');
    assert.deepEqual(read.servers[0]?.entry, { command: 'npx', env: { KEY: '<MY_KEY>' } });
  });

  it('without servers is no problem, a broken one is', async () => {
    for (const text of ['', '{}', '{"mcpServers":{}}', '{"projects":{}}']) {
      assert.deepEqual(await readProductFile('a.json', text), { kind: 'servers', servers: [], inputs: [], notes: [] });
    }
    const broken = await readProductFile('a.json', '{\n"mcpServers": {"a" {}}');
    assert(broken.kind === 'problem');
    assert.match(englishOf(broken), /Line 2/);
    assert.equal((await readProductFile('a.yaml', 'a: [')).kind, 'problem');
  });
});
