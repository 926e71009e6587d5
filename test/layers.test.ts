import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What each layer may import of ours; `name/file` names one file. */
const allowed: Record<string, readonly string[]> = {
  base: [],
  demo: ['base'],
  'tools/tool': [],
  'model/chatModel': [],
  'model/countTokens': ['model/chatModel'],
  mcp: ['base'],
  model: ['base', 'model/chatModel', 'model/countTokens'],
  settings: ['base', 'mcp'],
  servers: ['base', 'mcp'],
  gateway: ['base', 'mcp'],
  wire: ['base', 'mcp'],
  tools: ['base', 'mcp', 'servers', 'tools/tool'],
  agent: ['base', 'tools/tool', 'model/chatModel', 'model/countTokens'],
  vscode: [
    'base',
    'mcp',
    'model',
    'settings',
    'servers',
    'gateway',
    'wire',
    'tools',
    'agent',
    'model/chatModel',
    'model/countTokens',
    'tools/tool',
    'entry',
  ],
  entry: [
    'base',
    'mcp',
    'model',
    'settings',
    'servers',
    'wire',
    'tools',
    'agent',
    'model/chatModel',
    'model/countTokens',
    'tools/tool',
    'entry',
  ],
};

/** Files directly in src/ join the layers. Only `extension.ts` among them may know `src/vscode/`, and nothing may import `extension.ts`. */
function layerOf(file: string): string {
  const path = file.replace(/\.ts$/, '');
  if (path in allowed) return path;
  const slash = path.indexOf('/');
  return slash < 0 ? 'entry' : path.slice(0, slash);
}

interface SourceFile {
  readonly file: string;
  readonly ours: readonly string[];
  readonly packages: readonly string[];
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

function readSource(file: string): SourceFile {
  const text = readFileSync(join(root, 'src', file), 'utf8');
  const names = [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  return {
    file,
    ours: names
      .filter((name) => name.startsWith('.'))
      .map((name) => posix.normalize(posix.join(posix.dirname(file), name))),
    packages: names.filter((name) => !name.startsWith('.')),
  };
}

const sources = globSync('src/**/*.ts', { cwd: root })
  .map((path) => relative('src', path).split(sep).join('/'))
  .sort()
  .map(readSource);

describe('layers', () => {
  it('imports go one way', () => {
    const wrong: string[] = [];
    for (const { file, ours } of sources) {
      const layer = layerOf(file);
      for (const target of ours) {
        const other = layerOf(target);
        const withExtension = file === 'extension.ts' && (other === 'vscode' || other === 'entry');
        if (other === layer || withExtension || allowed[layer]?.includes(other)) continue;
        wrong.push(`${file} -> ${target}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('nothing imports extension.ts', () => {
    const wrong = sources.filter(({ ours }) => ours.includes('extension.ts')).map(({ file }) => file);
    assert.deepEqual(wrong, []);
  });

  it('vscode is known in src/vscode and extension.ts alone', () => {
    const wrong = sources
      .filter(
        ({ file, packages }) => packages.includes('vscode') && file !== 'extension.ts' && !file.startsWith('vscode/'),
      )
      .map(({ file }) => file);
    assert.deepEqual(wrong, []);
  });

  it('below the editor nothing is newer than the oldest Node that it runs on', () => {
    const newer =
      /\bURL\.parse\(|\.withResolvers\b|\bfromAsync\(|\bRegExp\.escape\(|\bPromise\.try\(|\.(?:isSubsetOf|symmetricDifference)\(/;
    const wrong = sources
      .filter(({ file }) => !file.startsWith('vscode/') && newer.test(readFileSync(join(root, 'src', file), 'utf8')))
      .map(({ file }) => file);
    assert.deepEqual(wrong, []);
  });

  it('there is no ring of files', () => {
    const graph = new Map(sources.map(({ file, ours }) => [file, ours]));
    const done = new Set<string>();
    const rings: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        rings.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      if (done.has(file)) return;
      for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const { file } of sources) visit(file, []);
    assert.deepEqual(rings, []);
  });
});
