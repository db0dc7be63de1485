// @ts-check
/**
 * `npm run eval -- installed [--closed] [--misses]`: asks about the packages of the workspaces beside this file, and
 * prints how often the replies have the right package, version and section. `--closed` adds the halves that nothing may
 * be tuned to. `--misses` lists the questions of the open halves that went wrong.
 */
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { bundled } from '../bundled.mjs';
import { questionsSchema } from './checkQuestions.mjs';
import { fetchWorkspace, halves, questionsOf, readPackages } from './fetchPackages.mjs';

/** @typedef {import('./fetchPackages.mjs').Half} Half */
/** @typedef {import('../installedEval').InstalledOutcome} Outcome */
/** @typedef {import('../installedEval').AbsentOutcome} Absent */

/** @param {Half} half */
const isClosed = (half) => half === 'closed' || half === 'later-closed';

/** @returns {Promise<typeof import('../installedEval')>} */
const measurement = () => bundled('installedEval.ts');

const header = [
  'Half',
  'Questions',
  'Package first',
  'Version of these',
  'In five',
  'Answer in 60 words',
  'in the reply',
  'Sure',
  'From packages not installed',
  'Sure about these',
];

/** @param {number} count @param {number} all */
const percent = (count, all) => (all === 0 ? '–' : `${((100 * count) / all).toFixed(0)} %`);

/**
 * @param {string} name
 * @param {import('../installedEval').InstalledFigures} figures
 * @param {{ of: number, shown: number, sure: number }} absent
 * @returns {string[]}
 */
const row = (name, figures, absent) => [
  name,
  String(figures.of),
  percent(figures.packageFirst, figures.of),
  percent(figures.versionFirst, figures.packageFirst),
  percent(figures.inFive, figures.of),
  percent(figures.in60Words, figures.of),
  percent(figures.inReply, figures.of),
  percent(figures.sure, figures.of),
  `${absent.shown} of ${absent.of}`,
  `${absent.sure} of ${absent.of}`,
];

/** @param {Outcome | Absent} outcome @param {string} wrong @param {string} wanted */
function printMiss({ asked: { q, workspace, code }, shown }, wrong, wanted) {
  console.log(`  ${wrong}, ${workspace}${code === undefined ? '' : ', with code'}: ${q}`);
  console.log(`    wanted  ${wanted}`);
  const lines = shown.map(
    (source) => `${source.package}@${source.version} ${source.file} › ${source.heading}`,
  );
  console.log(`    got     ${lines.length === 0 ? 'nothing' : lines.join('\n            ')}`);
}

/**
 * @typedef {object} Asking
 * @property {Half} half
 * @property {boolean} isChosen whether the question and its code choose the packages
 */

/** @param {Asking} asking @param {boolean} isVerbose @returns {Promise<string[][]>} rows of the half and its packages */
async function measure({ half, isChosen }, isVerbose) {
  const { askWorkspace, figuresOf, isAnsweredInFive, isFromAbsent, isPackageFirst } =
    await measurement();
  const file = JSON.parse(await readFile(questionsOf(half), 'utf8'));
  const { questions, absent } = v.parse(questionsSchema, file);
  /** @type {Outcome[]} */
  const outcomes = [];
  /** @type {Absent[]} */
  const absentOutcomes = [];
  for (const { name, ...workspace } of (await readPackages()).workspaces) {
    if (workspace.half !== half) continue;
    const folder = await fetchWorkspace({ name, ...workspace });
    const about = questions.filter((each) => each.workspace === name);
    const others = absent.filter((each) => each.workspace === name);
    const replies = await askWorkspace(folder, about, others, isChosen);
    outcomes.push(...replies.outcomes);
    absentOutcomes.push(...replies.absent);
  }
  if (isVerbose) {
    for (const outcome of outcomes) {
      const { asked } = outcome;
      const wrong = [
        isPackageFirst(outcome) ? '' : 'package',
        isAnsweredInFive(outcome) ? '' : 'not in five',
      ].filter(Boolean);
      const wanted = [`${asked.package}@${asked.version}`, ...asked.accept, asked.api ?? ''];
      if (wrong.length > 0)
        printMiss(outcome, wrong.join(', '), [...wanted, ...asked.span].join(' '));
    }
    for (const outcome of absentOutcomes.filter((each) => isFromAbsent(each) || each.isSure))
      printMiss(outcome, 'absent', `nothing of ${outcome.asked.about}`);
  }
  const absentFigures = {
    of: absentOutcomes.length,
    shown: absentOutcomes.filter(isFromAbsent).length,
    sure: absentOutcomes.filter(({ isSure }) => isSure).length,
  };
  const how = isChosen ? 'chosen packages' : 'all packages';
  const rows = [row(`${half}, ${how}`, figuresOf(outcomes), absentFigures)];
  // The packages of a closed half are not to be tuned to, so nobody learns which are hard.
  if (isClosed(half) || !isChosen) return rows;
  const none = { of: 0, shown: 0, sure: 0 };
  for (const name of [...new Set(outcomes.map(({ asked }) => asked.package))].toSorted()) {
    const about = outcomes.filter(({ asked }) => asked.package === name);
    rows.push(row(`  ${name}`, figuresOf(about), none));
  }
  return rows;
}

/**
 * Returns a line about questions such as “What does queryOptions do?”, about names that the packages of all workspaces
 * export.
 */
async function namesLine() {
  const { askNames } = await measurement();
  const all = { of: 0, first: 0, inFive: 0 };
  for (const workspace of (await readPackages()).workspaces) {
    const { of, first, inFive } = await askNames(await fetchWorkspace(workspace));
    all.of += of;
    all.first += first;
    all.inFive += inFive;
  }
  const { of, first, inFive } = all;
  return `Section of an exported name, of ${of}: first ${percent(first, of)}, in five ${percent(inFive, of)}`;
}

/**
 * Measures the open halves, and the closed ones if they are asked for, of which nothing but figures is printed.
 * @param {{ closed: boolean, misses: boolean }} options
 * @returns {Promise<string[][]>} a table
 */
export async function evalInstalled({ closed, misses }) {
  const rows = [header];
  for (const half of halves) {
    if (isClosed(half) && !closed) continue;
    rows.push(...(await measure({ half, isChosen: false }, false)));
    rows.push(...(await measure({ half, isChosen: true }, misses && !isClosed(half))));
  }
  console.log(await namesLine());
  return rows;
}
