/** The parts of a URI that say where a document is. */
export interface DocumentAddress {
  readonly scheme: string;
  readonly authority: string;
  /** Decoded, as `vscode.Uri.path`. */
  readonly path: string;
}

export interface WorkspaceFolder extends DocumentAddress {
  readonly name: string;
}

/** Returns the last segment of a path, with slashes of either kind. */
export function baseName(path: string): string {
  const segments = withForwardSlashes(path).split('/');
  return segments.findLast((segment) => segment !== '') ?? '';
}

/**
 * Returns the path of a document as it is sent to a docs service. The path is relative to the
 * workspace folder, has forward slashes, and begins with the folder's name if there are several
 * folders. For a document outside all folders, it is the file name. It is never absolute.
 *
 * A document that represents a file under another scheme (the old side of a diff, a notebook cell)
 * is looked up by its path alone.
 */
export function workspacePath(
  document: DocumentAddress,
  folders: readonly WorkspaceFolder[],
): string {
  const atSameAddress = folders.filter(
    (folder) => folder.scheme === document.scheme && folder.authority === document.authority,
  );
  for (const candidates of [atSameAddress, folders]) {
    // One folder of a workspace can be inside another. The innermost one wins.
    const [closest] = candidates
      .flatMap((folder) => {
        const relative = pathInFolder(document.path, folder.path);
        return relative === undefined ? [] : [{ folder, relative }];
      })
      .sort((a, b) => a.relative.length - b.relative.length);
    if (closest) {
      const { folder, relative } = closest;
      return folders.length > 1 ? `${baseName(folder.name)}/${relative}` : relative;
    }
  }
  return baseName(document.path);
}

/**
 * Returns the path relative to a folder, with forward slashes, or undefined if the path isn't
 * inside the folder. A path with `..` isn't inside any folder.
 */
function pathInFolder(path: string, folder: string): string | undefined {
  const root = normal(folder).replace(/\/+$/, '');
  const target = normal(path);
  if (!target.startsWith(`${root}/`)) return undefined;
  const relative = target.slice(root.length + 1).replace(/^\/+/, '');
  return relative === '' || relative.split('/').includes('..') ? undefined : relative;
}

const withForwardSlashes = (path: string): string => path.replaceAll('\\', '/');

/**
 * Returns the path with one spelling of its drive, because `c:`, `C:` and `/c:` mean the same
 * drive.
 */
function normal(path: string): string {
  return withForwardSlashes(path).replace(
    /^\/?([a-zA-Z]):/,
    (_, drive: string) => `/${drive.toLowerCase()}:`,
  );
}

const pageExtension = /\.(md|mdx|markdown|rst|adoc|asciidoc)$/i;

/**
 * Longest `currentPath`, in UTF-16 code units. A text that fits by code units also fits if a
 * service counts code points.
 */
export const MAX_CURRENT_PATH_LENGTH = 200;

/**
 * Returns the path of a page as it is in the URLs of a docs site: from the site's root, with a
 * slash at its start and none at its end. The home page is `/`.
 */
export function pagePath(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return `/${segments.join('/')}`;
}

/**
 * Returns the {@link pagePath} of the page that is open in the editor: its path below the docs
 * root, without extension. An `index` page gets the path of its folder (`guides/index.md` is
 * `/guides`).
 *
 * @param path of the document, as `vscode.Uri.path`.
 * @param folder path of the workspace folder that the document is in.
 * @param docsRoot path of the docs relative to that folder, `.` for the whole folder, or empty if
 * the workspace has no docs.
 * @returns undefined if the document isn't a page or is outside the docs root. `requestBody` limits
 *   the length.
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
