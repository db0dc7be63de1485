/** Matches the files of questions in all folders. */
export const QUESTION_FILES = '**/docs-questions.{yaml,yml}';

/** Matches folders of copies, which no team keeps its questions in. */
export const IGNORED_FOLDERS = '**/{node_modules,.git}/**';

/** Returns whether a path is that of a file of questions. */
export function isQuestionPath(path: string): boolean {
  return /(?:^|\/)docs-questions\.ya?ml$/.test(path);
}
