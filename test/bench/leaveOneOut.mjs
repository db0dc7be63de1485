// @ts-check
/**
 * Chooses the constants of search and reply on all sets but one, and measures that one: what a set scores whose
 * questions had no part in the choice.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repoRoot } from '../tooling/paths.mjs';
import { bundled } from './bundled.mjs';

/**
 * @typedef {object} Constant a declaration `const <name> = <value>;` of the product, with values to try beside its own
 * @property {string} file
 * @property {string} name
 * @property {readonly string[]} others
 *
 * @typedef {ReadonlyMap<Constant, string>} Choice
 * @typedef {import('./retrievalEval').NamedSet} NamedSet
 * @typedef {import('./retrievalEval').Figures} Figures
 */

/** @type {readonly Constant[]} */
export const constants = [
  {
    file: 'search/sectionSearch.ts',
    name: 'sectionWeights',
    others: ['[2, 1, 1, 1, 1, 0.5]', '[5, 1, 3, 1, 1, 0.5]'],
  },
  {
    file: 'search/sectionSearch.ts',
    name: 'pageWeights',
    others: ['[2, 1, 2, 1, 0.5]', '[6, 1, 4, 1, 0.5]'],
  },
  { file: 'search/sectionSearch.ts', name: 'PAGE_SHARE', others: ['0.5', '2'] },
  { file: 'search/fieldIndex.ts', name: 'SATURATION', others: ['0.9', '1.6'] },
  { file: 'search/fieldIndex.ts', name: 'LENGTH_SHARE', others: ['0.5', '0.9'] },
  { file: 'search/preferences.ts', name: 'SECONDARY', others: ['0.5', '1'] },
  { file: 'answers/passage.ts', name: 'RANK_SHARE', others: ['1.5', '3'] },
  { file: 'answers/passage.ts', name: 'LENGTH_SHARE', others: ['0.2', '0.5'] },
  { file: 'answers/tone.ts', name: 'MIN_SAID', others: ['0.5', '0.7'] },
  { file: 'answers/tone.ts', name: 'ENOUGH', others: ['1', '1.2'] },
];

let variants = 0;

/**
 * Measures sets with other values of some constants.
 * @param {readonly NamedSet[]} sets
 * @param {Choice} choice
 * @returns {Promise<Map<string, Figures>>} by the sets' names
 */
async function measured(sets, choice) {
  const { askAll, figuresOf, libraryOf, readQuestions } = await bundled('retrievalEval.ts', {
    name: `leaveOneOut-${variants++}`,
    plugins: [{ name: 'constants', setup: (build) => replaceConstants(build, choice) }],
  });
  const all = new Map();
  for (const { name, docs, questions } of sets) {
    const library = await libraryOf(docs);
    all.set(name, figuresOf(askAll(library.index, await readQuestions(questions))));
    await library.stop();
  }
  return all;
}

/** @param {import('esbuild').PluginBuild} build @param {Choice} choice */
function replaceConstants(build, choice) {
  for (const file of new Set([...choice.keys()].map((constant) => constant.file))) {
    const whole = path.join(repoRoot, 'src/docs', file);
    build.onLoad({ filter: new RegExp(`${file.replaceAll('.', '\\.')}$`) }, async () => {
      let contents = await readFile(whole, 'utf8');
      for (const [constant, value] of choice) {
        if (constant.file === file) contents = withConstant(contents, constant, value);
      }
      return { contents, loader: 'ts' };
    });
  }
}

/**
 * Returns a module with another value of a constant.
 * @param {string} contents
 * @param {Constant} constant
 * @param {string} value
 */
export function withConstant(contents, { file, name }, value) {
  const declaration = new RegExp(`^(export )?const ${name} = .*;$`, 'm');
  if (!declaration.test(contents)) throw new Error(`${file} declares no ${name}.`);
  return contents.replace(declaration, `$1const ${name} = ${value};`);
}

/** @param {Figures | undefined} figures @returns {number} what a choice maximizes: the sum of the columns' shares */
function worth(figures) {
  if (!figures) return 0;
  const { of, first, inFive, in60Words, inReply, misled, silent } = figures.answerable;
  const { unanswerable } = figures;
  const good = first + inFive + in60Words + inReply - misled - silent;
  return good / of - unanswerable.sure / Math.max(1, unanswerable.of);
}

/**
 * @param {readonly NamedSet[]} sets
 * @returns {Promise<[string, Figures, string][]>} name, figures when left out, and the constants that the others
 *   choose differently
 */
export async function leaveOneOut(sets) {
  const own = await measured(sets, new Map());
  /** @type {[Constant, string, Map<string, Figures>][]} */
  const tried = [];
  for (const constant of constants) {
    for (const value of constant.others) {
      tried.push([constant, value, await measured(sets, new Map([[constant, value]]))]);
    }
  }
  /** @type {[string, Figures, string][]} */
  const rows = [];
  for (const left of sets) {
    /** @param {Map<string, Figures>} figures */
    const ofOthers = (figures) =>
      sets.reduce((sum, { name }) => sum + (name === left.name ? 0 : worth(figures.get(name))), 0);
    /** @type {Map<Constant, string>} */
    const choice = new Map();
    for (const constant of constants) {
      let best = ofOthers(own);
      for (const [of, value, figures] of tried) {
        if (of !== constant || ofOthers(figures) <= best) continue;
        best = ofOthers(figures);
        choice.set(constant, value);
      }
    }
    const figures = (await measured([left], choice)).get(left.name);
    const chosen = [...choice].map(([{ name }, value]) => `${name} = ${value}`).join(', ');
    if (figures) rows.push([left.name, figures, chosen]);
  }
  return rows;
}
