// @ts-check
/**
 * Builds and runs one test layer:
 * `node test/tooling/runLayer.mjs <layer> [--no-build] [test files] [mocha's flags]`.
 *
 * Test files are named by their sources, such as `test/unit/chat/x.test.ts`; all files run by default.
 * Mocha runs files side by side; `--no-parallel` runs one after the other, for a debugger. Prints
 * time and counts, writes them to `out/results/<layer>.json`, and exits with 1 if a test fails.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  forgetResult,
  layerNames,
  layers,
  readResult,
  resultFile,
  writeResult,
} from './layers.mjs';
import { repoRoot, resultsFolder } from './paths.mjs';
import { ensurePostgres } from './postgresPrograms.mjs';
import { run, stopAllOnExit } from './processes.mjs';
import { SetupError, ensureHeadlessChromium, ensureNodeModules } from './setup.mjs';
import { scaledMs } from './speed.mjs';

/** @typedef {import('./layers.mjs').LayerName} LayerName */

/** @param {readonly string[]} args @param {number} [limitMs] @param {NodeJS.ProcessEnv} [env] */
const node = (args, limitMs, env = process.env) =>
  run(process.execPath, args, {
    cwd: repoRoot,
    env,
    limitMs,
  });

/**
 * Returns how many test files run at the same time: two per core, because tests mostly wait for frames and
 * answers, and at most four, because more would wait for the same disk and browser. Unit tests rarely wait,
 * and each of their processes loads the sources again.
 *
 * @param {LayerName} layer
 */
const jobsOf = (layer) => {
  const cores = os.availableParallelism();
  return Math.min(4, layer === 'unit' ? cores + 1 : 2 * cores);
};

/** @param {string} flag @returns whether it names a test file by its source */
const isTestFile = (flag) => flag.endsWith('.test.ts');

/** @param {string} source @returns {string} the built file of a test */
const builtFile = (source) =>
  path.join('out', path.relative(repoRoot, path.resolve(source))).replace(/\.ts$/, '.js');

/**
 * Returns the built files of a layer. The slowest come first, because a slow file that starts last would
 * run alone at the end.
 *
 * @param {LayerName} layer
 */
async function filesOf(layer) {
  const folder = path.join('out', 'test', layer);
  const names = await readdir(path.join(repoRoot, folder), { recursive: true });
  const tests = names.filter((name) => name.endsWith('.test.js')).toSorted();
  const longest = layers[layer].longest.map((name) => path.normalize(`${name}.test.js`));
  const gone = longest.filter((name) => !tests.includes(name));
  if (gone.length > 0) throw new Error(`layers.mjs names tests that are gone: ${gone.join(', ')}`);
  const others = tests.filter((name) => !longest.includes(name));
  return [...longest, ...others].map((name) => path.join(folder, name));
}

/** @param {LayerName} layer @param {readonly string[]} flags */
async function runInNode(layer, flags) {
  const named = flags.filter(isTestFile).map(builtFile);
  const files = named.length > 0 ? named : await filesOf(layer);
  const env = { ...process.env };
  if (layer === 'webview') env.CHROME_PATH = await ensureHeadlessChromium();
  const isAboutPostgres = named.length === 0 || named.some((file) => file.includes('company'));
  if (layer === 'service' && isAboutPostgres) await ensurePostgres();
  await mkdir(resultsFolder, { recursive: true });
  const { testLimitMs, layerLimitMs } = layers[layer];
  return node(
    [
      '--enable-source-maps',
      'node_modules/mocha/bin/mocha.js',
      ...files,
      '--parallel',
      '--jobs',
      String(jobsOf(layer)),
      '--forbid-only',
      '--timeout',
      String(scaledMs(testLimitMs)),
      '--reporter',
      'test/tooling/layerReporter.mjs',
      '--reporter-option',
      `output=${resultFile(layer)}`,
      ...flags.filter((flag) => !isTestFile(flag)),
    ],
    scaledMs(layerLimitMs),
    env,
  );
}

/** @param {readonly string[]} mochaFlags @param {boolean} mayPackage */
async function runInWorkbench(mochaFlags, mayPackage) {
  if (mayPackage) {
    const packaged = await node(['test/tooling/package.mjs', '--no-build']);
    if (packaged.code !== 0) return packaged;
  }
  const limitMs = scaledMs(layers.workbench.layerLimitMs);
  return node(['test/workbench/runWorkbench.mjs', ...mochaFlags], limitMs);
}

/** @param {LayerName} layer @param {readonly string[]} flags @returns {Promise<number>} the exit code */
async function runLayer(layer, flags) {
  const mayBuild = !flags.includes('--no-build');
  const mochaFlags = flags.filter((flag) => flag !== '--no-build');
  const isNarrowed = mochaFlags.length > 0;
  const startedAt = Date.now();
  await ensureNodeModules();
  await forgetResult(layer);
  if (mayBuild) {
    // The tests run the files that ship.
    const built = await node(['esbuild.mjs', '--tests', '--production', '--metafile']);
    if (built.code !== 0) return built.code;
  }
  const ran =
    layer === 'workbench'
      ? await runInWorkbench(mochaFlags, mayBuild)
      : await runInNode(layer, mochaFlags);

  const counts = await readResult(layer);
  if (counts === undefined) {
    const why = ran.timedOut
      ? 'did not end in time'
      : `ended with code ${ran.code} before its results`;
    console.error(`${layer}: ${why}`);
    return 1;
  }
  const result = { ...counts, durationMs: Date.now() - startedAt };
  const found = result.passed + result.failed + result.skipped;
  const { minimumTests } = layers[layer];
  if (result.unavailable === undefined && !isNarrowed && found < minimumTests) {
    console.error(`${layer}: found ${found} tests, expected at least ${minimumTests} (layers.mjs)`);
    result.failed += 1;
  } else if (result.unavailable === undefined && result.failed === 0 && ran.code !== 0) {
    const why = ran.timedOut
      ? 'something it left open kept it from ending'
      : `it ended with ${ran.code}`;
    console.error(`${layer}: every test passed, but ${why}`);
    result.failed += 1;
  }
  await writeResult(layer, result);
  const seconds = (result.durationMs / 1000).toFixed(1);
  console.log(
    `${layer}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped in ${seconds} s`,
  );
  return result.failed > 0 || result.unavailable !== undefined ? 1 : 0;
}

const [layerArgument, ...flags] = process.argv.slice(2);
const layer = layerNames.find((name) => name === layerArgument);
stopAllOnExit();
if (layer === undefined) {
  console.error(`usage: node test/tooling/runLayer.mjs <${layerNames.join('|')}> [mocha flags]`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await runLayer(layer, flags);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    const none = { passed: 0, failed: 0, skipped: 0, durationMs: 0 };
    if (existsSync(path.join(repoRoot, 'node_modules'))) {
      await writeResult(layer, { ...none, unavailable: 'setup', reason: error.message });
    }
    process.exitCode = 1;
  }
}
