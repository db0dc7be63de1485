import * as vscode from 'vscode';
import { openLink } from '../openLink';
import { dataOfUrl, safeFileName } from '../openableLink';
import type { ViewHandlers, ViewPorts } from './viewPorts';

type SourceHandlers = Pick<
  ViewHandlers,
  'source-open' | 'source-describe' | 'file-open' | 'link-open'
>;

/** Where a reply's sources, files and links lead. */
export function sourceHandlers({ conversation, log }: ViewPorts): SourceHandlers {
  return {
    'source-open': async ({ messageId, sourceId }) => {
      const source = conversation.source(messageId, sourceId);
      if (source) await openLink(source.url, log);
      return null;
    },
    'source-describe': () => null,
    'file-open': async ({ messageId, partIndex }) => {
      const file = conversation.file(messageId, partIndex);
      if (!file) return null;
      const content = dataOfUrl(file.url);
      if (content) await saveFile(safeFileName(file.filename, 'file'), content.bytes);
      else await openLink(file.url, log);
      return null;
    },
    'link-open': async ({ href }) => {
      await openLink(href, log);
      return null;
    },
  };
}

async function saveFile(name: string, bytes: Uint8Array): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog(
    folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {},
  );
  if (target) await vscode.workspace.fs.writeFile(target, bytes);
}
