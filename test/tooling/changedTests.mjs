// @ts-check
/** Finds what a change can affect, for `npm test -- --changed`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ImportGraph } from './importGraph.mjs';
import { repoRoot } from './paths.mjs';

/** @typedef {'unit' | 'service' | 'webview'} NodeLayer */

/** Webview tests for files that every part of the view depends on. */
const broadWebviewTests = ['test/webview/keyboard.test.ts', 'test/webview/thread/asking.test.ts'];

/** @param {readonly string[]} args @returns {string[]} the lines that git prints */
function git(...args) {
  const output = execFileSync('git', args, { cwd: repoRoot, encoding: 'utf8' });
  return output.split('\n').filter((line) => line !== '');
}

/** Returns the commit that main and the checked-out branch share, or HEAD in a clone without main. */
function baseCommit() {
  for (const main of ['main', 'origin/main']) {
    try {
      return git('merge-base', main, 'HEAD')[0] ?? 'HEAD';
    } catch {
      // This clone has no branch `main`.
    }
  }
  return 'HEAD';
}

/**
 * Returns the files that differ from main, including uncommitted and new ones. Deleted files are left
 * out, because the files that imported them have changed too, or don't compile.
 */
export function changedFiles() {
  const changed = git('diff', '--name-only', '--diff-filter=d', baseCommit());
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return [...new Set([...changed, ...untracked])].filter((file) =>
    existsSync(path.join(repoRoot, file)),
  );
}

/** @param {string} file @returns {NodeLayer | undefined} the layer of a test file */
function layerOf(file) {
  const [, layer] = /^test\/(unit|service|webview)\/.*\.test\.ts$/.exec(file) ?? [];
  return /** @type {NodeLayer | undefined} */ (layer);
}

/** @param {string} changed @param {string} test a webview test @returns whether the test is about the file */
function isAboutWebviewFile(changed, test) {
  if (!/^(?:webview|src\/shared)\//.test(changed)) return false;
  const [, room] = /^webview\/([^/]+)\/[^/]+$/.exec(changed) ?? [];
  const roomTests = `test/webview/${room}/`;
  if (room !== undefined && test.startsWith(roomTests)) return true;
  return broadWebviewTests.includes(test);
}

/**
 * Returns the test files that a change can affect, by layer.
 *
 * A unit or service test is affected if its imports lead to a changed file, or if its text names a
 * changed file that isn't code, such as a fixture. A test that runs the build is affected by
 * every change of the host's code, because its imports don't show that code. Webview tests run the build
 * too. For them, the function chooses the tests in the folder of the changed file's room, and two tests
 * that use most of the view.
 *
 * @param {readonly string[]} changed files relative to the clone
 * @param {Pick<ImportGraph, 'files' | 'importsOf'>} graph of `src`, `webview` and `test`
 * @param {(file: string) => string} textOf returns a test file's text
 * @returns {Record<NodeLayer, string[]>}
 */
export function affectedTests(changed, graph, textOf) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const file of graph.files) {
    for (const imported of graph.importsOf(file)) {
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const importersOf = (/** @type {readonly string[]} */ files) => {
    const reached = new Set(files);
    for (const file of reached) {
      for (const importer of importers.get(file) ?? []) reached.add(importer);
    }
    return reached;
  };
  const reached = importersOf(changed);
  // Every webview test imports the protocol by its fake host, so imports of the product say too little.
  const reachedInTests = importersOf(changed.filter((file) => file.startsWith('test/')));
  const known = new Set(graph.files);
  const named = changed.filter((file) => !known.has(file) && !file.endsWith('.md'));
  const hasHostChange = changed.some((file) => file.startsWith('src/'));

  /** @type {Record<NodeLayer, string[]>} */
  const tests = { unit: [], service: [], webview: [] };
  for (const file of [...graph.files].sort()) {
    const layer = layerOf(file);
    if (layer === undefined) continue;
    const isAffected = () => {
      if (layer === 'webview') {
        return reachedInTests.has(file) || changed.some((one) => isAboutWebviewFile(one, file));
      }
      if (reached.has(file)) return true;
      const text = textOf(file);
      if (hasHostChange && /\bdist\//.test(text)) return true;
      return named.some((one) => text.includes(path.posix.basename(one)));
    };
    if (isAffected()) tests[layer].push(file);
  }
  return tests;
}

/** Returns the changed files and the tests that they can affect. */
export function whatChanged() {
  const files = changedFiles();
  const graph = new ImportGraph(repoRoot, ['src', 'webview', 'test']);
  const textOf = (/** @type {string} */ file) => readFileSync(path.join(repoRoot, file), 'utf8');
  return { files, tests: affectedTests(files, graph, textOf) };
}
