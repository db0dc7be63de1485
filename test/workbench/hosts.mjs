// @ts-check
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { repoRoot } from '../tooling/paths.mjs';

/** @typedef {'desktop' | 'oldest' | 'newest' | 'restricted'} HostName */

/** The bundled suites. */
const built = path.join(repoRoot, 'out', 'test', 'workbench');

/** What the extension host loads to run tests. */
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
    '/the packaged extension|sends a code selection|continues the thread|reply that runs when|after the reload shows what|a static export, the whole way|a reply by a model|the docs tools, called through|@docs|a problem with a package|terminal, without its colors|menu is opened in the explorer|notebook cell with the error|docs sites|a set-up link, and Check Setup|the MCP server of the window|Copy MCP Configuration|opens a changed page as readable|docs questions in the Test Explorer/',
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

/** @returns {Promise<Record<HostName, string[][]>>} the test files of each load of each host's window */
export async function findPhases() {
  const inHost = await testFiles('suite');
  const inWindow = await testFiles('suite/ui');
  const phasesOf = {
    desktop: [inHost],
    // Extensions can register models since VS Code 1.104.
    oldest: [[...inHost, ...inWindow.filter((file) => !/[/\\]models\./.test(file))], []],
    newest: [[...inHost, ...inWindow.filter((file) => newestFiles.test(file))], []],
    restricted: [await testFiles('suite/restricted')],
  };
  for (const file of await testFiles('suite/reload')) {
    const reloads = Number.parseInt(path.basename(file), 10);
    (phasesOf.oldest[reloads] ??= []).push(file);
    if (reloads === 0 || path.basename(file).startsWith('1a-'))
      phasesOf.newest[reloads]?.push(file);
  }
  return phasesOf;
}
