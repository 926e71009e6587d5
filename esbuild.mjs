import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import * as esbuild from 'esbuild';

const watch = process.argv.includes('--watch');

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

const common = { bundle: true, minify: true, platform: 'node', target: 'node20', logLevel: 'warning', legalComments: 'none' };

const bundles = [
  {
    ...common,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.cjs',
    format: 'cjs',
    external: ['vscode'],
    plugins: [unprefixedNetwork],
  },
  { ...common, entryPoints: ['src/core.ts'], outfile: 'dist/core.mjs', format: 'esm', plugins: [builtinModules] },
];

if (watch) {
  for (const bundle of bundles) await (await esbuild.context(bundle)).watch();
} else {
  rmSync('dist', { recursive: true, force: true });
  await Promise.all(bundles.map((bundle) => esbuild.build(bundle)));
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.declarations.json'], { stdio: 'inherit' });
  writeFileSync('dist/core.d.mts', "export * from './types/core.js';\n");
}
