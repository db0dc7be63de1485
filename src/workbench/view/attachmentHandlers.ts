import * as vscode from 'vscode';
import { decodeBase64 } from '../../context/attachment';
import { viewStrings } from '../../shared/viewStrings';
import { commands } from '../contributions';
import { translate } from '../notifications';
import { Mentions } from './mentions';
import { addFile, pickFiles, refused } from './pickFiles';
import type { ViewHandlers, ViewPorts } from './viewPorts';

type AttachmentHandlers = Pick<
  ViewHandlers,
  'context-item-add' | 'attachment-pick' | 'attachment-add' | 'mention-list' | 'mention-add'
>;

/** What goes along with a question: selections, files, problems, the terminal. */
export function attachmentHandlers(ports: ViewPorts): AttachmentHandlers {
  const { settings } = ports;
  const mentions = new Mentions({
    ...ports,
    maxSelectionBytes: () => settings.values.maxSelectionSize * 1000,
  });
  return {
    'context-item-add': async () => {
      await vscode.commands.executeCommand(commands.addSelection);
      return null;
    },
    'attachment-pick': async () => {
      await pickFiles(ports);
      return null;
    },
    'attachment-add': ({ filename, content }) => {
      const bytes = decodeBase64(content);
      if (!bytes) throw refused(translate(viewStrings.fileUnreadable, filename));
      addFile(ports, filename, bytes);
      return null;
    },
    'mention-list': async ({ kind, query }) => ({ mentions: await mentions.list(kind, query) }),
    'mention-add': async ({ mentionId }) => {
      await mentions.add(mentionId);
      return null;
    },
  };
}
