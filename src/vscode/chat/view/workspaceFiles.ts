import * as vscode from 'vscode';
import type { Clock } from '../../../common/ports';
import type { FileCandidate } from '../../../chat/context/fileRanking';
import { baseName } from '../../../chat/context/documentPaths';
import { walkFiles } from '../../walkFiles';

interface WorkspaceFile extends FileCandidate {
  readonly uri: vscode.Uri;
}

/**
 * Maximum number of files that are listed and searched here. VS Code searches the rest of a larger
 * workspace.
 */
const MAX_LISTED = 20_000;
/** Maximum number of files that VS Code's own search returns in a larger workspace. */
const MAX_FOUND = 200;
/** Time for which the list is reused while a query is typed. Then it picks up new files. */
const LIST_AGE_MS = 10_000;

/** Finds files of the workspace, and files that are open in editors, by path. */
export class WorkspaceFiles {
  readonly #clock: Clock;
  #list:
    | { readonly listedAt: number; readonly files: Promise<readonly WorkspaceFile[]> }
    | undefined;
  #search: vscode.CancellationTokenSource | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns all files that may match, unranked. A later search ends an earlier one, which then
   * returns what it has found.
   */
  async find(query: string): Promise<readonly WorkspaceFile[]> {
    this.#search?.cancel();
    const search = new vscode.CancellationTokenSource();
    this.#search = search;
    try {
      const listed = await this.#listed();
      const isWhole = listed.length < MAX_LISTED;
      const more = isWhole || query === '' ? [] : await searchFiles(query, search.token);
      const open = openFiles().map((uri, recency) => ({ ...workspaceFile(uri), recency }));
      return withoutTwins([...open, ...more.map(workspaceFile), ...listed]);
    } finally {
      search.dispose();
      if (this.#search === search) this.#search = undefined;
    }
  }

  async #listed(): Promise<readonly WorkspaceFile[]> {
    const now = this.#clock.now();
    if (!this.#list || now - this.#list.listedAt > LIST_AGE_MS) {
      const files = listFiles().then((uris) => uris.map(workspaceFile));
      this.#list = { listedAt: now, files };
    }
    return this.#list.files;
  }
}

/** Returns the files in editors: the active one first, then visible ones, then the other tabs. */
export function openFiles(): vscode.Uri[] {
  const { activeTextEditor, visibleTextEditors, tabGroups } = vscode.window;
  const tabs = tabGroups.all.flatMap(({ tabs: all }) =>
    all.toSorted((a, b) => Number(b.isActive) - Number(a.isActive)),
  );
  return [
    ...(activeTextEditor ? [activeTextEditor.document.uri] : []),
    ...visibleTextEditors.map(({ document }) => document.uri),
    ...tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  ].filter(({ scheme }) => vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined);
}

async function listFiles(): Promise<readonly vscode.Uri[]> {
  try {
    return await vscode.workspace.findFiles('**/*', excluded(), MAX_LISTED);
  } catch {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return (await Promise.all(folders.map(({ uri }) => walkFiles(uri, MAX_LISTED)))).flat();
  }
}

/** Returns the files that VS Code finds by the query, or none if its search fails. */
async function searchFiles(
  query: string,
  token: vscode.CancellationToken,
): Promise<readonly vscode.Uri[]> {
  try {
    const pattern = `**/*${caseInsensitive(query)}*`;
    return await vscode.workspace.findFiles(pattern, excluded(), MAX_FOUND, token);
  } catch {
    return [];
  }
}

function workspaceFile(uri: vscode.Uri): WorkspaceFile {
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return { uri, path: isInWorkspace ? vscode.workspace.asRelativePath(uri) : baseName(uri.path) };
}

/** Returns each file once. The first entry wins, as open files come first. */
function withoutTwins(files: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
  const unlike = new Map<string, WorkspaceFile>();
  for (const file of files) {
    const key = file.uri.toString();
    if (!unlike.has(key)) unlike.set(key, file);
  }
  return [...unlike.values()];
}

/**
 * Returns a glob for the files that `search.exclude` hides. VS Code applies `files.exclude` itself.
 */
function excluded(): string {
  const patterns: unknown = vscode.workspace.getConfiguration('search').get('exclude');
  const names = Object.entries(typeof patterns === 'object' && patterns !== null ? patterns : {})
    .filter(([name, isOn]) => isOn === true && !/[{},]/.test(name))
    .map(([name]) => name);
  const all = ['**/.git', '**/node_modules', ...names];
  return `{${[...new Set(all.flatMap((name) => [name, `${name}/**`]))].join(',')}}`;
}

/** Returns a glob that matches the text in any case. Special characters match any one character. */
function caseInsensitive(text: string): string {
  return text.replace(/[^/]/gu, (letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    if (lower !== upper) return `[${lower}${upper}]`;
    return /[\p{L}\p{N}_.-]/u.test(letter) ? letter : '?';
  });
}
