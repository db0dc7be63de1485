/** The search for files in installations that lack the program that VS Code's own search runs. */
import * as vscode from 'vscode';

/** Folders are nested less deeply than this where people write files. */
const MAX_DEPTH = 12;

/**
 * Returns the files below a folder when `findFiles` fails, as some installations lack the program
 * that it runs. Doesn't follow symbolic links, which can form circles.
 *
 * @param maxFiles to look at, so that a huge folder takes no longer
 * @param isWanted tells which files are returned. All by default.
 * @param isEntered tells which folders are searched, by their names. By default, none that begins with a dot and none
 *   with packages.
 */
export async function walkFiles(
  root: vscode.Uri,
  maxFiles: number,
  isWanted: (uri: vscode.Uri) => boolean = () => true,
  isEntered: (name: string) => boolean = isOwn,
): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  let seen = 0;
  let level: readonly vscode.Uri[] = [root];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const below: vscode.Uri[] = [];
    for (const folder of level) {
      for (const [name, type] of await entriesOf(folder)) {
        if (seen >= maxFiles) return found;
        const uri = vscode.Uri.joinPath(folder, name);
        if (type === vscode.FileType.File) {
          seen++;
          if (isWanted(uri)) found.push(uri);
        } else if (type === vscode.FileType.Directory && isEntered(name)) below.push(uri);
      }
    }
    level = below;
  }
  return found;
}

function isOwn(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && name !== 'bower_components';
}

/** Returns the entries of a folder, or none if it can't be read. */
async function entriesOf(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}
