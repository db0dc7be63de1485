// @ts-check
/** Packs `docs-assistant`, the command line, as a package for npm, and checks what is in it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as tar from 'tar';
import ts from 'typescript';
import { packageFileProblems } from './packageFiles.mjs';
import { repoRoot } from './paths.mjs';

/**
 * Maximum bytes of the package. The scripts that `bundle enhance` copies into sites are 118 KB of it, of which the client
 * of docs services is 16 KB and the view of replies that stream 12 KB. `host` with its translations is 18 KB.
 */
const MAX_PACKAGE_BYTES = 1_113_000;
/**
 * Maximum bytes that `--help` loads: the program and the chunks that it imports statically. With this
 * size, it starts in less than twice the time of `node -e 0`.
 */
const MAX_STARTUP_BYTES = 90 * 1024;

/** Files with which processes start. The package also contains everything that they import. */
const entries = [
  'cli.js',
  'checkBundle.js',
  'compareBundles.js',
  'hashArchive.js',
  'surveySite.js',
];

/** Scripts that `bundle enhance` copies into sites. */
export const siteScripts = [
  'site/assistant.js',
  'site/search.js',
  'site/answer.js',
  'site/service.js',
];

const requiredFiles = [
  'package.json',
  'README.md',
  'LICENSE',
  'docs-questions.schema.json',
  ...[...entries, ...siteScripts].map((entry) => `dist/${entry}`),
];

/** Matches the other files that the package may contain. */
const allowed = [/^dist\/chunks\/[\w.-]+\.js$/, /^l10n\/bundle\.l10n\.[\w-]+\.json$/];

/** @returns {string} where the package goes, under the name that `npm pack` would give it */
export function cliPackageFile() {
  const { name, version } = ownManifest(repoRoot);
  return path.join(repoRoot, `${name}-${version}.tgz`);
}

/**
 * @param {string} root
 * @returns {{ name: string, version: string, license: string, engines: { node: string } }}
 */
export function ownManifest(root) {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
}

/**
 * Returns the manifest of the package. It has no dependencies, because everything is bundled.
 *
 * @param {string} root
 */
function cliManifest(root) {
  const { name, version, license, engines } = ownManifest(root);
  return {
    name,
    version,
    description:
      'Ask documentation from the terminal, serve it on this machine, and give it to agents over MCP',
    keywords: ['documentation', 'docs', 'assistant', 'cli', 'mcp', 'markdown'],
    license,
    type: 'module',
    bin: { 'docs-assistant': 'dist/cli.js' },
    engines: { node: engines.node },
    files: ['dist', 'l10n', 'docs-questions.schema.json'],
  };
}

/** Matches the relative imports of a built file, also those that load later. */
const relativeImport = /["'`](\.{1,2}\/[\w./-]+\.js)["'`]/g;

/** @param {string} dist folder with the built files @returns {string[]} files of the command line */
const filesOfCli = (dist) => [...filesOf(dist, entries), ...siteScripts];

/**
 * @param {string} dist folder with the built files
 * @param {readonly string[]} starts files in it that processes start with
 * @returns {string[]} these and the files that they import, relative to the folder
 */
export function filesOf(dist, starts) {
  const reached = new Set(starts);
  for (const file of reached) {
    const source = readFileSync(path.join(dist, file), 'utf8');
    for (const [, imported = ''] of source.matchAll(relativeImport)) {
      const target = path.posix.join(path.posix.dirname(file), imported);
      if (existsSync(path.join(dist, target))) reached.add(target);
    }
  }
  return [...reached].toSorted();
}

/** Matches the imports of a built file that load with it. */
const staticImport = /(?:\bfrom|\bimport) ?["'](\.{1,2}\/[\w./-]+\.js)["']/g;

/**
 * @param {string} dist folder with the built files
 * @returns {number} bytes that load before the program knows which command it is to run
 */
export function cliStartupBytes(dist) {
  const reached = new Set([path.join(dist, 'cli.js')]);
  for (const file of reached) {
    for (const [, imported = ''] of readFileSync(file, 'utf8').matchAll(staticImport)) {
      reached.add(path.join(path.dirname(file), imported));
    }
  }
  return [...reached].reduce((sum, file) => sum + statSync(file).size, 0);
}

/** @param {readonly string[]} files built files @returns {ReadonlySet<string>} all texts that stand in their code */
function textsIn(files) {
  /** @type {Set<string>} */
  const texts = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isStringLiteralLike(node)) texts.add(node.text);
    ts.forEachChild(node, visit);
  };
  for (const file of files) {
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext));
  }
  return texts;
}

