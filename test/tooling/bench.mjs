// @ts-check
/**
 * `npm run bench`: makes the production build and the package, runs every `test/bench/*.bench.ts`,
 * prints one table and writes it to `test/bench/results.json`. `npm run bench -- client panel` runs
 * the benches with these names only, and writes nothing. If a peer exists, a figure is the
 * ratio to the peer in the same run. A missed goal is printed and is no error, because times vary.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import { MAX_VSIX_BYTES } from './checkVsix.mjs';
import { repoRoot, vsixFile } from './paths.mjs';
import { SetupError, ensureNodeModules } from './setup.mjs';

/** @typedef {import('../bench/benchRow').BenchRow} BenchRow */

/** @param {readonly string[]} args @returns {string} what it printed */
const node = (args) =>
  execFileSync(process.execPath, args, {
    cwd: repoRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

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
    // These packages load files beside their own.
    external: ['esbuild', 'playwright-core'],
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
  });
  return names.map((name) => path.join(outdir, name.replace(/\.ts$/, '.mjs')));
}

/** @param {string} file @returns {BenchRow[]} */
function runBench(file) {
  console.log(`bench: ${path.basename(file, '.bench.mjs')} …`);
  const lastLine = node([file]).trim().split('\n').at(-1) ?? '';
  return JSON.parse(lastLine).rows;
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
  const rows = [...benches.flatMap(runBench), vsixRow()];
  console.log(`\nNode ${process.version}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'CPU'}\n`);
  printTable(rows);
  const goals = rows.filter((row) => row.goal !== null);
  console.log(`\n${goals.filter((row) => row.met).length} of ${goals.length} goals met`);
  if (wanted.length > 0) return;
  const file = path.join(repoRoot, 'test/bench/results.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
  console.log('written to test/bench/results.json');
}

try {
  await main();
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
}
