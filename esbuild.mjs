import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as esbuild from 'esbuild';

/**
 * The extension host intercepts `require('http')` and its kin by exactly these names, to bring the person's proxy and
 * certificates; `node:http` passes it by. So bundles reach them unprefixed.
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

const common = {
  bundle: true,
  minify: true,
  charset: 'utf8',
  logLevel: 'warning',
  legalComments: 'none',
};

/**
 * Bundles for Node as CommonJS in several files: what a dynamic import reaches becomes a file of its own, read when first
 * used. esbuild splits ES modules only, so each file is turned into CommonJS afterwards.
 */
async function bundleForNode(entryPoints, outdir) {
  const { outputFiles } = await esbuild.build({
    ...common,
    entryPoints,
    outdir,
    platform: 'node',
    target: 'es2023',
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.cjs' },
    chunkNames: 'chunks/[name]-[hash]',
    external: ['vscode'],
    plugins: [unprefixedNetwork],
    write: false,
  });
  for (const file of outputFiles) {
    const { code } = await esbuild.transform(file.text, {
      format: 'cjs',
      platform: 'node',
      target: 'es2023',
      supported: { 'dynamic-import': false },
      minify: true,
      charset: 'utf8',
      sourcefile: basename(file.path),
    });
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, code);
  }
}

/** `dist/core.mjs` reads the client with the import, and the agent when it is first asked for. */
const coreFacade = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const { connect, RpcError, TransportError, ProtocolError, ModelError } = require('./core/client.cjs');
export const openAgent = (options) => require('./core/agent.cjs').openAgent(options);
`;

rmSync('dist', { recursive: true, force: true });
await Promise.all([
  bundleForNode({ extension: 'src/extension.ts' }, 'dist'),
  bundleForNode({ client: 'src/coreClient.ts', agent: 'src/openAgent.ts' }, 'dist/core'),
  ...(existsSync('media/inspector/main.ts') ? [esbuild.build(inspector())] : []),
]);
writeFileSync(join('dist', 'core.mjs'), coreFacade);
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.declarations.json'], {
  stdio: 'inherit',
});
writeFileSync(join('dist', 'core.d.mts'), "export * from './types/core.js';\n");

/** The inspector's page and its style sheet. */
function inspector() {
  return {
    ...common,
    entryPoints: { inspector: 'media/inspector/main.ts' },
    outdir: 'dist',
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    tsconfig: 'media/inspector/tsconfig.json',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  };
}
