import * as vscode from 'vscode';
import { commands } from '../contributions';
import type { ViewHandlers, ViewPorts } from './viewPorts';

type AttachmentHandlers = Pick<
  ViewHandlers,
  'context-item-add' | 'attachment-pick' | 'attachment-add' | 'mention-list' | 'mention-add'
>;

/** What goes along with a question: selections, files, problems, the terminal. */
export function attachmentHandlers(_ports: ViewPorts): AttachmentHandlers {
  return {
    'context-item-add': async () => {
      await vscode.commands.executeCommand(commands.addSelection);
      return null;
    },
    'attachment-pick': () => null,
    'attachment-add': () => null,
    'mention-list': () => ({ mentions: [] }),
    'mention-add': () => null,
  };
}
