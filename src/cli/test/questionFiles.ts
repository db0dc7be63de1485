/** Reads the files of questions that a command names, with `node:fs`. */
import path from 'node:path';
import { exists } from '../../common/onDisk';
import type { QuestionProblem } from '../../questions/docsQuestion';
import { parseRun, type QuestionRun } from '../../questions/questionRun';
import { readQuestionFile } from '../../questions/readQuestionFile';
import type { AskedQuestion } from '../../questions/runQuestions';
import { CliError, exitCodes, type CliContext } from '../context';
import { readUtf8File } from '../namedFile';
import { shownPathWithSlashes } from '../places';
import { parsedJson } from '../../common/text/strings';

/** Names to try if the command names no file. */
const defaultNames = ['docs-questions.yaml', 'docs-questions.yml'];
/** Most bytes of a file of questions or results. */
const MAX_FILE_BYTES = 200_000_000;
const MAX_QUESTIONS_BYTES = 20_000_000;

/** A problem with the file that it is in. */
export type FileProblem = QuestionProblem & { readonly file: string };

/**
 * Reads files of questions, or `docs-questions.yaml` of the current folder.
 * @throws {CliError} for a file that doesn't exist or can't be read.
 */
export async function readQuestionFiles(
  files: readonly string[],
  { cwd, t }: Pick<CliContext, 'cwd' | 't'>,
): Promise<{ readonly questions: AskedQuestion[]; readonly problems: FileProblem[] }> {
  const named = files.length > 0 ? files : [await defaultFile(cwd, t)];
  const places = new Set<string>();
  const questions: AskedQuestion[] = [];
  const problems: FileProblem[] = [];
  for (const name of named) {
    const place = path.resolve(cwd, name);
    if (places.has(place)) continue;
    places.add(place);
    const file = shownPathWithSlashes(place, cwd);
    const read = readQuestionFile(await readUtf8File(place, name, MAX_QUESTIONS_BYTES, t), t);
    questions.push(...read.questions.map((question) => ({ question, file })));
    problems.push(...read.problems.map((problem) => ({ ...problem, file })));
  }
  return { questions, problems };
}

/**
 * Reads the results that an earlier run saved.
 * @throws {CliError} for a file that doesn't exist or has no results.
 */
export async function readEarlierRun(
  name: string,
  { cwd, t }: Pick<CliContext, 'cwd' | 't'>,
): Promise<QuestionRun> {
  const text = await readUtf8File(path.resolve(cwd, name), name, MAX_FILE_BYTES, t);
  const run = parseRun(parsedJson(text));
  if (run) return run;
  throw new CliError(
    exitCodes.usage,
    t('{0} has no results. Name a file that --json saved.', name),
  );
}

async function defaultFile(cwd: string, t: CliContext['t']): Promise<string> {
  for (const name of defaultNames) {
    if (await exists(path.join(cwd, name))) return name;
  }
  throw new CliError(
    exitCodes.notFound,
    t('This folder has no docs-questions.yaml. Create one, or name your questions files.'),
  );
}
