// @ts-check
/** Packs `docs-assistant-service`, the service of a company, as a package for npm, and checks what is in it. */
import { statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ownManifest, packFolder, packedFiles } from './cliPackage.mjs';
import { packageFileProblems } from './packageFiles.mjs';
import { repoRoot } from './paths.mjs';

/** Maximum bytes of the package. */
const MAX_PACKAGE_BYTES = 1_500_000;

const requiredFiles = [
  'package.json',
  'README.md',
  'LICENSE',
  'service.schema.json',
  'dist/service.js',
  'deploy/Containerfile',
  'deploy/compose.yaml',
  'deploy/kubernetes.yaml',
  'deploy/service.yaml',
];
/** Matches the other files that the package may contain. */
const allowed = [/^dist\/chunks\/[\w.-]+\.js$/, /^sample\/docs\/[\w./-]+$/];

/** @returns {string} where the package goes, under the name that `npm pack` would give it */
export function servicePackageFile() {
  const { name, version } = ownManifest(repoRoot);
  return path.join(repoRoot, `${name}-service-${version}.tgz`);
}

/** @param {string} root @returns {object} the manifest, without dependencies, because everything is bundled */
function serviceManifest(root) {
  const { name, version, license, engines } = ownManifest(root);
  return {
    name: `${name}-service`,
    version,
    description: 'Answer questions from the docs of a company over HTTP and MCP',
    keywords: ['documentation', 'docs', 'assistant', 'mcp', 'search', 'postgres'],
    license,
    type: 'module',
    bin: { 'docs-assistant-service': 'dist/service.js' },
    engines: { node: engines.node },
  };
}

/**
 * Packs the built files. The same files give the same bytes.
 *
 * @param {string} target the file to write
 * @param {string} [root] the clone's top folder
 */
export async function packService(target, root = repoRoot) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-npm-'));
  try {
    const built = path.join(root, 'dist/service');
    for (const file of await readdir(built, { recursive: true })) {
      if (!file.endsWith('.js')) continue;
      const copy = path.join(folder, 'dist', file);
      await mkdir(path.dirname(copy), { recursive: true });
      await cp(path.join(built, file), copy);
    }
    for (const [from, to] of [
      ['docs/service.md', 'README.md'],
      ['LICENSE', 'LICENSE'],
      ['src/service/company/sites/service.schema.json', 'service.schema.json'],
      ['src/service/deploy', 'deploy'],
      ['src/service/sample/docs', 'sample/docs'],
    ]) {
      await cp(path.join(root, from ?? ''), path.join(folder, to ?? ''), { recursive: true });
    }
    const manifest = `${JSON.stringify(serviceManifest(root), null, 2)}\n`;
    await writeFile(path.join(folder, 'package.json'), manifest);
    await packFolder(folder, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Prints the size, and returns the problems of the package.
 *
 * @param {string} file
 * @returns {Promise<string[]>} problems, empty if there are none
 */
export async function checkServicePackage(file) {
  const names = await packedFiles(file);
  const { size } = statSync(file);
  const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  console.log(
    `service: ${kilobytes(size)} of ${kilobytes(MAX_PACKAGE_BYTES)}, ${names.length} files`,
  );
  const problems = packageFileProblems(names, requiredFiles, allowed);
  if (size > MAX_PACKAGE_BYTES) {
    problems.push(`the package of the service is larger than ${kilobytes(MAX_PACKAGE_BYTES)}`);
  }
  return problems;
}
