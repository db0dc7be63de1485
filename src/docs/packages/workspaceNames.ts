/** Finds the names of a package that the code of a workspace uses. Uses `node:fs`. */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { decodeText } from '../pages/textEncoding';
import { isIgnoredName } from '../pages/pagePath';
import { readPlainFile } from '../sources/docsFolder';
import { type CodeName, codeNames } from './codeNames';

/** Maximum bytes of a source file. Larger ones are made by tools. */
const MAX_BYTES = 1024 * 1024;
/** Maximum number of source files that are looked at. */
const MAX_FILES = 50_000;
/** Maximum number of folders in one another. */
const MAX_DEPTH = 32;
/** Maximum number of places. */
const MAX_NAMES = 100_000;
/** Maximum number of files that are told because they can't be parsed. */
const MAX_UNREAD = 100;

const sourceFile = /(?<!\.min)\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i;
/** Folders beside a `package.json` that tools write. */
const builtFolder = /^(?:dist|build|out|coverage)$/i;

/** A place in the code of a workspace that names something of a package. */
export interface WorkspaceName extends CodeName {
  /** Path below the workspace, with forward slashes. */
  readonly file: string;
}

export interface WorkspaceNames {
  readonly names: readonly WorkspaceName[];
  /** Number of files that import the package. */
  readonly files: number;
  /** Paths of files that mention the package but can't be parsed. */
  readonly unread: readonly string[];
  /** Whether a limit ended the search. */
  readonly isCut: boolean;
}

/**
 * Finds the places that name something of a package in the source files below a folder. Packages, built code, hidden
 * folders and files behind links are left out.
 * @param importedAs name under which the code imports the package.
 * @param pause gives other work a turn, if it is time. It is called often, and can throw to end the search.
 */
export async function workspaceNames(
  folder: string,
  importedAs: string,
  pause: () => Promise<void>,
): Promise<WorkspaceNames> {
  const root = await realpath(folder).catch(() => folder);
  const names: WorkspaceName[] = [];
  const unread: string[] = [];
  const isWanted = (module: string): boolean =>
    module === importedAs || module.startsWith(`${importedAs}/`);
  let files = 0;
  let seen = 0;
  let isCut = false;
  for await (const file of sourceFiles(root)) {
    await pause();
    if (++seen > MAX_FILES || names.length >= MAX_NAMES) {
      isCut = true;
      break;
    }
    const bytes = await readPlainFile(path.join(root, file), MAX_BYTES);
    const source = bytes && decodeText(bytes);
    // Most files don't import the package and need not be parsed.
    if (source?.includes(importedAs) !== true) continue;
    const found = codeNames(file, source, isWanted);
    if (!found) {
      if (unread.length < MAX_UNREAD) unread.push(file);
      continue;
    }
    if (found.length > 0) files++;
    for (const name of found) names.push({ file, ...name });
  }
  return { names, files, unread, isCut };
}

async function* sourceFiles(root: string): AsyncGenerator<string> {
  const folders = [{ folder: '', depth: 0 }];
  for (const { folder, depth } of folders) {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
    const isProject = entries.some(({ name }) => name === 'package.json');
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const { name } = entry;
      if (isIgnoredName(name) || name === 'bower_components') continue;
      const below = path.posix.join(folder, name);
      if (entry.isFile() && sourceFile.test(name)) yield below;
      else if (entry.isDirectory() && depth < MAX_DEPTH && !(isProject && builtFolder.test(name)))
        folders.push({ folder: below, depth: depth + 1 });
    }
  }
}
