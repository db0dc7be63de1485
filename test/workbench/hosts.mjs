// @ts-check
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { repoRoot } from '../tooling/paths.mjs';

/** @typedef {'desktop' | 'oldest' | 'newest' | 'restricted'} HostName */

/** The bundled suites. */
const built = path.join(repoRoot, 'out', 'test', 'workbench');

/** Module that the extension host loads to run tests. */
export const suiteEntry = path.join(built, 'index.cjs');

/** @type {readonly HostName[]} */
export const hostNames = ['desktop', 'oldest', 'newest', 'restricted'];

/** @param {HostName} host one in code-server @returns {'oldest' | 'newest'} the release of code-server */
export const releaseOf = (host) => (host === 'newest' ? 'newest' : 'oldest');

/**
 * Languages of the loads of a host's window that are not in English, by the number of reloads before.
 *
 * @type {Partial<Record<HostName, Readonly<Record<number, string>>>>}
 */
export const languagesOf = { oldest: { 4: 'de' } };

/**
 * The tests of a host that does not run all of its files.
 *
 * @type {Partial<Record<HostName, string>>}
 */
export const testsOf = {
  newest:
    '/the packaged extension|sends a code selection|continues the thread|reply that runs when|after the reload shows what|a static export, the whole way|the offer of a model|a model that was taken|a reply by a model|the docs tools, called through|@docs|a problem with a package|terminal, without its colors|menu is opened in the explorer|notebook cell with the error|docs sites|a set-up link, and Check Setup|the MCP server of the window|Copy MCP Configuration|opens a changed page as readable|docs questions in the Test Explorer/',
};

/** Files of `suite/ui` that the newest host loads. */
const newestFiles =
  /[/\\](?:agentTools|ask|compareBundles|docsParticipant|entryPoints|mcpServer|models|questions|setUpLink|sites|staticExport)\./;

/** @param {string} folder of the bundled suite @returns {Promise<string[]>} its test files, in name order */
async function testFiles(folder) {
  const names = await readdir(path.join(built, folder)).catch(() => []);
  const files = names.filter((name) => name.endsWith('.test.cjs')).sort();
  return files.map((name) => path.join(built, folder, name));
}

/**
 * A window in which a host runs tests.
 *
 * @typedef {object} SuiteWindow
 * @property {HostName} host
 * @property {string} name of the folder of its logs
 * @property {readonly (readonly string[])[]} phases the test files of each of its loads
 */

/**
 * The first file of the second window of the oldest host. The files before it and the files from it on, with the
 * reloads, take about the same time.
 */
const SECOND_WINDOW_FROM = 'replace.test.cjs';

/**
 * Returns the windows of each host, the longest first.
 *
 * @param {boolean} isSplit whether the oldest host, which runs all tests, has two windows
 * @returns {Promise<SuiteWindow[]>}
 */
export async function findWindows(isSplit) {
  const inHost = await testFiles('suite');
  const inWindow = await testFiles('suite/ui');
  // Extensions can register models since VS Code 1.104.
  const ofOldest = inWindow.filter((file) => !/[/\\]models\./.test(file));
  const isSecond = (/** @type {string} */ file) =>
    isSplit && path.basename(file) >= SECOND_WINDOW_FROM;
  const oldest = [[...inHost, ...ofOldest.filter((file) => !isSecond(file))]];
  const newest = [[...inHost, ...inWindow.filter((file) => newestFiles.test(file))]];
  const reloaded = isSplit ? [ofOldest.filter(isSecond)] : oldest;
  for (const file of await testFiles('suite/reload')) {
    const reloads = Number.parseInt(path.basename(file), 10);
    // The oldest has no models.
    if (!/-offeredModel\./.test(file)) (reloaded[reloads] ??= []).push(file);
    if (reloads === 0 || path.basename(file).startsWith('1a-')) (newest[reloads] ??= []).push(file);
  }
  return [
    { host: 'desktop', name: 'desktop', phases: [inHost] },
    { host: 'oldest', name: 'oldest', phases: oldest },
    ...(isSplit
      ? [{ host: /** @type {const} */ ('oldest'), name: 'oldest-2', phases: reloaded }]
      : []),
    { host: 'newest', name: 'newest', phases: newest },
    { host: 'restricted', name: 'restricted', phases: [await testFiles('suite/restricted')] },
  ];
}
