import { pathInFolder } from './workspacePath';

const pageExtension = /\.(md|mdx|markdown|rst|adoc|asciidoc)$/i;

/**
 * Longest `currentPath`, in UTF-16 code units: a service may count these or code points, and
 * what fits by the first count fits by the second too.
 */
export const MAX_CURRENT_PATH_LENGTH = 200;

/**
 * Returns the path of a page as the pages of a docs site have it in their addresses: from the
 * site's root, with one slash at its start and none at its end. The home page is `/`.
 */
export function pagePath(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return `/${segments.join('/')}`;
}

/**
 * Returns the {@link pagePath} of the page that is open in the editor: its place below the docs
 * root, without extension. An `index` page is its folder (`guides/index.md` is `/guides`).
 *
 * @param path of the document, as `vscode.Uri.path`.
 * @param folder path of the workspace folder that the document is in.
 * @param docsRoot relative to that folder; `.` for all of it; empty if the workspace is no docs source.
 * @returns undefined for what is no page or lies outside the root. The length is limited where the
 *   request is built.
 */
export function currentPath(
  path: string,
  folder: string | undefined,
  docsRoot: string,
): string | undefined {
  if (folder === undefined || docsRoot.trim() === '' || !pageExtension.test(path)) return undefined;
  const root = docsRoot
    .trim()
    .split(/[\\/]/)
    .filter((segment) => segment !== '' && segment !== '.');
  if (root.includes('..')) return undefined;
  const file = pathInFolder(path, [folder.replace(/[\\/]+$/, ''), ...root].join('/'));
  return file && pagePath(file.replace(pageExtension, '').replace(/(?:^|\/)index$/i, ''));
}
