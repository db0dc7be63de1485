// @ts-check
/**
 * `npm run eval -- <folder> [--more] [--questions file] [--misses] [--pages N]`: measures the replies of the
 * local docs service without a model, and prints one row for each set.
 *
 * A folder holds sets: `<set>/docs` and `questions-<set>.json`. `--more` adds the sets of
 * `test/bench/retrieval`, whose docs come from package registries and git repositories, and `--closed` those among them that
 * nothing may be tuned to. `--questions` measures one file with the folder as its docs. `--misses` lists
 * the questions that went wrong. `--pages` copies the pages until there are so many, to measure the time
 * of a question. `--model oracle` and `--model nonsense` ask the service with a scripted model instead, and
 * compare it with quotes. `--leave-one-out` chooses the constants for each set on all others, and measures the set
 * with them. A second table asks what names of code do, each of which some section defines. A third one is about selected
 * code, also in sets that have no other questions, and a fourth one about errors that the docs show. A fifth one asks the
 * questions with spelling mistakes and within longer messages, and a sixth one asks short questions about common topics. A
 * seventh one asks for titles and headings as they are.
 *
 * `--postgres` asks the service of a company over HTTP instead, with the index of the process and with the one in
 * PostgreSQL, and prints both. Exits with 1 if they differ by more than two points.
 *
 * `npm run eval -- installed [--closed] [--misses]` asks about installed packages instead, in the workspaces of
 * `test/bench/installed`.
 *
 * `npm run eval -- sites [name…] [--misses] [--pictures]` asks the box in enhanced sites of real generators, in a browser
 * (`test/bench/sites`).
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { stopAllOnExit } from '../tooling/processes.mjs';
import { cacheFolder, ensureNodeModules } from '../tooling/setup.mjs';
import { bundled } from './bundled.mjs';
import { evalInstalled } from './installed/evalInstalled.mjs';
import { leaveOneOut } from './leaveOneOut.mjs';
import { fetchSet, questionsOf, readSets, shortQuestionsOf } from './retrieval/fetchSets.mjs';
import { evalSites } from './sites/evalSites.mjs';

/** @returns {Promise<typeof import('./retrievalEval')>} */
const measurement = () => bundled('retrievalEval.ts');

/** @returns {Promise<typeof import('./namesEval')>} */
const namesMeasurement = () => bundled('namesEval.ts');

/** @returns {Promise<typeof import('./errorsEval')>} */
const errorsMeasurement = () => bundled('errorsEval.ts');

/** @returns {Promise<typeof import('./writingEval')>} */
const writingMeasurement = () => bundled('writingEval.ts');

/** @returns {Promise<typeof import('./titlesEval')>} */
const titlesMeasurement = () => bundled('titlesEval.ts');

/** Sets whose errors are asked about in the output of Python. */
const pythonSets = /python|django|flask|sqlalchemy/;

/** @returns {Promise<typeof import('./modelEval')>} */
const modelMeasurement = () => bundled('modelEval.ts');

const header = [
  'Set',
  'First',
  'In five',
  'Answer in 60 words',
  'in 150',
  'in the reply',
  'Misled',
  'Silent',
  'Sure',
  'Sure of the unanswerable',
  'Follow-ups in five, answered',
  'Words',
  'Median ms',
  'p95 ms',
];

/** @param {number} count @param {number} all */
const percent = (count, all) => (all === 0 ? '–' : `${((100 * count) / all).toFixed(0)} %`);

/** @param {string} name @param {import('./retrievalEval').Figures} figures @returns {string[]} */
const row = (name, { answerable, followUps, unanswerable, ...rest }) => [
  name,
  percent(answerable.first, answerable.of),
  percent(answerable.inFive, answerable.of),
  percent(answerable.in60Words, answerable.of),
  percent(answerable.in150Words, answerable.of),
  percent(answerable.inReply, answerable.of),
  percent(answerable.misled, answerable.of),
  percent(answerable.silent, answerable.of),
  percent(answerable.sure, answerable.of),
  `${unanswerable.sure} of ${unanswerable.of}`,
  `${followUps.inFive}, ${followUps.inReply} of ${followUps.of}`,
  rest.words.toFixed(0),
  rest.medianMs.toFixed(1),
  rest.p95Ms.toFixed(1),
];

/** @param {readonly string[][]} rows @returns {string[]} means of the columns that are one number */
function meanRow(rows) {
  return header.map((_, column) => {
    const cells = rows.map((cells) => cells[column] ?? '');
    if (column === 0) return 'mean';
    if (cells.some((cell) => !/^[\d.]+(?: %| of \d+)?$/.test(cell))) return '';
    const mean = cells.reduce((sum, cell) => sum + Number.parseFloat(cell), 0) / cells.length;
    return mean.toFixed(1) + (cells[0]?.replace(/^[\d.]+/, '') ?? '');
  });
}

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

