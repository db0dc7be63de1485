// @ts-check
/**
 * `node test/bench/installed/checkQuestions.mjs <folder>`: checks the questions beside this file against the
 * packages that they are about. It installs the workspaces into the folder unless they are there, prints each
 * question that is wrong, and exits with 1 if there is one.
 */
import { existsSync } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { stopAllOnExit } from '../../tooling/processes.mjs';
import { fetchWorkspace, halves, questionsOf, readPackages } from './fetchPackages.mjs';

const text = v.pipe(v.string(), v.nonEmpty());

/** Fields that every question has: the text, the folder it is asked in, and perhaps the selected code. */
const asked = {
  q: text,
  /** Name of a workspace in packages.json. */
  workspace: text,
  code: v.optional(text),
  language: v.optional(v.picklist(['javascript', 'typescript', 'typescriptreact'])),
};

/** Files below a package's folder that answer. */
const paths = v.array(v.pipe(text, v.regex(/^(?!\/)(?!.*\.\.)/)));

const question = v.strictObject({
  ...asked,
  kind: v.picklist(['howto', 'option', 'default', 'error', 'api', 'version']),
  package: text,
  version: text,
  accept: paths,
  /** A dependency of the package that declares what the package exports, with its files that answer. */
  through: v.optional(v.strictObject({ package: text, accept: paths })),
  /** Phrases that each hold the answer. Markup and spaces don't count. */
  span: v.pipe(v.array(v.pipe(text, v.maxLength(120))), v.nonEmpty()),
  /** Exported name whose section answers, too, where the answer is in types. */
  api: v.optional(text),
  /** The same in the two questions of kind `version` that ask the same of two majors. */
  pair: v.optional(text),
});

/** Question about a package that the workspace doesn't have, so that no reply can come from it. */
const absent = v.strictObject({
  ...asked,
  /** The package that is asked about. */
  about: text,
  /** An installed package whose name is close. */
  near: v.optional(text),
});

/** Schema of `questions-<half>.json`. */
export const questionsSchema = v.strictObject({
  questions: v.array(question),
  absent: v.array(absent),
});

/** @typedef {v.InferOutput<typeof question>} InstalledQuestion */
/** @typedef {v.InferOutput<typeof absent>} AbsentQuestion */

/** Least numbers of questions. A pair is one question to two majors. */
const LEAST = { questions: 100, packages: 12, pairs: 30, absent: 12 };

