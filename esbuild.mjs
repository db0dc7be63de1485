/**
 * Builds everything that ships into `dist/` and, with `--tests`, the tests into `out/test/`.
 *
 * Flags: `--production` (minified, no source maps), `--tests`, `--watch`, `--metafile` (writes
 * `out/meta/<bundle>.json`, which the size budgets read).
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import esbuild from 'esbuild';
import { grammarPlugin } from './webview/code/grammarPlugin.mjs';
import { mathMlPlugin } from './webview/markdown/mathMlPlugin.mjs';
import { plainFieldsPlugin } from './webview/markdown/plainFieldsPlugin.mjs';
import { codiconPlugin } from './webview/codiconPlugin.mjs';
import { withSmallChunks, withStartInOneChunk } from './test/tooling/chunks.mjs';

const { values: flags } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    metafile: { type: 'boolean', default: false },
  },
});

/** @type {{ publisher: string, name: string }} */
const { publisher, name: extensionName } = JSON.parse(await readFile('package.json', 'utf8'));

/** CommonJS dependencies inside an ES module bundle still call `require` for Node's builtins. */
const requireBanner = {
  js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
};

/**
 * Returns a hash of all that decides what a page is read as. Pages that other code has read are read
 * again.
 */
async function docsReader() {
  const hash = createHash('sha256');
  const folders = ['src/docs', 'src/common/text', 'src/shared'];
  const inFolders = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true }))
        .filter((name) => name.endsWith('.ts'))
        .map((name) => path.join(folder, name)),
    ),
  );
  for (const file of ['package-lock.json', ...inFolders.flat().toSorted()]) {
    hash.update(`${file}\n`).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 32);
}

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  // While it watches, the code changes without a new hash.
  define: flags.watch ? {} : { DOCS_READER: JSON.stringify(await docsReader()) },
  logLevel: 'warning',
  legalComments: 'none',
  minify: flags.production,
  sourcemap: flags.production ? false : 'linked',
  metafile: flags.metafile,
};

/** @type {import('esbuild').BuildOptions} */
const node = { ...common, platform: 'node', format: 'esm', target: 'node20' };

/**
 * Leaves out what no path of ours reaches, a quarter of the local service: zod's sentences in fifty
 * languages (its errors only go to the log), the rest of zod that the provider of models doesn't use,
 * the gateway that the chat SDK asks for a model known only by its name, the library (270 KB) with
 * which a rule of secretlint opens `.p12` files, the JSON schema validator of the MCP SDK (150 KB), what
 * isn't known of media types by the names of files, and rate limits kept in databases.
 *
 * @type {import('esbuild').Plugin}
 */
