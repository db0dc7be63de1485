import { readDocsFile } from './docsFolder';
import { candidates, includesOf, isPartPath, type IncludedFiles } from './markup/includes';
import { isPagePath } from './page';

/** Bytes of a file that a page includes. */
const MAX_INCLUDE_BYTES = 1024 * 1024;
/** Files that one page includes, snippets within snippets too. */
const MAX_INCLUDES = 100;

/** Reads the snippets and code that a page includes, below the docs folder and never through links. */
export async function readIncludes(
  root: string,
  pagePath: string,
  source: string,
): Promise<IncludedFiles> {
  const files = new Map<string, string>();
  const open: { readonly path: string; readonly source: string }[] = [{ path: pagePath, source }];
  for (let page = open.pop(); page; page = open.pop()) {
    for (const wanted of includesOf(page.path, page.source)) {
      if (files.size >= MAX_INCLUDES) return files;
      const found = await readFirst(root, candidates(page.path, wanted), files);
      if (found === undefined || found.path === pagePath) continue;
      const isNew = !files.has(found.path);
      files.set(found.path, found.source);
      if (isNew && isPagePath(found.path)) open.push(found);
    }
  }
  return files;
}

async function readFirst(
  root: string,
  paths: readonly string[],
  known: IncludedFiles,
): Promise<{ readonly path: string; readonly source: string } | undefined> {
  for (const path of paths) {
    const content = known.get(path);
    if (content !== undefined) return { path, source: content };
    const bytes = await readDocsFile(root, path, MAX_INCLUDE_BYTES);
    if (!bytes || bytes.includes(0)) continue;
    return { path, source: new TextDecoder().decode(bytes).replace(/\r\n?/g, '\n') };
  }
  return undefined;
}

/** Which pages include which files, so that a snippet is no page and its change is theirs. */
export class PageParts {
  /** By the included file: the pages that do. */
  readonly #users = new Map<string, Set<string>>();
  readonly #included = new Map<string, readonly string[]>();

  /** Notes what a page includes now. @returns the files that it did not include before, or no longer does. */
  set(pagePath: string, files: Iterable<string>): string[] {
    const before = this.#included.get(pagePath) ?? [];
    const now = [...files];
    if (before.length === 0 && now.length === 0) return [];
    for (const file of before) {
      const users = this.#users.get(file);
      users?.delete(pagePath);
      if (users?.size === 0) this.#users.delete(file);
    }
    for (const file of now) {
      const users = this.#users.get(file) ?? new Set();
      this.#users.set(file, users.add(pagePath));
    }
    if (now.length === 0) this.#included.delete(pagePath);
    else this.#included.set(pagePath, now);
    return [
      ...before.filter((file) => !now.includes(file)),
      ...now.filter((file) => !before.includes(file)),
    ];
  }

  /** Whether a file is a piece of other pages and no page. */
  isPart(path: string): boolean {
    return isPartPath(path) && this.#users.has(path);
  }

  usersOf(path: string): string[] {
    return [...(this.#users.get(path) ?? [])];
  }
}
