// @ts-check
/**
 * `npm run eval -- <folder> [--docs folder --questions file] [--misses] [--pages N]`: measures how
 * well the local docs service finds the page that answers, and prints one row for each set.
 *
 * A folder holds sets: `<set>/docs` and `questions-<set>.json`. `--questions` measures one file with
 * the folder as its docs. `--misses` lists the questions that went wrong. `--pages` copies the pages
 * until there are so many, to measure the time of a question.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import esbuild from 'esbuild';
import { repoRoot } from '../tooling/paths.mjs';
import { ensureNodeModules } from '../tooling/setup.mjs';

/** @returns {Promise<typeof import('./retrievalEval')>} the measurement, bundled as the service is */
async function measurement() {
  const outdir = path.join(repoRoot, 'out/bench');
  mkdirSync(outdir, { recursive: true });
  const outfile = path.join(outdir, 'retrievalEval.mjs');
  await esbuild.build({
    entryPoints: [path.join(repoRoot, 'test/bench/retrievalEval.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
  });
  return import(pathToFileURL(outfile).href);
}

const header = [
  'Set',
  'First',
  'In five',
  'Refused',
  'Silent',
  'Follow-ups: first',
  'in five',
  'With code in five',
  'Median ms',
  'p95 ms',
];

/** @param {number} count @param {number} all */
const share = (count, all) =>
  all === 0 ? '–' : `${count} of ${all} (${((100 * count) / all).toFixed(0)} %)`;

/** @param {string} name @param {import('./retrievalEval').Figures} figures @returns {string[]} */
const row = (name, figures) => [
  name,
  share(figures.first, figures.answerable),
  share(figures.inFive, figures.answerable),
  `${figures.refused} of ${figures.unanswerable}`,
  share(figures.silent, figures.answerable),
  `${figures.followUpsFirst} of ${figures.followUps}`,
  `${figures.followUpsInFive} of ${figures.followUps}`,
  `${figures.withCodeInFive} of ${figures.withCode}`,
  figures.medianMs.toFixed(1),
  figures.p95Ms.toFixed(1),
];

/** @param {readonly string[][]} lines */
function printTable(lines) {
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths?.[column] ?? 0));
    console.log(cells.join('  ').trimEnd());
  }
}

/** @param {import('./retrievalEval').Outcome} outcome */
function printMiss({ kind, question, accept, shown }) {
  console.log(`  ${kind}: ${question}`);
  if (accept.length > 0) console.log(`    wanted  ${accept.join(', ')}`);
  console.log(`    got     ${shown.length === 0 ? 'nothing' : shown.join('\n            ')}`);
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      questions: { type: 'string' },
      misses: { type: 'boolean', default: false },
      pages: { type: 'string' },
    },
  });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error('usage: npm run eval -- <folder> [--questions file] [--misses] [--pages N]');
    process.exitCode = 2;
    return;
  }
  await ensureNodeModules();
  const { askAll, figuresOf, isMissed, libraryOf, multiplyPages, readQuestions, setsIn } =
    await measurement();
  const sets =
    values.questions === undefined
      ? await setsIn(folder)
      : [{ name: path.basename(folder), docs: folder, questions: values.questions }];
  if (sets.length === 0) {
    console.error(`${folder} has no set: <set>/docs with questions-<set>.json beside it.`);
    process.exitCode = 2;
    return;
  }
  const rows = [header];
  for (const { name, docs, questions } of sets) {
    const set = await readQuestions(questions);
    const library = await libraryOf(docs);
    if (values.pages !== undefined) multiplyPages(library.index, Number(values.pages));
    askAll(library.index, set); // The second time counts: the first also warms up the engine.
    const outcomes = askAll(library.index, set);
    rows.push(row(name, figuresOf(outcomes)));
    if (values.misses) {
      console.log(`${name}:`);
      for (const outcome of outcomes.filter(isMissed)) printMiss(outcome);
    }
    await library.stop();
  }
  printTable(rows);
}

await main();
