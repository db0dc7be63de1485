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

/** Last segment of a path, whichever way its slashes lean. */
export function baseName(path: string): string {
  const segments = withForwardSlashes(path).split('/');
  return segments.findLast((segment) => segment !== '') ?? '';
}

/**
 * Where a document is, as it may be told to a docs service: relative to its workspace folder, with
 * forward slashes, prefixed with the folder's name where there are several. Outside of every
 * folder it is the file's name alone; it is never absolute.
 *
 * A document that stands for a file under another scheme (a diff's old side, a notebook cell) is
 * looked up by its path alone.
 */
export function workspacePath(
  document: DocumentAddress,
  folders: readonly WorkspaceFolder[],
): string {
  const atSameAddress = folders.filter(
    (folder) => folder.scheme === document.scheme && folder.authority === document.authority,
  );
  for (const candidates of [atSameAddress, folders]) {
    // The innermost folder wins, as one folder of a workspace may lie in another.
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
 * The path relative to a folder, with forward slashes; undefined for what is not below it. A path
 * that climbs (`..`) is not below anything.
 */
export function pathInFolder(path: string, folder: string): string | undefined {
  const root = normal(folder).replace(/\/+$/, '');
  const target = normal(path);
  if (!target.startsWith(`${root}/`)) return undefined;
  const relative = target.slice(root.length + 1).replace(/^\/+/, '');
  return relative === '' || relative.split('/').includes('..') ? undefined : relative;
}

const withForwardSlashes = (path: string): string => path.replaceAll('\\', '/');

/** `c:` and `C:` are one drive, and `/c:` is how a URI writes it. */
function normal(path: string): string {
  return withForwardSlashes(path).replace(
    /^\/?([a-zA-Z]):/,
    (_, drive: string) => `/${drive.toLowerCase()}:`,
  );
}
