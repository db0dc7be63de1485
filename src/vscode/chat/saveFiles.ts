import * as vscode from 'vscode';
import type { Thread } from '../assistant/thread';
import { threadFileName, threadMarkdown } from '../assistant/threadMarkdown';
import type { Clock, Log } from '../common/ports';
import { baseName } from '../context/workspacePath';
import { askWhereToSave } from './askWhereToSave';
import { plainText, translate } from './notifications';

interface ExportThreadPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Saves a thread as Markdown where a person says, and offers to open it. */
export async function exportThread(thread: Thread, ports: ExportThreadPorts): Promise<void> {
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
    ports.log.error('The exported thread could not be written', error);
    const reason = error instanceof Error ? error.message : '';
    void vscode.window.showErrorMessage(
      plainText(translate('{0} could not be written. {1}', name, reason)),
    );
    return;
  }
  const open = translate('Open');
  const chosen = await vscode.window.showInformationMessage(
    plainText(translate('The thread was saved as {0}.', name)),
    open,
  );
  if (chosen === open) await vscode.window.showTextDocument(target);
}
