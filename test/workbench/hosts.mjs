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

/** Parts of the names of the tests that the newest host runs: one for each thing that a new VS Code could break. */
const newestTests = [
  'the packaged extension',
  'vscode\\.lm\\.invokeTool (?:are listed|search, read)',
  '@docs in VS Code’s own chat (?:is registered|answers with)',
  'sends a code selection',
  'continues the thread',
  'reply that runs when',
  'after the reload shows what',
  'the MCP server of the window is started',
  'the offer of a model',
  'a model that was taken',
  'a reply by a model',
  'docs sites (?:that the workspace recommends|are switched in the header)',
  'the whole way (?:accepts|starts a job|goes on to|downloads|unpacks|checks the bundle|previews)',
];

/**
 * The tests of a host that does not run all of its files.
 *
 * @type {Partial<Record<HostName, string>>}
 */
export const testsOf = { newest: `/${newestTests.join('|')}/` };

/** Files of `suite/ui` that the newest host loads. */
const newestFiles = /[/\\](?:agentTools|ask|docsParticipant|mcpServer|models|sites|staticExport)\./;

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
 * The first file of the second window of the oldest host. The files before it and the files from it on, with the reloads,
 * take about the same time.
 */
const secondWindowFrom = 'questions.test.cjs';

/**
 * Returns the windows of each host, the longest first.
 *
 * @param {boolean} isSplit whether the oldest host has two windows
 * @returns {Promise<SuiteWindow[]>}
 */
export async function findWindows(isSplit) {
  const inHost = await testFiles('suite');
  const inWindow = await testFiles('suite/ui');
  const reloads = await testFiles('suite/reload');
  // Extensions can register models since VS Code 1.104, so the oldest has none.
  const ofOldest = inWindow.filter((file) => !/[/\\]models\./.test(file));
  const ofNewest = inWindow.filter((file) => newestFiles.test(file));
  const afterOldest = reloads.filter((file) => !/-offeredModel\./.test(file));
  const afterNewest = reloads.filter((file) => /^(?:0|1a)-/.test(path.basename(file)));
  return [
    { host: 'desktop', name: 'desktop', phases: [inHost] },
    ...windowsOf('oldest', inHost, ofOldest, afterOldest, isSplit),
    ...windowsOf('newest', inHost, ofNewest, afterNewest, false),
    { host: 'restricted', name: 'restricted', phases: [await testFiles('suite/restricted')] },
  ];
}

/**
 * @param {'oldest' | 'newest'} host
 * @param {readonly string[]} inHost
 * @param {readonly string[]} inWindow
 * @param {readonly string[]} reloads files whose names begin with the number of reloads before them
 * @param {boolean} isSplit
 * @returns {SuiteWindow[]} one window, or two of which the second has the reloads
 */
function windowsOf(host, inHost, inWindow, reloads, isSplit) {
  const isSecond = (/** @type {string} */ file) =>
    isSplit && path.basename(file) >= secondWindowFrom;
  const first = [...inHost, ...inWindow.filter((file) => !isSecond(file))];
  /** @type {string[][]} */
  const reloaded = [isSplit ? inWindow.filter(isSecond) : first];
  for (const file of reloads)
    (reloaded[Number.parseInt(path.basename(file), 10)] ??= []).push(file);
  const last = { host, name: isSplit ? `${host}-2` : host, phases: reloaded };
  return isSplit ? [{ host, name: host, phases: [first] }, last] : [last];
}
