/** The files of docs questions: their names, and where they are in the workspace. */
import * as vscode from 'vscode';

/** Matches the files of questions in all folders. */
export const QUESTION_FILES = '**/docs-questions.{yaml,yml}';

/** Matches folders of copies, which no team keeps its questions in. */
export const IGNORED_FOLDERS = '**/{node_modules,.git}/**';

export function isQuestionPath(path: string): boolean {
  return /(?:^|\/)docs-questions\.ya?ml$/.test(path);
}

/** Most files that are visited if VS Code's own search can't run. */
const MAX_WALKED = 20_000;

export async function findQuestionFiles(maxFiles: number): Promise<vscode.Uri[]> {
  const { workspace } = vscode;
  try {
    return await workspace.findFiles(QUESTION_FILES, IGNORED_FOLDERS, maxFiles);
  } catch {
    // The file search runs a separate program, which some installations lack.
    const { walkFiles } = await import('../walkFiles');
    const isWanted = ({ path }: vscode.Uri): boolean => isQuestionPath(path);
    const folders = workspace.workspaceFolders ?? [];
    const found = folders.map(({ uri }) => walkFiles(uri, MAX_WALKED, isWanted));
    return (await Promise.all(found)).flat().slice(0, maxFiles);
  }
}
