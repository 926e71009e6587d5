import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type JsonObject } from '../../src/base/json.ts';
import { projectRoot } from '../support/host/hostServer.ts';
import { readZip, type ZipEntry } from '../support/zip.ts';

/** What a person needs who installs the extension, and nothing else. */
const wanted = [
  /^extension\.vsixmanifest$/,
  /^\[Content_Types\]\.xml$/,
  /^extension\/(package\.json|package\.nls(\.[a-z-]+)?\.json|readme\.md|changelog\.md|LICENSE\.txt)$/,
  /^extension\/l10n\/bundle\.l10n\.[a-z-]+\.json$/,
  /^extension\/dist\/(extension\.cjs|demo\.cjs|NOTICES\.txt|chunks\/[\w-]+\.cjs|inspector\/(inspector\.js|style\.css|codicon\.ttf))$/,
  /^extension\/media\/(icon\.png|icon\.svg|servers\.svg|walkthrough\/[\w-]+\.(png|svg|md))$/,
];

describe('the VSIX', () => {
  let entries: ZipEntry[];
  const entry = (name: string): ZipEntry => {
    const found = entries.find((candidate) => candidate.name === name);
    assert.ok(found, `${name} is missing`);
    return found;
  };

  before(() => {
    entries = readZip(readFileSync(join(projectRoot, 'dist', 'mcp-agent.vsix')));
  });

  it('holds only what it needs', () => {
    const others = entries.map(({ name }) => name).filter((name) => !wanted.some((pattern) => pattern.test(name)));
    assert.deepEqual(others, []);
  });

  it('holds everything that its manifest names', () => {
    const manifest: unknown = JSON.parse(entry('extension/package.json').text());
    assert.ok(isRecord(manifest));
    for (const field of ['main', 'icon']) {
      const path = manifest[field];
      assert.ok(typeof path === 'string', `${field} is missing`);
      entry(`extension/${path.replace('./', '')}`);
    }
    for (const [, path] of JSON.stringify(manifest['contributes']).matchAll(/"((?:media|dist)\/[^"]+)"/g)) {
      entry(`extension/${path}`);
    }
    const nls: unknown = JSON.parse(entry('extension/package.nls.json').text());
    assert.ok(isRecord(nls));
    for (const [, key] of JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)) {
      assert.ok(key !== undefined && key in nls, `package.nls.json lacks ${key}`);
    }
  });

  it('has a Chinese text for each English one of the manifest', () => {
    const keys = (name: string): string[] => Object.keys(JSON.parse(entry(name).text())).sort();
    assert.deepEqual(keys('extension/package.nls.zh-cn.json'), keys('extension/package.nls.json'));
  });

  it('needs no node_modules: every module that its code asks for is in it or comes with VS Code', () => {
    const builtin = /^(vscode|node:[\w/]+|https?|http2|tls|net)$/;
    const missing = entries
      .filter(({ name }) => name.endsWith('.cjs'))
      .flatMap(({ name, text }) =>
        [...text().matchAll(/\brequire\("([^"]+)"\)/g)].map((match) => [name, match[1] ?? '']),
      )
      .filter(([, module = '']) => !builtin.test(module) && !module.startsWith('.'));
    assert.deepEqual(missing, []);
  });

  it('reads less than 150 KB of code at activation', () => {
    assert.ok(entry('extension/dist/extension.cjs').size < 150_000);
    const seen = new Set<string>();
    const visit = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      for (const [, path = ''] of entry(name)
        .text()
        .matchAll(/=require\("(\.[^"]+)"\)/g)) {
        visit(join(name, '..', path).replaceAll('\\', '/'));
      }
    };
    visit('extension/dist/extension.cjs');
    const bytes = [...seen].reduce((sum, name) => sum + entry(name).size, 0);
    assert.ok(bytes < 150_000, `${bytes} bytes in ${[...seen].join(', ')}`);
  });

  it('is smaller than a megabyte, and its code makes no code', () => {
    const packed = readFileSync(join(projectRoot, 'dist', 'mcp-agent.vsix')).length;
    assert.ok(packed < 1_000_000, `${packed} bytes`);
    const making = /\beval\(|\bnew Function\(|\bFunction\(["'`]|vscode\.proposed|enabledApiProposals/;
    const found = entries.filter(({ name, text }) => /\.(?:cjs|js)$/.test(name) && making.test(text()));
    assert.deepEqual(
      found.map(({ name }) => name),
      [],
    );
  });

  it('names the licence of every package in it', () => {
    const manifest = manifestOf(entry('extension/package.json'));
    const notices = entry('extension/dist/NOTICES.txt').text();
    const { dependencies } = manifest;
    assert.ok(isRecord(dependencies));
    for (const name of Object.keys(dependencies))
      assert.match(notices, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  });

  it('is made the same each time', function () {
    this.timeout(180_000);
    const hashes = (): string[] =>
      readZip(readFileSync(join(projectRoot, 'dist', 'mcp-agent.vsix'))).map(
        ({ name, text }) => `${name} ${createHash('sha256').update(text()).digest('hex')}`,
      );
    const pack = (): void => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(projectRoot, 'scripts', 'package.ts')], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, `${stdout}${stderr}`);
      assert.doesNotMatch(`${stdout}${stderr}`, /warning/i);
    };
    pack();
    const first = hashes();
    pack();
    assert.deepEqual(hashes(), first);
  });
});

