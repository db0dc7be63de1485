import * as vscode from 'vscode';
import os from 'node:os';
import type { Thread } from '../../chat/conversation/thread';
import type { Clock, Log } from '../../common/ports';
import { baseName } from '../../chat/context/documentPaths';
import { plainText, translate } from '../notifications';

interface ExportThreadPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Asks where to save a thread as Markdown, saves it and offers to open the file. */
export async function exportThread(thread: Thread, ports: ExportThreadPorts): Promise<void> {
  const { threadFileName, threadMarkdown } = await import('../../chat/history/threadMarkdown');
  const target = await askWhereToSave(threadFileName(thread.title), {
    filters: { Markdown: ['md'] },
    title: translate('Export Thread as Markdown'),
  });
  if (!target) return;
  const markdown = threadMarkdown(thread, {
    exportedAt: ports.clock.now(),
    language: vscode.env.language,
    translate,
  });
  const name = baseName(target.path);
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(markdown));
  } catch (error) {
    ports.log.error('Could not write the exported thread', error);
    const reason = error instanceof Error ? error.message : '';
    void vscode.window.showErrorMessage(
      plainText(translate('Could not save {0}. {1}', name, reason)),
    );
    return;
  }
  const open = translate('Open');
  const chosen = await vscode.window.showInformationMessage(
    plainText(translate('Saved the thread as {0}.', name)),
    open,
  );
  if (chosen === open) await vscode.window.showTextDocument(target);
}

/**
 * Asks where to save a file. Starts in the workspace or, without one, in the home folder.
 * @returns undefined if the user canceled.
 */
export async function askWhereToSave(
  name: string,
  options: Pick<vscode.SaveDialogOptions, 'title' | 'filters'> = {},
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  return vscode.window.showSaveDialog({
    ...options,
    defaultUri: vscode.Uri.joinPath(folder, name),
  });
}
