/**
 * Builds what is shipped and what tests need, into dist/: the extension, the program without an editor, and the tests
 * that run inside the extension host. `--watch` builds the extension again at each change,
 * `--bundles` leaves the declarations out.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as esbuild from 'esbuild';
import { withLock } from './scripts/lock.mjs';

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

/** `mainFields`: a UMD file reads its parts in a way that no bundler sees. */
const common = {
  bundle: true,
  charset: 'utf8',
  logLevel: 'warning',
  legalComments: 'none',
  mainFields: ['module', 'main'],
};

/**
 * Bundles for Node as CommonJS in several files: what a dynamic import reaches becomes a file of its own, read when first
 * used. esbuild splits ES modules only, so each file is turned into CommonJS afterwards. Gives the metafile.
 */
async function bundleForNode(entryPoints, outdir) {
  const { outputFiles, metafile } = await esbuild.build({
    ...common,
    minify: true,
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
    metafile: true,
    write: false,
  });
  for (const file of outputFiles) {
    const helpers = basename(dirname(file.path)) === 'chunks' ? './helpers.cjs' : './chunks/helpers.cjs';
    writeAtOnce(file.path, await asCommonJs(file, helpers));
  }
  mkdirSync(join(outdir, 'chunks'), { recursive: true });
  writeAtOnce(join(outdir, 'chunks', 'helpers.cjs'), await helpersFile());
  removeOthers(join(outdir, 'chunks'), ['helpers.cjs', ...outputFiles.map((file) => basename(file.path))]);
  return metafile;
}

const toCommonJs = { format: 'cjs', platform: 'node', target: 'es2023', charset: 'utf8' };

/** What esbuild puts before a module that it turns into CommonJS: half a kilobyte, the same before each. */
const preamble = /^(?:"use strict";)?var __[^]*?(?=var \w+_exports=\{\};__export\()/;

/** A file of ES module output as CommonJS, which takes esbuild's functions from the file `helpers`. */
async function asCommonJs(file, helpers) {
  const { code } = await esbuild.transform(file.text, {
    ...toCommonJs,
    supported: { 'dynamic-import': false },
    minifyWhitespace: true,
    minifySyntax: true,
    sourcefile: basename(file.path),
  });
  const shared = code
    .replace(preamble, `const {__export,__toCommonJS,__toESM}=require(${JSON.stringify(helpers)});`)
    .replace(/0&&\(module\.exports=\{[^}]*\}\);\s*$/, '');
  const others = /\b__(?!export\b|toCommonJS\b|toESM\b|esModule\b|filename\b|dirname\b)[a-z]\w*/;
  const { code: minified } = await esbuild.transform(others.test(shared) ? code : shared, {
    ...toCommonJs,
    minify: true,
  });
  return minified;
}

/** The functions that `asCommonJs` took out of each file. */
async function helpersFile() {
  const { code } = await esbuild.transform('import * as one from "one"; export const two = one;', {
    ...toCommonJs,
    minifyWhitespace: true,
  });
  const [functions] = preamble.exec(code) ?? [''];
  const { code: minified } = await esbuild.transform(`${functions}module.exports={__export,__toCommonJS,__toESM};`, {
    ...toCommonJs,
    minify: true,
  });
  return minified;
}

/** Takes away what an earlier build has left in a folder. */
function removeOthers(folder, names) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (!names.includes(name)) rmSync(join(folder, name), { recursive: true });
}

/** `dist/core.mjs` reads the errors with the import, the client and the agent when they are first asked for. */
const coreFacade = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const { RpcError, TransportError, ProtocolError, ModelError } = require('./core/errors.cjs');
export const connect = (config, options) => require('./core/client.cjs').connect(config, options);
export const oauthAuthorization = (options) => require('./core/client.cjs').oauthAuthorization(options);
export const openAgent = (options) => require('./core/agent.cjs').openAgent(options);
`;

/** The inspector's page: its script, its style sheet and the icons' font. */
const inspector = {
  ...common,
  entryPoints: { inspector: 'media/inspector/main.ts', style: 'media/inspector/inspector.css' },
  outdir: 'dist/inspector',
  format: 'iife',
  platform: 'browser',
  target: 'chrome128',
  minify: true,
  loader: { '.ttf': 'file' },
  assetNames: 'codicon',
  metafile: true,
};

/** One bundle a test file, so that mocha names the file where one does not load. */
const hostTests = {
  ...common,
  entryPoints: ['test/vscode/index.ts', ...globSync('test/vscode/**/*.test.ts')],
  outdir: 'dist/test',
  outbase: 'test/vscode',
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  target: 'es2023',
  format: 'cjs',
  sourcemap: 'inline',
  external: ['vscode', 'mocha'],
};

/** The demonstration server: a program of its own, so it shares no file with the extension. */
const demo = {
  ...common,
  entryPoints: { demo: 'src/demo/main.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  target: 'es2023',
  format: 'cjs',
  minify: true,
};

const buildExtension = () => bundleForNode({ extension: 'src/extension.ts' }, 'dist');

if (process.argv.includes('--watch')) {
  await buildExtension();
  watch('src', { recursive: true }, () => void buildExtension().catch((error) => console.error(error.message)));
} else if (process.env.MCP_AGENT_BUILDING === undefined) {
  await withLock(join('.vscode-test', 'build.lock'), build, console.error);
} else {
  await build();
}

/** Writes everything. Two builds at once would take each other's files away, hence the lock around it. */
async function build() {
  rmSync('dist/test', { recursive: true, force: true });
  const [metafile, , page] = await Promise.all([
    buildExtension(),
    bundleForNode({ errors: 'src/coreErrors.ts', client: 'src/coreClient.ts', agent: 'src/openAgent.ts' }, 'dist/core'),
    esbuild.build(inspector),
    esbuild.build(hostTests),
    esbuild.build(demo),
  ]);
  writeNotices([metafile, page.metafile]);
  writeAtOnce('dist/core.mjs', coreFacade);
  if (!process.argv.includes('--bundles')) writeDeclarations();
}

/** The declarations of `dist/core.mjs`; a type error gives this process a bad exit code. */
function writeDeclarations() {
  rmSync('dist/types', { recursive: true, force: true });
  const compiler = 'node_modules/typescript/bin/tsc';
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.declarations.json'], { stdio: 'inherit' });
  writeAtOnce('dist/core.d.mts', "export * from './types/core.js';\n");
  process.exitCode = status ?? 1;
}

/** The licences of the packages that went into the extension, as those licences ask. */
function writeNotices(metafiles) {
  const folders = new Set(
    metafiles
      .flatMap(({ inputs }) => Object.keys(inputs))
      .map((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0])
      .filter((folder) => folder !== undefined),
  );
  const notices = [...folders]
    .sort((one, other) => one.localeCompare(other))
    .map((folder) => {
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