/**
 * Packs the built files with the translations of their texts. The same files give the same bytes.
 *
 * @param {string} target the file to write
 * @param {string} [root] the clone's top folder
 */
export async function packCli(target, root = repoRoot) {
  const dist = path.join(root, 'dist');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-npm-'));
  try {
    for (const file of filesOfCli(dist)) {
      const copy = path.join(folder, 'dist', file);
      await mkdir(path.dirname(copy), { recursive: true });
      await cp(path.join(dist, file), copy);
    }
    await mkdir(path.join(folder, 'l10n'));
    const said = textsIn(filesOf(dist, entries).map((file) => path.join(dist, file)));
    for (const name of await readdir(path.join(root, 'l10n'))) {
      // The bundle without a language has the English texts, which the code contains anyway.
      if (!/^bundle\.l10n\.[\w-]+\.json$/.test(name)) continue;
      const translated = JSON.parse(await readFile(path.join(root, 'l10n', name), 'utf8'));
      const kept = Object.entries(translated).filter(([text]) => said.has(text));
      const bundle = JSON.stringify(Object.fromEntries(kept));
      await writeFile(path.join(folder, 'l10n', name), bundle);
    }
    await writeFile(
      path.join(folder, 'package.json'),
      `${JSON.stringify(cliManifest(root), null, 2)}\n`,
    );
    await cp(path.join(root, 'docs/command-line.md'), path.join(folder, 'README.md'));
    for (const name of ['LICENSE', 'docs-questions.schema.json']) {
      await cp(path.join(root, name), path.join(folder, name));
    }
    await packFolder(folder, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Packs a folder as npm does. The same files give the same bytes.
 *
 * @param {string} folder
 * @param {string} target the file to write
 */
export async function packFolder(folder, target) {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => statSync(path.join(folder, name)).isFile()).toSorted();
  await tar.create(
    {
      file: target,
      cwd: folder,
      prefix: 'package',
      gzip: { level: 9 },
      portable: true,
      // npm gives every file of a package this time.
      mtime: new Date('1985-10-26T08:15:00.000Z'),
    },
    files,
  );
}

/** @param {string} file @returns {Promise<string[]>} the files of a package */
export async function packedFiles(file) {
  /** @type {string[]} */
  const names = [];
  await tar.list({ file, onReadEntry: ({ path: name }) => void names.push(name) });
  return names.map((name) => name.replace(/^package\//, ''));
}

/**
 * @param {readonly string[]} names files of the package
 * @returns {string[]} files that are missing and files that must not be there
 */
export function cliFileProblems(names) {
  return packageFileProblems(names, requiredFiles, allowed);
}

/**
 * Prints the size, and returns the problems of the package.
 *
 * @param {string} file
 * @param {string} [root] the clone's top folder, where the package was made
 * @returns {Promise<string[]>} problems, empty if there are none
 */
export async function checkCliPackage(file, root = repoRoot) {
  const names = await packedFiles(file);
  const problems = cliFileProblems(names);
  const { size } = statSync(file);
  const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  console.log(
    `command line: ${kilobytes(size)} of ${kilobytes(MAX_PACKAGE_BYTES)}, ${names.length} files`,
  );
  const startup = cliStartupBytes(path.join(root, 'dist'));
  console.log(
    `start-up of the command line: ${kilobytes(startup)} of ${kilobytes(MAX_STARTUP_BYTES)}`,
  );
  if (startup > MAX_STARTUP_BYTES) {
    problems.push(`the command line's start-up is larger than ${kilobytes(MAX_STARTUP_BYTES)}`);
  }
  if (size > MAX_PACKAGE_BYTES) {
    problems.push(`the package for npm is larger than ${kilobytes(MAX_PACKAGE_BYTES)}`);
  }
  return problems;
}