/** @param {string} content @returns {string} what `npm run eval` compares: no markup, no targets of links, no spaces */
const packed = (content) =>
  content
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/[*`_>|#\\\s]+/g, '')
    .toLowerCase();

/** @type {Map<string, string>} */
const contents = new Map();

/** @param {string} file @returns {Promise<string>} its text as `packed` gives it */
async function packedFile(file) {
  const known = contents.get(file) ?? packed(await readFile(file, 'utf8'));
  contents.set(file, known);
  return known;
}

/** @param {string} workspaceFolder @param {string} name */
const packageFolder = (workspaceFolder, name) => path.join(workspaceFolder, 'node_modules', name);

/** @param {InstalledQuestion} asked @param {string} folder @returns {string[]} full paths of all files that answer */
const acceptedFiles = ({ package: name, accept, through }, folder) => [
  ...accept.map((file) => path.join(packageFolder(folder, name), file)),
  ...(through?.accept ?? []).map((file) =>
    path.join(packageFolder(folder, through?.package ?? name), file),
  ),
];

/** @param {string} file */
const isFile = async (file) => existsSync(file) && (await stat(file)).isFile();

/**
 * @param {InstalledQuestion} asked
 * @param {string} folder of its workspace
 * @returns {Promise<string[]>} what is wrong
 */
async function answerProblems(asked, folder) {
  const { package: name, version, span, api } = asked;
  const manifest = path.join(packageFolder(folder, name), 'package.json');
  if (!existsSync(manifest)) return [`${name} is not installed`];
  const problems = [];
  const installed = JSON.parse(await readFile(manifest, 'utf8')).version;
  if (installed !== version) problems.push(`${name} is ${installed}, not ${version}`);
  const files = acceptedFiles(asked, folder);
  if (files.length === 0) return [...problems, 'no file is accepted'];
  const texts = [];
  for (const file of files) {
    if (await isFile(file)) texts.push(await packedFile(file));
    else problems.push(`no file ${path.relative(folder, file)}`);
  }
  for (const phrase of span) {
    if (!texts.some((content) => content.includes(packed(phrase))))
      problems.push(`no span “${phrase}”`);
  }
  texts.forEach((content, index) => {
    if (!span.some((phrase) => content.includes(packed(phrase)))) {
      problems.push(`no span in the accepted ${path.relative(folder, files[index] ?? '')}`);
    }
  });
  if (api !== undefined && !texts.some((content) => content.includes(packed(api)))) {
    problems.push(`no name ${api} in the accepted files`);
  }
  return problems;
}

/**
 * @param {readonly InstalledQuestion[]} pair
 * @param {(name: string) => string} folderOf
 * @returns {Promise<string[]>} what is wrong with a question to two majors: each answer must be wrong for the other
 */
async function pairProblems(pair, folderOf) {
  const [one, other, ...more] = pair;
  if (one === undefined || other === undefined || more.length > 0) return ['not two questions'];
  const problems = [];
  if (one.q !== other.q || one.code !== other.code) problems.push('two questions differ');
  if (one.package !== other.package) problems.push('two packages');
  const majors = [one, other].map(({ version }) => version.split('.', 1)[0]);
  if (majors[0] === majors[1]) problems.push('one major');
  for (const [asker, answerer] of /** @type {const} */ ([
    [one, other],
    [other, one],
  ])) {
    for (const file of acceptedFiles(answerer, folderOf(answerer.workspace))) {
      const content = (await isFile(file)) ? await packedFile(file) : '';
      for (const phrase of asker.span.filter((each) => content.includes(packed(each)))) {
        problems.push(`“${phrase}” is also in ${answerer.version}`);
      }
    }
  }
  return problems;
}

/** @param {string} folder of a workspace @param {string} name @returns {Promise<boolean>} at any depth */
async function isInstalled(folder, name) {
  const entries = await readdir(path.join(folder, 'node_modules'), { recursive: true });
  const wanted = path.normalize(name);
  return entries.some(
    (entry) => entry === wanted || entry.endsWith(path.join('node_modules', wanted)),
  );
}

async function main() {
  stopAllOnExit();
  const home = process.argv[2];
  if (home === undefined) {
    console.error('usage: node test/bench/installed/checkQuestions.mjs <folder>');
    process.exitCode = 2;
    return;
  }
  const { packages, workspaces } = await readPackages();
  /** @type {Map<string, string>} */
  const folders = new Map();
  for (const workspace of workspaces) {
    folders.set(workspace.name, await fetchWorkspace(workspace, home));
  }
  const folderOf = (/** @type {string} */ name) => folders.get(name) ?? '';
  let wrong = 0;
  const report = (/** @type {string} */ where, /** @type {string[]} */ problems) => {
    for (const problem of problems) console.log(`${where}: ${problem}`);
    wrong += problems.length;
  };
  for (const { name, half, packages: wanted } of workspaces) {
    for (const [each, version] of Object.entries(wanted)) {
      const listed = packages.find((candidate) => candidate.name === each);
      const file = path.join(packageFolder(folderOf(name), each), 'package.json');
      const { license } = JSON.parse(await readFile(file, 'utf8'));
      const isRight =
        listed?.half === half && listed.license === license && listed.versions.includes(version);
      if (!isRight) report(name, [`${each}@${version} (${license}) is not so in the list`]);
    }
  }
  const counts = { questions: 0, packages: 0, pairs: 0, absent: 0 };
  for (const half of halves) {
    const file = JSON.parse(await readFile(questionsOf(half), 'utf8'));
    const { questions, absent: about } = v.parse(questionsSchema, file);
    const places = workspaces.filter((workspace) => workspace.half === half);
    const names = packages.filter((each) => each.half === half).map(({ name }) => name);
    const placed = (/** @type {{ q: string, workspace: string }} */ { q, workspace }) => {
      const found = places.find(({ name }) => name === workspace);
      if (found === undefined) report(q, [`no workspace ${workspace} in the half ${half}`]);
      return found;
    };
    for (const each of questions) {
      const where = `${each.package}@${each.version}, ${each.q}`;
      if (!names.includes(each.package)) report(where, ['its package is not of this half']);
      if (placed(each) === undefined) continue;
      report(where, await answerProblems(each, folderOf(each.workspace)));
    }
    const versions = questions.filter(({ kind }) => kind === 'version');
    const nameOf = (/** @type {InstalledQuestion} */ { pair, q }) => pair ?? q;
    const pairs = new Map(
      versions.map((each) => [nameOf(each), /** @type {InstalledQuestion[]} */ ([])]),
    );
    for (const each of versions) pairs.get(nameOf(each))?.push(each);
    for (const [name, pair] of pairs) report(name, await pairProblems(pair, folderOf));
    for (const each of about) {
      if (placed(each) === undefined) continue;
      const folder = folderOf(each.workspace);
      if (await isInstalled(folder, each.about)) report(each.q, [`${each.about} is installed`]);
      if (each.near !== undefined && !existsSync(packageFolder(folder, each.near))) {
        report(each.q, [`${each.near} is not installed`]);
      }
    }
    counts.questions += questions.length;
    counts.packages += new Set(questions.map((each) => each.package)).size;
    counts.pairs += pairs.size;
    counts.absent += about.length;
  }
  for (const key of /** @type {const} */ (['questions', 'packages', 'pairs', 'absent'])) {
    if (counts[key] < LEAST[key]) report(key, [`${counts[key]} instead of ${LEAST[key]}`]);
  }
  console.log(
    `${counts.questions} questions about ${counts.packages} packages, ${counts.pairs} of them to two majors; ` +
      `${counts.absent} about packages that are not installed; ${wrong} wrong`,
  );
  if (wrong > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
