/**
 * Builds what is shipped and what tests need, into dist/: the extension, the program without an editor, and the tests
 * that run inside the extension host. `--watch` builds the extension again at each change.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as esbuild from 'esbuild';

/**
 * The extension host intercepts `require('http')` and its kin by exactly these names, to bring the person's proxy and
 * certificates; `node:http` passes it by. So the extension's bundle reaches them unprefixed.
 */
const unprefixedNetwork = {
  name: 'unprefixed-network',
  setup(build) {
    build.onResolve({ filter: /^node:(http|https|http2|tls|net)$/ }, (args) => ({
      path: args.path.slice('node:'.length),
      external: true,
    }));
  },
};

/**
 * An ESM import of `node:http` reads every export and thereby loads fetch (50 ms); `getBuiltinModule` takes 6 ms.
 */
const builtinModules = {
  name: 'builtin-modules',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, (args) => ({ path: args.path, namespace: 'builtin' }));
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, (args) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(args.path)})`,
      loader: 'js',
    }));
  },
};

const common = { bundle: true, platform: 'node', target: 'node20', logLevel: 'warning', legalComments: 'none' };

const extension = {
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.cjs',
  format: 'cjs',
  minify: true,
  metafile: true,
  external: ['vscode'],
  plugins: [unprefixedNetwork],
};

const core = {
  ...common,
  entryPoints: ['src/core.ts'],
  outfile: 'dist/core.mjs',
  format: 'esm',
  minify: true,
  plugins: [builtinModules],
};

/** The inspector's page: its script, its style sheet and the icons' font. */
const inspector = {
  bundle: true,
  logLevel: 'warning',
  legalComments: 'none',
  entryPoints: { inspector: 'media/inspector/main.ts', style: 'media/inspector/inspector.css' },
  outdir: 'dist/inspector',
  format: 'iife',
  platform: 'browser',
  target: 'chrome128',
  minify: true,
  loader: { '.ttf': 'file' },
  assetNames: 'codicon',
};

/** One bundle a test file, so that mocha names the file where one does not load. */
const hostTests = {
  ...common,
  entryPoints: ['test/vscode/index.ts', ...globSync('test/vscode/**/*.test.ts')],
  outdir: 'dist/test',
  outbase: 'test/vscode',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  sourcemap: 'inline',
  external: ['vscode', 'mocha'],
};

if (process.argv.includes('--watch')) {
  await (await esbuild.context(extension)).watch();
} else {
  rmSync('dist/test', { recursive: true, force: true });
  const [{ metafile }] = await Promise.all(
    [extension, core, hostTests, inspector].map((options) => esbuild.build(options)),
  );
  writeNotices(metafile);
  rmSync('dist/types', { recursive: true, force: true });
  const compiler = 'node_modules/typescript/bin/tsc';
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.declarations.json'], { stdio: 'inherit' });
  writeFileSync('dist/core.d.mts', "export * from './types/core.js';\n");
}

/** The licences of the packages that went into the extension's bundle, as those licences ask. */
function writeNotices(metafile) {
  const folders = new Set(
    Object.keys(metafile.inputs)
      .map((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0])
      .filter((folder) => folder !== undefined),
  );
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license']
      .map((entry) => join(folder, entry))
      .find(existsSync);
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(file, 'utf8').trim()}\n`;
  });
  const head = 'MCP Agent contains code of these packages.\n\n';
  writeAtOnce('dist/NOTICES.txt', head + notices.join(`\n${'-'.repeat(80)}\n\n`));
}

/** Writes a file so that another process never sees a half of it. */
function writeAtOnce(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
