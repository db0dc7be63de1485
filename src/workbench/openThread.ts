import * as vscode from 'vscode';
import type { Conversation } from '../assistant/conversation';
import type { ChatView } from './chatView';
import { translate } from './notifications';

interface OpenThreadPorts {
  readonly conversation: Conversation;
  readonly chat: ChatView;
}

/** *Open Earlier Thread…*: a list of this workspace's threads. */
export async function openThread({ conversation, chat }: OpenThreadPorts): Promise<void> {
  const threads = await conversation.listThreads();
  if (threads.length === 0) {
    void vscode.window.showInformationMessage(
      translate('There are no earlier threads in this workspace.'),
    );
    return;
  }
  const time = new Intl.DateTimeFormat(vscode.env.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const chosen = await vscode.window.showQuickPick(
    threads.map(({ id, title, updatedAt }) => ({
      label: plainLabel(title) || translate('Untitled thread'),
      description: time.format(new Date(updatedAt)),
      id,
    })),
    { title: translate('Open Earlier Thread'), matchOnDescription: true },
  );
  if (!chosen) return;
  await conversation.openThread(chosen.id);
  await chat.focusComposer();
}

/** A label turns `$(name)` into an icon; a title is a question's text. */
function plainLabel(title: string): string {
  return title.replaceAll('$(', '$ (');
}
