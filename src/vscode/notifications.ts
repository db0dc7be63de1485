import * as vscode from 'vscode';
import { describeError, DocsAssistantError } from '../common/errors';
import { notificationText } from '../common/text/safeText';
import type { Log } from '../common/ports';
import type { ErrorAction } from '../shared/errorInfo';
import { viewStrings } from '../shared/viewStrings';
import { commands, type CommandId } from '../common/contributions';

/**
 * Translates a message. This is `vscode.l10n.t` with the type that code outside `src/vscode` takes.
 * The bundle is made of the types of its arguments, so they are literals or tables of them.
 */
export const translate = (message: string, ...args: (string | number)[]): string =>
  vscode.l10n.t(message, ...args);

/** The command and the button label of each action that an error can offer. */
export const errorActions = {
  'set-up-site': { command: commands.setUpSite, label: viewStrings.setUpSite },
  'set-assistant-key': { command: commands.setAssistantKey, label: viewStrings.setAssistantKey },
  'check-setup': { command: commands.checkSetup, label: viewStrings.checkSetup },
  'choose-docs': { command: commands.chooseDocs, label: viewStrings.chooseDocs },
  'start-local-service': {
    command: commands.startLocalService,
    label: viewStrings.startLocalService,
  },
  'open-settings': { command: commands.openSettings, label: viewStrings.openSettings },
  'open-log': { command: commands.openLog, label: viewStrings.openLog },
  'new-thread': { command: commands.newThread, label: viewStrings.newThread },
  'answer-with': { command: commands.answerWith, label: viewStrings.answerWith },
  'switch-site': { command: commands.switchSite, label: viewStrings.switchSite },
} as const satisfies Record<
  Exclude<ErrorAction, 'retry'>,
  { readonly command: CommandId; readonly label: string }
>;

/** Escapes text for a notification, which would turn a service's `[text](url)` into a link. */
export function plainText(text: string): string {
  return notificationText(text);
}

/** Modal dialogs. Tests answer in their place, because VS Code refuses to show dialogs in tests. */
export const modals = {
  /** Asks a question and resolves with whether the reader chose the action. */
  confirm: async (question: string, action: string, detail = ''): Promise<boolean> => {
    const options = { modal: true, detail };
    const { showWarningMessage } = vscode.window;
    return (await showWarningMessage(plainText(question), options, action)) === action;
  },
};

/** Shows the error of a failed command with its actions. Logs it too if it is unexpected. */
export async function showError(error: unknown, log: Log): Promise<void> {
  if (!(error instanceof DocsAssistantError)) log.error('A command failed', error);
  const { message, actions } = describeError(error, translate);
  // A command is retried by running it again, so its notification needs no Retry button.
  const offered = actions.flatMap((action) =>
    action === 'retry'
      ? []
      : [{ title: translate(errorActions[action].label), command: errorActions[action].command }],
  );
  const chosen = await vscode.window.showErrorMessage(plainText(message), ...offered);
  if (chosen) await vscode.commands.executeCommand(chosen.command);
}
