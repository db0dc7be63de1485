import * as vscode from 'vscode';

const MAX_DEPTH = 12;

/**
 * The files below a folder, for where `findFiles` cannot say: VS Code's search is a program of its
 * own, which some installations lack. Folders whose name begins with a dot, and those of packages,
 * are not entered, and links are not followed, as they could lead round in circles.
 */
export async function walkFiles(root: vscode.Uri, maxFiles: number): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  let level: readonly vscode.Uri[] = [root];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const below: vscode.Uri[] = [];
    for (const folder of level) {
      for (const [name, type] of await entriesOf(folder)) {
        if (found.length >= maxFiles) return found;
        const uri = vscode.Uri.joinPath(folder, name);
        if (type === vscode.FileType.File) found.push(uri);
        else if (type === vscode.FileType.Directory && isEntered(name)) below.push(uri);
      }
    }
    level = below;
  }
  return found;
}

function isEntered(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && name !== 'bower_components';
}

/** None of a folder that cannot be read. */
async function entriesOf(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}
