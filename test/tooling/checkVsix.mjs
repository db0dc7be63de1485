// @ts-check
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { siteScripts } from './cliPackage.mjs';
import { packageFileProblems } from './packageFiles.mjs';
import { repoRoot } from './paths.mjs';
import { listVsix } from './vsix.mjs';

export const MAX_VSIX_BYTES = 3_000_000;
/** Maximum bytes that `activate` loads: the entry of the host and the chunks that it imports statically. */
const MAX_STARTUP_BYTES = 60 * 1024;

/** Built files that VS Code, a process or a worker thread starts with. */
export const entriesOfVsix = [
  'extension.js',
  'checkBundle.js',
  'compareBundles.js',
  'comparePackages.js',
  'hashArchive.js',
  'surveySite.js',
  'enhanceSite.js',
  'mcp.js',
  'localService.js',
];

/** Files that the package must contain. vsce renames some of them. */
export const requiredFiles = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/package.json',
  'extension/package.nls.json',
  'extension/package.nls.de.json',
  'extension/l10n/bundle.l10n.de.json',
  'extension/readme.md',
  'extension/changelog.md',
  'extension/LICENSE.txt',
  'extension/docs-questions.schema.json',
  'extension/media/icon.png',
  'extension/media/activity.svg',
  ...entriesOfVsix.map((entry) => `extension/dist/${entry}`),
  'extension/dist/webview/main.js',
  'extension/dist/webview/styles.css',
  ...siteScripts.map((script) => `extension/dist/${script}`),
];

/** Matches the other files that the package may contain. */
const allowed = [
  /^extension\/package\.nls\.[\w-]+\.json$/,
  /^extension\/l10n\/bundle\.l10n\.[\w-]+\.json$/,
  /^extension\/media\/walkthrough\/[\w.-]+\.webp$/,
  /^extension\/dist\/chunks\/[\w.-]+\.js$/,
  /^extension\/dist\/webview\/[\w.-]+\.(?:js|css|ttf)$/,
  /^extension\/dist\/webview\/chunks\/[\w.-]+\.js$/,
  /^extension\/dist\/sampleDocs\/[\w./-]+\.(?:md|mdx|svg|png|json)$/,
];

/**
 * @param {readonly string[]} names files of the `.vsix`
 * @returns {string[]} files that are missing and files that must not be there
 */
export function fileProblems(names) {
  return packageFileProblems(names, requiredFiles, allowed);
}

/**
 * @typedef {object} Metafile the part of esbuild's metafile that is read here
 * @property {Record<string, { bytes: number, imports: { path: string, kind: string, external?: boolean }[] }>} outputs
 */

/**
 * @param {Metafile} metafile
 * @param {string} entry an output file
 * @returns {string[]} the entry and all files that its static imports lead to
 */
export function startupFiles(metafile, entry) {
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const { path: imported, kind, external } of metafile.outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) reached.add(imported);
    }
  }
  return [...reached];
}

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} KB`;

/**
 * Prints the sizes, and returns the problems of the package.
 *
 * @param {string} vsixFile
 * @returns {Promise<string[]>} problems, empty if there are none
 */
export async function checkVsix(vsixFile) {
  const files = await listVsix(vsixFile);
  const problems = fileProblems(files.map(({ name }) => name));

  const vsixBytes = (await stat(vsixFile)).size;
  console.log(
    `package: ${kilobytes(vsixBytes)} of ${kilobytes(MAX_VSIX_BYTES)}, ${files.length} files`,
  );
  if (vsixBytes > MAX_VSIX_BYTES)
    problems.push(`the package is larger than ${kilobytes(MAX_VSIX_BYTES)}`);

  /** @type {Metafile} */
  const metafile = JSON.parse(
    await readFile(path.join(repoRoot, 'out/meta/programs.json'), 'utf8'),
  );
  const startup = startupFiles(metafile, 'dist/extension.js');
  const startupBytes = startup.reduce((sum, file) => sum + (metafile.outputs[file]?.bytes ?? 0), 0);
  console.log(
    `start-up of the host: ${kilobytes(startupBytes)} of ${kilobytes(MAX_STARTUP_BYTES)}`,
  );
  for (const file of startup)
    console.log(`  ${kilobytes(metafile.outputs[file]?.bytes ?? 0)}  ${file}`);
  if (startupBytes > MAX_STARTUP_BYTES) {
    problems.push(`the host's start-up is larger than ${kilobytes(MAX_STARTUP_BYTES)}`);
  }

  const largest = files.toSorted((a, b) => b.sizeBytes - a.sizeBytes).slice(0, 5);
  console.log('largest files, unpacked:');
  for (const { name, sizeBytes } of largest) console.log(`  ${kilobytes(sizeBytes)}  ${name}`);
  return problems;
}
