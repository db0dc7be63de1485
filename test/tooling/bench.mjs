// @ts-check
/**
 * `npm run bench`: makes the production build and the package, runs every `test/bench/*.bench.ts`, and
 * prints its rows and writes them to `test/bench/results.json` as they come. A bench that fails costs its
 * own rows only. `npm run bench -- client panel` runs the benches with these names only, and writes
 * nothing. If a peer exists, a figure is the ratio to the peer in the same run. A missed goal is printed
 * and is no error, because times vary.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import { runBench } from './benchRun.mjs';
import { MAX_VSIX_BYTES } from './checkVsix.mjs';
import { repoRoot, vsixFile } from './paths.mjs';
import { SetupError, ensureHeadlessChromium, ensureNodeModules } from './setup.mjs';

/** @typedef {import('../bench/benchRow').BenchRow} BenchRow */

/** @param {readonly string[]} args */
const node = (args) =>
  execFileSync(process.execPath, args, { cwd: repoRoot, stdio: ['ignore', 'ignore', 'inherit'] });

/** @returns {BenchRow} */
function vsixRow() {
  const ours = statSync(vsixFile()).size;
  return {
    name: 'Package: .vsix',
    unit: 'bytes',
    ours,
    peer: null,
    peerName: null,
    ratio: null,
    goal: MAX_VSIX_BYTES,
    met: ours <= MAX_VSIX_BYTES,
  };
}

/** Bundles the benches and their peers with the settings of the product. @returns {Promise<string[]>} */
async function bundleBenches() {
  const folder = path.join(repoRoot, 'test/bench');
  const names = readdirSync(folder).filter((name) => name.endsWith('.bench.ts'));
  const outdir = path.join(repoRoot, 'out/bench');
  await esbuild.build({
    entryPoints: names.map((name) => path.join(folder, name)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    // A build without a name for its reader of pages keeps none of them on disk.
    define: { DOCS_READER: JSON.stringify('bench') },
    // These packages load files beside their own.
    external: ['esbuild', 'pg-native', 'playwright-core'],
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
  });
  return names.map((name) => path.join(outdir, name.replace(/\.ts$/, '.mjs')));
}

/**
 * Returns the variables for benches, with the browser that the webview tests use. Without one, only the
 * benches that need it fail.
 */
async function benchEnvironment() {
  try {
    return { ...process.env, CHROME_PATH: await ensureHeadlessChromium() };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    return process.env;
  }
}

/** @param {number | null} value */
const figure = (value) =>
  value === null
    ? '–'
    : value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 });

/** @param {BenchRow} row */
function verdict({ met, ratio, ours, goal }) {
  if (goal === null) return '';
  if (met) return 'met';
  const reached = ratio ?? ours;
  return goal === 0
    ? `missed by ${figure(reached)}`
    : `missed: ${figure(reached / goal)} × the goal`;
}

/** @param {readonly BenchRow[]} rows */
function printTable(rows) {
  const lines = [
    ['What', 'Unit', 'Ours', 'Peer', 'Ratio', 'Goal', '', 'Peer is', 'Note'],
    ...rows.map((row) => [
      row.name,
      row.unit,
      figure(row.ours),
      figure(row.peer),
      figure(row.ratio),
      row.goal === null ? '–' : `≤ ${figure(row.goal)}`,
      verdict(row),
      row.peerName ?? '–',
      row.note ?? '',
    ]),
  ];
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

async function main() {
  const wanted = process.argv.slice(2);
  await ensureNodeModules();
  console.log('bench: building and packaging …');
  node(['test/tooling/package.mjs']);
  node(['esbuild.mjs', '--production', '--metafile']);
  const all = await bundleBenches();
  const benches =
    wanted.length === 0
      ? all
      : all.filter((file) => wanted.includes(path.basename(file, '.bench.mjs')));
  console.log(`\nNode ${process.version}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'CPU'}`);
  const file = path.join(repoRoot, 'test/bench/results.json');
  mkdirSync(path.dirname(file), { recursive: true });
  /** @type {BenchRow[]} */
  const rows = [];
  const add = (/** @type {readonly BenchRow[]} */ more) => {
    rows.push(...more);
    printTable(more);
    if (wanted.length === 0) writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
  };
  const failures = [];
  const env = await benchEnvironment();
  add([vsixRow()]);
  for (const bench of benches) {
    const name = path.basename(bench, '.bench.mjs');
    console.log(`\nbench: ${name} …`);
    const failure = await runBench([bench], add, { cwd: repoRoot, env });
    if (failure !== undefined) failures.push(`${name} ${failure}`);
  }
  const goals = rows.filter((row) => row.goal !== null);
  console.log(`\n${goals.filter((row) => row.met).length} of ${goals.length} goals met`);
  if (wanted.length === 0) console.log('written to test/bench/results.json');
  for (const failure of failures) console.error(`bench failed: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
}
