import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../src/base/json.ts';
import { projectRoot } from '../support/host/hostServer.ts';
import { readZip, type ZipEntry } from '../support/zip.ts';

/** What a person needs who installs the extension, and nothing else. */
const wanted = [
  /^extension\.vsixmanifest$/,
  /^\[Content_Types\]\.xml$/,
  /^extension\/(package\.json|package\.nls(\.[a-z-]+)?\.json|readme\.md|changelog\.md|LICENSE\.txt)$/,
  /^extension\/l10n\/bundle\.l10n\.[a-z-]+\.json$/,
  /^extension\/dist\/(extension\.cjs|demo\.cjs|NOTICES\.txt|chunks\/[\w-]+\.cjs|inspector\/(inspector\.js|style\.css|codicon\.ttf))$/,
  /^extension\/media\/(icon\.png|icon\.svg|walkthrough\/[\w-]+\.(svg|md))$/,
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
});