/** Share of the questions whose page must be in five if a model's queries name it. */
const ORACLE_SHARE = 0.95;

/**
 * Prints how often a scripted model's reply has the right page, beside that of quotes. Exits with 1 if a model
 * that knows the page reaches it too rarely, or if nonsense makes a set worse.
 * @param {readonly import('./retrievalEval').NamedSet[]} sets
 * @param {'oracle' | 'nonsense'} model
 * @param {boolean} isVerbose whether to list the misses
 */
async function printModel(sets, model, isVerbose) {
  const { askWithModel } = await modelMeasurement();
  const rows = [['Set', 'Quotes: first', 'in five', `${model}: first`, 'in five']];
  for (const { name, docs, questions } of sets) {
    const quotes = await askWithModel(docs, questions, 'quotes');
    const written = await askWithModel(docs, questions, model);
    rows.push([
      name,
      ...[quotes, written].flatMap(({ first, inFive, answerable }) => [
        percent(first, answerable),
        percent(inFive, answerable),
      ]),
    ]);
    const isReached =
      model === 'oracle'
        ? written.inFive >= ORACLE_SHARE * written.answerable
        : written.inFive >= quotes.inFive && written.first >= quotes.first;
    if (!isReached) {
      console.error(
        `${name}: ${model === 'oracle' ? 'less than 95 % in five' : 'worse than quotes'}`,
      );
      process.exitCode = 1;
    }
    if (isVerbose) console.log(`${name}:`, ...written.missed.map((question) => `\n  ${question}`));
  }
  printTable(rows);
}

/** Points by which the figures of two places of an index may differ. */
const MAX_DIFFERENCE = 2;

/** @param {readonly import('./retrievalEval').NamedSet[]} sets */
async function printBackends(sets) {
  /** @type {typeof import('./postgresEval')} */
  const { compareBackends } = await bundled('postgresEval.ts');
  const compared = await compareBackends(sets);
  if (!compared) {
    process.exitCode = 1;
    return;
  }
  const figures = /** @type {const} */ (['first', 'inFive', 'in60Words', 'inReply']);
  const rows = [
    ['Set', 'First', 'In five', 'Answer in 60 words', 'in the reply', 'Equal replies'],
    ...compared.map(({ name, embedded, stored, questions, equal }) => [
      name,
      ...figures.map((figure) => {
        const both = [embedded, stored].map((each) => (100 * each[figure]) / each.of);
        if (Math.abs((both[0] ?? 0) - (both[1] ?? 0)) > MAX_DIFFERENCE) process.exitCode = 1;
        return both.map((share) => `${share.toFixed(1)} %`).join(' / ');
      }),
      `${equal} of ${questions}`,
    ]),
  ];
  console.log('Index in the process / in PostgreSQL');
  printTable(rows);
}

