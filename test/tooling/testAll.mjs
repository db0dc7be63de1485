/**
 * Runs `npm test`: sets up, checks, and runs every test layer. Steps that use one core run side by
 * side. `--only unit,lint` runs some of the steps; `--changed` runs what the changes since main can
 * affect.
 *
 * The last line adds up all layers. A step that is not a layer counts as one failure if it fails.
 * With `CI_HOST_OPTIONAL=1`, a VS Code host that can't be installed or doesn't start counts as skipped.
 */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { forgetResult, layers, readResult } from './layers.mjs';
import { repoRoot } from './paths.mjs';
import { npmCommand, run, stopAllOnExit } from './processes.mjs';
import { SetupError, ensureNodeModules } from './setup.mjs';

/** @typedef {import('./layers.mjs').LayerName} LayerName */

/**
 * One part of `npm test`: an npm script, a Node program or a test layer.
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {string} [script]
 * @property {string[]} [node]
 * @property {LayerName} [layer]
 * @property {string[]} [files] test files of the layer; all by default
 * @property {readonly string[]} needs steps that must have ended before
 * @property {boolean} [isWide] whether it uses all cores by itself
 */

/** @type {readonly Step[]} The longest of the small steps begins first. */
const allSteps = [
  { name: 'format', script: 'format:check', needs: [] },
  { name: 'lint', script: 'lint', needs: [] },
  { name: 'types', script: 'check', needs: [] },
  { name: 'build', node: ['esbuild.mjs', '--tests', '--production', '--metafile'], needs: [] },
  { name: 'package', node: ['test/tooling/package.mjs', '--no-build'], needs: ['build'] },
  { name: 'contributions', script: 'check:contributions', needs: [] },
  { name: 'l10n', node: ['test/tooling/l10n.mjs', '--check'], needs: [] },
  { name: 'docs', node: ['test/tooling/protocolDocs.mjs', '--check'], needs: [] },
  { name: 'unit', layer: 'unit', needs: ['build'], isWide: true },
  { name: 'service', layer: 'service', needs: ['build'], isWide: true },
  { name: 'webview', layer: 'webview', needs: ['build'], isWide: true },
  { name: 'workbench', layer: 'workbench', needs: ['build', 'package'], isWide: true },
];

/** Failed tests of a layer, and lines of each, that the end of the output repeats. */
const MAX_SHOWN_FAILURES = 10;
const MAX_FAILURE_LINES = 12;

const totals = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const notes = [];

/** @param {string} step @param {string} reason */
function failStep(step, reason) {
  totals.failed += 1;
  notes.push(`FAILED ${step}: ${reason}`);
}

/** @param {string} failure @returns {string} its beginning, indented */
function shortFailure(failure) {
  const lines = failure.split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(0, MAX_FAILURE_LINES)
    .map((line) => `  ${line}`)
    .join('\n');
}

/** @param {LayerName} layer @param {number} code */
async function countLayer(layer, code) {
  const result = await readResult(layer);
  if (result === undefined) {
    failStep(layer, `it ended with code ${code} and left no results`);
    return;
  }
  if (result.unavailable !== undefined) {
    const [reason = ''] = (result.reason ?? result.unavailable).split('\n');
    if (result.unavailable === 'host-start' && process.env.CI_HOST_OPTIONAL === '1') {
      totals.skipped += layers[layer].minimumTests;
      notes.push(`SKIPPED ${layer}, all of it: ${reason}`);
    } else {
      failStep(layer, reason);
    }
    return;
  }
  totals.passed += result.passed;
  totals.failed += result.failed;
  totals.skipped += result.skipped;
  for (const [suite, count] of Object.entries(result.skippedIn ?? {})) {
    notes.push(`SKIPPED ${layer}: ${count} tests of “${suite}”`);
  }
  if (result.failed > 0) {
    notes.push(`FAILED ${layer}: ${result.failed} tests`);
    // The end of the log repeats the failures, because some readers of a long log see only the end.
    notes.push(...(result.failures ?? []).slice(0, MAX_SHOWN_FAILURES).map(shortFailure));
  } else if (code !== 0) {
    failStep(layer, `it ended with code ${code}`);
  }
}

