// @ts-check
/**
 * `npm test`: sets up, checks, and runs every test layer. `--only unit,lint` runs a part.
 *
 * The last line counts over all layers; a step that is not a layer counts only when it fails, as one.
 * With `CI_HOST_OPTIONAL=1` a VS Code host that cannot be had or does not come up counts as skipped.
 */
import { parseArgs } from 'node:util';
import { forgetResult, layerNames, layers, readResult } from './layers.mjs';
import { repoRoot } from './paths.mjs';
import { npmCommand, run, stopAllOnExit } from './processes.mjs';
import { SetupError, ensureNodeModules } from './setup.mjs';

/** @typedef {import('./layers.mjs').LayerName} LayerName */

/** @type {{ name: string, script?: string, layer?: LayerName, node?: string[] }[]} */
const steps = [
  { name: 'types', script: 'check' },
  { name: 'lint', script: 'lint' },
  { name: 'format', script: 'format:check' },
  { name: 'contributions', script: 'check:contributions' },
  { name: 'docs', node: ['test/tooling/protocolDocs.mjs', '--check'] },
  { name: 'build', node: ['esbuild.mjs', '--tests'] },
  { name: 'unit', layer: 'unit' },
  { name: 'service', layer: 'service' },
  { name: 'webview', layer: 'webview' },
  { name: 'package', script: 'package' },
  { name: 'workbench', layer: 'workbench' },
];

const totals = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const notes = [];

/** @param {string} step @param {string} reason */
function failStep(step, reason) {
  totals.failed += 1;
  notes.push(`FAILED ${step}: ${reason}`);
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
  if (result.failed > 0) notes.push(`FAILED ${layer}: ${result.failed} tests`);
  else if (code !== 0) failStep(layer, `it ended with code ${code}`);
}

/** @param {(typeof steps)[number]} step @returns {Promise<number>} its exit code */
async function runStep(step) {
  console.log(`\n── ${step.name} ${'─'.repeat(60 - step.name.length)}`);
  const startedAt = Date.now();
  let code;
  if (step.layer !== undefined) {
    await forgetResult(step.layer);
    const args = ['test/tooling/runLayer.mjs', step.layer, '--no-build'];
    ({ code } = await run(process.execPath, args, { cwd: repoRoot }));
    await countLayer(step.layer, code);
  } else if (step.script !== undefined) {
    const { command, args, shell } = npmCommand();
    ({ code } = await run(command, [...args, 'run', '--silent', step.script], {
      cwd: repoRoot,
      shell,
    }));
  } else {
    ({ code } = await run(process.execPath, step.node ?? [], { cwd: repoRoot }));
  }
  if (step.layer === undefined && code !== 0) failStep(step.name, `it ended with code ${code}`);
  console.log(
    `${step.name}: ${code === 0 ? 'ok' : 'NOT OK'}, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
  );
  return code;
}

async function testAll() {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const wanted = values.only?.split(',');
  const names = steps.map((step) => step.name);
  const unknown = wanted?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new SetupError(`--only ${unknown}: the steps are ${names.join(', ')}`);
  await ensureNodeModules();
  const chosen = steps.filter(({ name, layer }) => {
    if (wanted === undefined || wanted.includes(name)) return true;
    // A layer runs what has been built, the workbench what has been packaged.
    if (name === 'build')
      return wanted.some((other) => layerNames.some((known) => known === other));
    return name === 'package' && layer === undefined && wanted.includes('workbench');
  });
  let isBuilt = true;
  for (const step of chosen) {
    if (step.layer !== undefined && !isBuilt) {
      // What an earlier build left must not speak for this one.
      failStep(step.layer, 'not run, as the build failed');
      continue;
    }
    const code = await runStep(step);
    if (step.name === 'build' && code !== 0) isBuilt = false;
  }
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
