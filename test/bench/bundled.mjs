// @ts-check
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { repoRoot } from '../tooling/paths.mjs';

/**
 * Imports a TypeScript module, bundled as the local docs service is.
 * @param {string} file path below `test/bench`
 * @param {{ name?: string, plugins?: esbuild.Plugin[] }} [options] `name` tells bundles of one file apart
 * @returns {Promise<any>}
 */
export async function bundled(file, { name = path.basename(file, '.ts'), plugins = [] } = {}) {
  const outdir = path.join(repoRoot, 'out/bench');
  mkdirSync(outdir, { recursive: true });
  const outfile = path.join(outdir, `${name}.mjs`);
  await esbuild.build({
    entryPoints: [path.join(repoRoot, 'test/bench', file)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    // It loads files beside its own.
    external: ['playwright-core'],
    plugins,
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
  });
  return import(pathToFileURL(outfile).href);
}