const withoutUnused = {
  name: 'without-unused',
  setup({ onLoad, onResolve, resolve }) {
    // markdown-it and htmlparser2 have a copy each of the same release.
    onResolve({ filter: /^entities(?:\/|$)/ }, ({ path: name, kind, pluginData }) =>
      pluginData === 'resolved'
        ? undefined
        : resolve(name, {
            kind,
            pluginData: 'resolved',
            resolveDir: path.resolve('node_modules/htmlparser2'),
          }),
    );
    // The table of `entities` has the same characters.
    onLoad({ filter: /[/\\]decode-named-character-reference[/\\]index\.js$/ }, () => ({
      contents: `import { decodeHTMLStrict } from 'entities';
        export function decodeNamedCharacterReference(name) {
          const reference = '&' + name + ';';
          const characters = /^[a-z][a-z\\d]*$/i.test(name) ? decodeHTMLStrict(reference) : reference;
          return characters === reference ? false : characters;
        }`,
      resolveDir: path.resolve('node_modules/htmlparser2'),
    }));
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
    // As one object, `z` brings all of zod. As a namespace, it brings what is used of it. Members with computed names keep
    // classes that nothing uses.
    onLoad(
      { filter: /[/\\]@ai-sdk[/\\]openai-compatible[/\\]dist[/\\]index\.js$/ },
      async ({ path: file }) => {
        const source = await readFile(file, 'utf8');
        return {
          contents: source
            .replace('import { z } from', 'import * as z from')
            .replaceAll(/^\tstatic \[WORKFLOW_\w+\]\([^]*?^\t\}$/gm, ''),
        };
      },
    );
    onLoad(
      { filter: /[/\\]secretlint-rule-preset-recommend[/\\]module[/\\]index-[^/\\]+\.js$/ },
      async ({ path: file }) => {
        const source = await readFile(file, 'utf8');
        const refusal = "Promise.reject(new Error('Not part of this bundle'))";
        return { contents: source.replace(/\bimport\('\.\/index-[^']+'\)/, refusal) };
      },
    );
    // Checks what a client's user types into a form that a server asks for, which ours never does.
    onLoad(
      { filter: /[/\\]@modelcontextprotocol[/\\]server[/\\]dist[/\\]shimsNode\.mjs$/ },
      () => ({
        contents: `export { default as process } from 'node:process';
        export class DefaultJsonSchemaValidator {}`,
      }),
    );
    // `send` asks for the header of a file name's ending. The rest of the table says where types come from.
    onLoad({ filter: /[/\\]mime-types[/\\]index\.js$/ }, async ({ path: file }) => {
      const { types, contentType } = (await import(pathToFileURL(file).href)).default;
      /** @type {Record<string, string>} */
      const endings = {};
      for (const ending of Object.keys(types)) {
        const header = contentType(ending);
        endings[header] = header in endings ? `${endings[header]} ${ending}` : ending;
      }
      return {
        contents: `const headers = new Map();
          for (const [header, endings] of Object.entries(${JSON.stringify(endings)})) {
            for (const ending of endings.split(' ')) headers.set('.' + ending, header);
          }
          exports.contentType = (ending) => headers.get(ending.toLowerCase());`,
      };
    });
    // Writes to the terminal if a variable of the environment says so.
    onLoad({ filter: /[/\\]node_modules[/\\]debug[/\\]src[/\\]index\.js$/ }, () => ({
      contents: 'module.exports = () => () => undefined;',
    }));
    onLoad({ filter: /[/\\]rate-limiter-flexible[/\\]index\.js$/ }, () => ({
      contents: `exports.RateLimiterMemory = require('./lib/RateLimiterMemory');
        exports.RateLimiterRes = require('./lib/RateLimiterRes');`,
    }));
    onLoad({ filter: /[/\\]@ai-sdk[/\\]gateway[/\\]dist[/\\]index\.js$/ }, () => ({
      contents: `export class GatewayError extends Error {}
        export class GatewayAuthenticationError extends GatewayError {}
        export const createGateway = undefined, gateway = undefined;`,
    }));
  },
};

/**
 * Split, so that an entry loads only what it uses and `import()` brings the rest.
 *
 * @type {import('esbuild').BuildOptions}
 */
const split = {
  ...node,
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  alias: {
    // The main file loads its parts in a way that a bundle can't follow.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    // Dependencies ask for it by `import` and by `require`, which would bring it twice.
    acorn: path.resolve('node_modules/acorn/dist/acorn.mjs'),
    // As modules, it brings only what is used of it.
    yaml: path.resolve('node_modules/yaml/browser/index.js'),
  },
  banner: requireBanner,
  plugins: [withoutUnused, plainFieldsPlugin()],
};

/** @type {import('esbuild').BuildOptions} */
const webview = {
  ...common,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  // Modules are UTF-8 wherever they come from; escapes would take several times the bytes.
  charset: 'utf8',
  entryPoints: { main: 'webview/main.ts', styles: 'webview/styles/main.css' },
  outdir: 'dist/webview',
  // Split, so that grammars, math and diagrams load when a reply has the first of them.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  assetNames: '[name]',
  // The browser has the table of named characters.
  alias: { entities: path.resolve('webview/markdown/entities.ts') },
  plugins: [grammarPlugin(), mathMlPlugin(), plainFieldsPlugin(), codiconPlugin('webview')],
  loader: { '.ttf': 'file' },
};

/**
 * The scripts that `bundle enhance` adds to a site. Each is one classic script, because browsers run no modules of pages
 * from disk, and has plain ASCII, because a page decides how its scripts are decoded.
 *
 * @type {import('esbuild').BuildOptions}
 */
const siteBox = {
  ...common,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  charset: 'ascii',
  // They are copied into sites, where nothing finds their maps.
  sourcemap: false,
  minify: !flags.watch,
  entryPoints: ['assistant', 'search', 'answer', 'service'].map(
    (name) => `webview/site/${name}.ts`,
  ),
  // The box links to the extension.
  define: { ...common.define, EXTENSION_ID: JSON.stringify(`${publisher}.${extensionName}`) },
  outdir: 'dist/site',
  loader: { '.css': 'text' },
  plugins: [plainFieldsPlugin()],
  alias: { entities: path.resolve('webview/markdown/entities.ts') },
};

/**
 * The service of a company, which is a package of its own. It shares no chunk with the extension and the command line,
 * so they carry none of its dependencies.
 *
 * @type {import('esbuild').BuildOptions}
 */
const service = {
  ...split,
  entryPoints: { service: 'src/service/company/cli.ts' },
  outdir: 'dist/service',
  define: {
    ...common.define,
    SERVICE_VERSION: JSON.stringify(JSON.parse(await readFile('package.json', 'utf8')).version),
  },
  // `pg` would use it if somebody has installed it.
  external: ['pg-native'],
  plugins: [
    {
      name: 'with-limits-in-postgres',
      setup({ onLoad }) {
        onLoad({ filter: /[/\\]rate-limiter-flexible[/\\]index\.js$/ }, () => ({
          contents: `exports.RateLimiterMemory = require('./lib/RateLimiterMemory');
            exports.RateLimiterPostgres = require('./lib/RateLimiterPostgres');
            exports.RateLimiterRes = require('./lib/RateLimiterRes');`,
        }));
      },
    },
    withoutUnused,
    plainFieldsPlugin(),
  ],
};

/** @type {Record<string, import('esbuild').BuildOptions>} */
const shipped = {
  programs: await withStartInOneChunk(
    {
      ...split,
      entryPoints: {
        extension: 'src/extension.ts',
        // A process or a worker thread starts with each of these, where there is no `vscode`.
        localService: 'src/service/server/cli.ts',
        checkBundle: 'src/export/check/checkWorker.ts',
        compareBundles: 'src/export/compare/compareWorker.ts',
        comparePackages: 'src/docs/packages/compareWorker.ts',
        hashArchive: 'src/export/download/hashWorker.ts',
        surveySite: 'src/export/hosting/surveyWorker.ts',
        enhanceSite: 'src/enhance/enhanceWorker.ts',
        // VS Code's MCP server, and the program `docs-assistant`, which is a package of its own.
        mcp: 'src/cli/mcp/main.ts',
        cli: 'src/cli/main.ts',
      },
      external: ['vscode'],
    },
    ['src/cli/main.ts'],
  ),
  service,
  webview: await withStartInOneChunk(webview),
  siteBox,
};

/** @param {string} folder @returns {Promise<string[]>} every `*.test.ts` below it */
async function testFiles(folder) {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((name) => name.endsWith('.test.ts')).map((name) => path.join(folder, name));
}

/** @returns {Promise<Record<string, import('esbuild').BuildOptions>>} */
async function testBundles() {
  const shared = {
    ...common,
    minify: false,
    sourcemap: 'inline',
    metafile: false,
    platform: 'node',
  };
  return {
    tests: {
      ...shared,
      format: 'esm',
      target: 'node20',
      packages: 'external',
      // Bundled, because tests use the parser as it ships.
      alias: {
        'markdown-it': path.resolve('node_modules/markdown-it/dist/markdown-it.mjs'),
        entities: path.resolve('node_modules/htmlparser2/node_modules/entities/dist/index.js'),
      },
      plugins: [plainFieldsPlugin()],
      entryPoints: [
        ...(await Promise.all(['test/unit', 'test/service', 'test/webview'].map(testFiles))).flat(),
        // Outside the extension host, so that it lives on when the window is reloaded.
        'test/fakes/faultProxyProcess.ts',
      ],
      outbase: 'test',
      outdir: 'out/test',
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
    },
    // Loaded into pages of the webview tests.
    testPages: {
      ...webview,
      minify: true,
      sourcemap: false,
      metafile: false,
      format: 'iife',
      splitting: false,
      entryPoints: ['test/webview/markdown/bareMarkdown.ts'],
      outbase: 'test',
      outdir: 'out/test',
    },
    // The test host loads its entry point with require(), whatever the extension's own format is.
    workbenchTests: {
      ...shared,
      format: 'cjs',
      target: 'node20',
      entryPoints: ['test/workbench/index.ts', ...(await testFiles('test/workbench/suite'))],
      outbase: 'test/workbench',
      outdir: 'out/test/workbench',
      outExtension: { '.js': '.cjs' },
      external: ['vscode', 'mocha', 'playwright-core'],
    },
  };
}

await rm('dist', { recursive: true, force: true });
const bundles = { ...shipped, ...(flags.tests ? await testBundles() : {}) };
if (flags.tests) await rm('out/test', { recursive: true, force: true });

await Promise.all([
  cp('src/service/sample/docs', 'dist/sampleDocs', { recursive: true }),
  ...Object.entries(bundles).map(async ([name, options]) => {
    if (flags.watch) {
      const context = await esbuild.context({ ...options, logLevel: 'info' });
      await context.watch();
      return;
    }
    const makesSmall =
      flags.production && options.splitting === true && options.outdir !== 'out/test';
    const result = makesSmall
      ? await esbuild.build({ ...options, write: false, metafile: true })
      : await esbuild.build(options);
    if (makesSmall) {
      for (const { path: file, contents } of withSmallChunks(result, options.banner?.['js'])) {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, contents);
      }
    }
    if (flags.metafile && result.metafile) {
      await mkdir('out/meta', { recursive: true });
      await writeFile(`out/meta/${name}.json`, JSON.stringify(result.metafile));
    }
  }),
]);