/** Figures of the table of short questions. */
const shortFigures = /** @type {const} */ ([
  'first',
  'inFive',
  'in60Words',
  'inReply',
  'misled',
  'sure',
]);

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      questions: { type: 'string' },
      more: { type: 'boolean', default: false },
      closed: { type: 'boolean', default: false },
      misses: { type: 'boolean', default: false },
      pictures: { type: 'boolean', default: false },
      pages: { type: 'string' },
      model: { type: 'string' },
      postgres: { type: 'boolean', default: false },
      'leave-one-out': { type: 'boolean', default: false },
    },
  });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error('usage: npm run eval -- <folder> [--more] [--closed] [--misses] [--pages N]');
    process.exitCode = 2;
    return;
  }
  await ensureNodeModules();
  if (folder === 'installed') {
    printTable(await evalInstalled(values));
    return;
  }
  if (folder === 'sites') {
    stopAllOnExit();
    printTable(await evalSites(positionals.slice(1), values));
    return;
  }
  const evaluation = await measurement();
  const { askAll, figuresOf, isMissed, libraryOf, multiplyPages, readQuestions, setsIn } =
    evaluation;
  const sets =
    values.questions === undefined
      ? await setsIn(folder)
      : [{ name: path.basename(folder), docs: folder, questions: values.questions }];
  const fetched = await readSets();
  /** @type {typeof sets} */
  const onlyCode = [];
  /** @type {{ name: string, docs: string }[]} */
  const onlyShort = [];
  for (const set of fetched.filter(({ closed }) => (closed ? values.closed : values.more))) {
    if (values['leave-one-out'] && (set.isOnlyShort || set.isOnlyCode)) continue;
    let docs;
    try {
      docs = await fetchSet(set, path.join(cacheFolder(), 'eval-docs'));
    } catch (error) {
      console.error(`LEFT OUT ${set.name}, whose docs can't be fetched: ${String(error)}`);
      continue;
    }
    if (set.isOnlyShort) {
      onlyShort.push({ name: set.name, docs });
      continue;
    }
    const named = { name: set.name, docs, questions: questionsOf(set) };
    (set.isOnlyCode ? onlyCode : sets).push(named);
  }
  if (sets.length === 0) {
    console.error(`${folder} has no set: <set>/docs with questions-<set>.json beside it.`);
    process.exitCode = 2;
    return;
  }
  if (values.postgres) {
    stopAllOnExit();
    await printBackends(sets);
    return;
  }
  const { model } = values;
  if (model === 'oracle' || model === 'nonsense') {
    await printModel(sets, model, values.misses);
    return;
  }
  if (values['leave-one-out']) {
    const left = await leaveOneOut(sets);
    const measured = left.map(([name, figures]) => row(name, figures));
    printTable([header, ...measured, meanRow(measured)]);
    for (const [name, , chosen] of left) {
      console.log(`${name}: ${chosen === '' ? 'all constants as they are' : chosen}`);
    }
    return;
  }
  const rows = [header];
  const namedRows = [
    ['Set', 'Names of code', 'Section that defines it first', 'In five', 'Definition in 60 words'],
  ];
  const codeRows = [
    ['Set', 'Questions with code', 'First', 'In five', 'Answer in 60 words', 'in the reply'],
  ];
  const { askNames } = await namesMeasurement();
  const { askErrors, errorForms } = await errorsMeasurement();
  const errorRows = [['Set', 'Errors', ...errorForms.map((form) => `${form}: first, in five`)]];
  const { writingForms, writtenAs } = await writingMeasurement();
  const writingRows = [
    ['Set', 'Questions', ...writingForms.map((form) => `${form}: first, in five, sure`)],
  ];
  const shortRows = [
    [
      'Set',
      'Short questions',
      'First',
      'In five',
      'Answer in 60 words',
      'in the reply',
      'Misled',
      'Sure',
    ],
  ];
  /** @param {string} name @param {import('../../src/docs/search/setIndex').SetIndex} index */
  const measureShort = async (name, index) => {
    const short = shortQuestionsOf(name);
    if (short === undefined) return;
    const outcomes = askAll(index, await evaluation.readAnswerable(short));
    const { answerable } = figuresOf(outcomes);
    const shares = shortFigures.map((figure) => percent(answerable[figure], answerable.of));
    shortRows.push([name, String(answerable.of), ...shares]);
    if (values.misses) for (const outcome of outcomes.filter(isMissed)) printMiss(outcome);
  };
  const { askTitles } = await titlesMeasurement();
  const titleRows = [['Set', 'Asked', 'Of', 'First', 'In five', 'Misled']];
  for (const { name, docs, questions } of [...sets, ...onlyCode]) {
    const set = await readQuestions(questions);
    const library = await libraryOf(docs);
    if (values.pages !== undefined) multiplyPages(library.index, Number(values.pages));
    askAll(library.index, set); // The second time counts: the first also warms up the engine.
    const outcomes = askAll(library.index, set);
    const figures = figuresOf(outcomes);
    if (figures.answerable.of > 0) rows.push(row(name, figures));
    const { withCode } = figures;
    const ofCode = [withCode.first, withCode.inFive, withCode.in60Words, withCode.inReply];
    codeRows.push([name, ...[withCode.of, ...ofCode].map(String)]);
    if (values.misses) {
      console.log(`${name}:`);
      for (const outcome of outcomes.filter(isMissed)) printMiss(outcome);
    }
    const { of, ...named } = askNames(library.index);
    const shares = [named.first, named.inFive, named.in60Words].map((each) => percent(each, of));
    namedRows.push([name, String(of), ...shares]);
    const errors = askErrors(library.index, pythonSets.test(name));
    const ofForms = errorForms.map((form) => {
      const { first, inFive } = errors.found[form];
      return `${first}, ${inFive}`;
    });
    if (errors.of > 0) errorRows.push([name, String(errors.of), ...ofForms]);
    const ofWritings = writingForms.map((form) => {
      const written = figuresOf(askAll(library.index, writtenAs(form, set))).answerable;
      return `${written.first}, ${written.inFive}, ${written.sure}`;
    });
    if (figures.answerable.of > 0)
      writingRows.push([name, String(figures.answerable.of), ...ofWritings]);
    for (const [asked, { of, ...found }] of askTitles(library.index)) {
      const shares = [found.first, found.inFive, found.misled].map((each) => percent(each, of));
      titleRows.push([name, asked, String(of), ...shares]);
    }
    await measureShort(name, library.index);
    await library.stop();
  }
  for (const { name, docs } of onlyShort) {
    const library = await libraryOf(docs);
    await measureShort(name, library.index);
    await library.stop();
  }
  printTable([...rows, meanRow(rows.slice(1))]);
  printTable(namedRows);
  printTable(codeRows);
  printTable(errorRows);
  printTable(writingRows);
  printTable(shortRows);
  printTable(titleRows);
}

await main();