/** @param {Step} step @param {boolean} isAlone whether its output may be shown as it comes */
async function runStep(step, isAlone) {
  const startedAt = Date.now();
  const title = `\n── ${step.name} ${'─'.repeat(60 - step.name.length)}`;
  if (isAlone) console.log(title);
  /** @param {string} command @param {readonly string[]} args @param {boolean} [shell] */
  const start = (command, args, shell = false) =>
    run(command, args, { cwd: repoRoot, shell, title: isAlone ? undefined : title });
  let code;
  if (step.layer !== undefined) {
    await forgetResult(step.layer);
    const args = ['test/tooling/runLayer.mjs', step.layer, '--no-build', ...(step.files ?? [])];
    ({ code } = await start(process.execPath, args));
    await countLayer(step.layer, code);
  } else if (step.script !== undefined) {
    const { command, args, shell } = npmCommand();
    ({ code } = await start(command, [...args, 'run', '--silent', step.script], shell));
  } else {
    ({ code } = await start(process.execPath, step.node ?? []));
  }
  if (step.layer === undefined && code !== 0) failStep(step.name, `it ended with code ${code}`);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${step.name}: ${code === 0 ? 'ok' : 'NOT OK'}, ${seconds} s`);
  return code;
}

/**
 * Runs steps in order, as many at a time as there are cores. A step that has to wait lets later ones
 * begin before it.
 *
 * @param {readonly Step[]} steps
 */
async function runSteps(steps) {
  const cores = Math.max(1, os.availableParallelism());
  const waiting = [...steps];
  /** @type {Map<string, { uses: number, ended: Promise<void> }>} */
  const running = new Map();
  let isBuilt = true;
  while (waiting.length > 0 || running.size > 0) {
    const left = new Set([...waiting.map(({ name }) => name), ...running.keys()]);
    const used = [...running.values()].reduce((sum, { uses }) => sum + uses, 0);
    const next = waiting.find(
      ({ needs, isWide }) =>
        (isWide ? used === 0 : used < cores) && !needs.some((name) => left.has(name)),
    );
    if (next === undefined) {
      await Promise.race([...running.values()].map(({ ended }) => ended));
      continue;
    }
    waiting.splice(waiting.indexOf(next), 1);
    if (next.needs.includes('build') && !isBuilt) {
      // Without this check, a layer would test the files of an earlier build.
      failStep(next.name, 'not run, as the build failed');
      continue;
    }
    const isAlone = next.isWide === true || cores === 1;
    const ended = runStep(next, isAlone).then((code) => {
      running.delete(next.name);
      if (next.name === 'build' && code !== 0) isBuilt = false;
    });
    running.set(next.name, { uses: next.isWide ? cores : 1, ended });
  }
}

/** Returns the steps for what has changed since main: no package and no workbench. */
async function changedSteps() {
  // The import graph needs packages, which a fresh clone installs first.
  const { whatChanged } = await import('./changedTests.mjs');
  const { files, tests } = whatChanged();
  const linted = files.filter((file) => /\.(?:ts|mjs|cjs)$/.test(file));
  console.log(`${files.length} files changed`);
  /** @type {Step[]} */
  const steps = [{ name: 'types', script: 'check', needs: [] }];
  if (linted.length > 0) {
    const oxlint = ['node_modules/oxlint/bin/oxlint', '--no-error-on-unmatched-pattern'];
    steps.push({ name: 'lint', node: [...oxlint, ...linted], needs: [] });
  }
  if (files.length > 0) {
    const oxfmt = ['node_modules/oxfmt/bin/oxfmt', '--check', '--no-error-on-unmatched-pattern'];
    steps.push({ name: 'format', node: [...oxfmt, ...files], needs: [] });
  }
  for (const step of allSteps) {
    if (step.layer === undefined || step.layer === 'workbench') continue;
    const chosen = tests[step.layer];
    if (chosen.length === 0) continue;
    console.log(`${step.layer}: ${chosen.length} test files`);
    steps.push({ ...step, files: chosen });
  }
  const build = allSteps.find(({ name }) => name === 'build');
  if (build && steps.some(({ layer }) => layer !== undefined)) steps.unshift(build);
  return steps;
}

async function testAll() {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, changed: { type: 'boolean', default: false } },
  });
  const wanted = values.only?.split(',');
  const names = allSteps.map((step) => step.name);
  const unknown = wanted?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new SetupError(`--only ${unknown}: the steps are ${names.join(', ')}`);
  await ensureNodeModules();
  if (values.changed) {
    await runSteps(await changedSteps());
    return;
  }
  const steps = allSteps.filter(({ name }) => {
    if (wanted === undefined || wanted.includes(name)) return true;
    // Layers run the built files, and the workbench runs the packaged ones.
    if (name === 'build') return wanted.some((other) => other === 'package' || other in layers);
    return name === 'package' && wanted.includes('workbench');
  });
  await runSteps(steps);
}

stopAllOnExit();
try {
  await testAll();
} catch (error) {
  failStep('set-up', error instanceof SetupError ? error.message : String(error));
}
console.log(`\n${notes.map((note) => `${note}\n`).join('')}`);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed > 0 ? 1 : 0;
