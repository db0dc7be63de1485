import * as vscode from 'vscode';
import type { LocalDocs } from './localServiceProcess';
import { translate } from './notifications';

/** Asks what the local docs service is to answer from; undefined if the user left. */
export async function chooseDocs(extensionUri: vscode.Uri): Promise<LocalDocs | undefined> {
  const onDisk = (vscode.workspace.workspaceFolders ?? []).filter(
    ({ uri }) => uri.scheme === 'file',
  );
  const sample = vscode.Uri.joinPath(extensionUri, 'dist', 'sampleDocs').fsPath;
  const choices = [
    ...onDisk.map(({ name, uri }) => ({
      label: `$(folder) ${name}`,
      description: translate('folder of this workspace'),
      docs: { folder: uri.fsPath, label: name },
    })),
    {
      label: `$(folder-opened) ${translate('Choose a Folder…')}`,
      description: translate('Markdown or MDX on this machine'),
      docs: undefined,
    },
    {
      label: `$(book) ${translate('Sample Docs')}`,
      description: translate('an imaginary product’s docs, to try it out'),
      docs: { folder: sample, label: translate('Sample Docs') },
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: translate('Start Local Docs Service'),
    placeHolder: translate('Which docs is it to answer from?'),
  });
  return chosen && (chosen.docs ?? (await chooseFolder()));
}

async function chooseFolder(): Promise<LocalDocs | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: translate('Serve This Folder'),
    })) ?? [];
  if (!folder) return undefined;
  if (folder.scheme !== 'file') {
    void vscode.window.showWarningMessage(
      translate('The local docs service reads folders on disk only.'),
    );
    return undefined;
  }
  return { folder: folder.fsPath, label: folder.path.split('/').at(-1) ?? folder.fsPath };
}
