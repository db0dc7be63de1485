import { pathInFolder } from './workspacePath';

const pageExtension = /\.(md|mdx|markdown|rst|adoc|asciidoc)$/i;

/**
 * The page that is open in the editor, as a docs site would name it: relative to the docs root,
 * with forward slashes, without extension; an `index` page is its folder (`guides/index.md` is
 * `guides`), except at the root, where it stays `index`.
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
  const page = file?.replace(pageExtension, '').replace(/\/index$/i, '');
  return page === '' ? undefined : page;
}
