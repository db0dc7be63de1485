import * as vscode from 'vscode';
import { errorActions } from '../notifications';
import { attachmentHandlers } from './attachmentHandlers';
import { codeHandlers } from './codeHandlers';
import { conversationHandlers } from './conversationHandlers';
import { historyHandlers } from './historyHandlers';
import { sourceHandlers } from './sourceHandlers';
import { themeHandlers } from './themeHandlers';
import type { ViewHandlers, ViewPorts } from './viewPorts';

/** What the host does for each request of the webview. */
export function viewHandlers(ports: ViewPorts): ViewHandlers {
  return {
    ...conversationHandlers(ports),
    ...historyHandlers(ports),
    ...sourceHandlers(ports),
    ...codeHandlers(ports),
    ...attachmentHandlers(ports),
    ...themeHandlers(ports),
    'action-run': ({ action }) => {
      // Not awaited: a set-up that waits for its user must not keep the request open.
      void vscode.commands.executeCommand(errorActions[action].command);
      return null;
    },
    'view-log': ({ level, text }) => {
      ports.log[level](`Chat view: ${text}`);
      return null;
    },
  };
}