describe('the manifest', () => {
  let manifest: JsonObject;
  let contributes: JsonObject;

  before(() => {
    manifest = manifestOf({ text: () => readFileSync(join(projectRoot, 'package.json'), 'utf8') });
    assert.ok(isRecord(manifest['contributes']));
    contributes = manifest['contributes'];
  });

  it('says what the marketplaces ask for', () => {
    assert.match(String(manifest['name']), /^[a-z][a-z-]+$/);
    for (const field of ['displayName', 'description', 'publisher', 'license', 'version'])
      assert.equal(typeof manifest[field], 'string', field);
    assert.equal(manifest['pricing'], 'Free');
    assert.deepEqual(manifest['categories'], ['AI', 'Chat']);
    assert.ok(Array.isArray(manifest['keywords']) && manifest['keywords'].length <= 5);
    assert.deepEqual(manifest['extensionKind'], ['workspace', 'ui']);
    for (const field of ['enabledApiProposals', 'extensionDependencies', 'browser'])
      assert.equal(manifest[field], undefined, field);
  });

  it('has an icon that is a large enough PNG', () => {
    const icon = readFileSync(join(projectRoot, String(manifest['icon'])));
    assert.equal(icon.toString('latin1', 1, 4), 'PNG');
    assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(16) === icon.readUInt32BE(20));
  });

  it('asks for no newer editor than its types are of', () => {
    const { engines, devDependencies } = manifest;
    assert.ok(isRecord(engines) && isRecord(devDependencies));
    const numbers = (text: unknown): number[] => String(text).replace('^', '').split('.').map(Number);
    const [, editor = 0] = numbers(engines['vscode']);
    const [, types = 0] = numbers(devDependencies['@types/vscode']);
    assert.ok(types <= editor, 'an API of the types might be missing in the editor');
  });

  it('changes one default of the editor: that a card cannot allow all tools at once', () => {
    assert.deepEqual(contributes['configurationDefaults'], {
      'chat.tools.eligibleForAutoApproval': { 'mcp-agent.mcp-agent/confirmMcpTool': false },
    });
  });

  it('keeps what a workspace must not set to itself', () => {
    const { capabilities } = manifest;
    assert.ok(
      isRecord(capabilities) &&
        isRecord(capabilities['untrustedWorkspaces']) &&
        isRecord(capabilities['virtualWorkspaces']),
    );
    assert.equal(capabilities['untrustedWorkspaces']['supported'], 'limited');
    const restricted: unknown = capabilities['untrustedWorkspaces']['restrictedConfigurations'];
    for (const setting of ['mcp.servers', 'mcp.inputs', 'mcpAgent.endpoints'])
      assert.ok(Array.isArray(restricted) && restricted.includes(setting), setting);
    const { 'mcpAgent.publishToEditor': publish } = settingsOf(contributes);
    assert.ok(isRecord(publish));
    assert.equal(publish['scope'], 'application');
    assert.equal(publish['default'], false);
  });

  it('describes every setting, with its scope, its default and its place', () => {
    for (const [name, setting] of Object.entries(settingsOf(contributes))) {
      assert.ok(isRecord(setting), name);
      for (const field of ['scope', 'default', 'order'])
        assert.notEqual(setting[field], undefined, `${name} has no ${field}`);
      assert.ok(setting['markdownDescription'] ?? setting['description'], name);
    }
  });

  it('gives every command its category, and leads nobody to a command that is not there', () => {
    const { commands, walkthroughs } = contributes;
    assert.ok(Array.isArray(commands));
    const known = new Set<unknown>(commands.map((command: unknown) => isRecord(command) && command['command']));
    for (const command of commands)
      assert.ok(isRecord(command) && command['category'] === 'MCP Agent', JSON.stringify(command));
    for (const file of ['package.nls.json', 'package.nls.zh-cn.json']) {
      const text = JSON.stringify(walkthroughs) + readFileSync(join(projectRoot, file), 'utf8');
      for (const [, command] of text.matchAll(/(?:onCommand:|command:)(mcpAgent\.[\w.]+)/g))
        assert.ok(known.has(command), `${file}: ${command}`);
    }
  });

  it('has one walkthrough of at most five steps, each with a picture that is packed', () => {
    const { walkthroughs } = contributes;
    assert.ok(Array.isArray(walkthroughs) && walkthroughs.length === 1);
    const [walkthrough]: unknown[] = walkthroughs;
    assert.ok(isRecord(walkthrough) && Array.isArray(walkthrough['steps']) && walkthrough['steps'].length <= 5);
    for (const step of walkthrough['steps']) {
      assert.ok(isRecord(step) && isRecord(step['media']));
      assert.ok(Array.isArray(step['completionEvents']) && step['completionEvents'].length > 0, String(step['id']));
      assert.ok(existsSync(join(projectRoot, String(step['media']['image']))), String(step['media']['image']));
      assert.match(String(step['media']['image']), /^media\/walkthrough\//);
      assert.ok(step['media']['altText']);
    }
  });
});

function manifestOf({ text }: { readonly text: () => string }): JsonObject {
  const manifest: unknown = JSON.parse(text());
  assert.ok(isRecord(manifest));
  return manifest;
}

/** All settings, whether they stand in one group or in several. */
function settingsOf({ configuration }: JsonObject): JsonObject {
  const groups: unknown[] = Array.isArray(configuration) ? configuration : [configuration];
  return Object.assign(
    {},
    ...groups.map((group) => (isRecord(group) && isRecord(group['properties']) ? group['properties'] : {})),
  );
}
