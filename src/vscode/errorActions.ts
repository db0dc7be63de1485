/** Shows errors and their actions. It loads with the first error, not at the start. */
import * as vscode from 'vscode';
import { commands, type CommandId } from '../common/contributions';
import { describeError } from '../common/describeError';
import { DocsAssistantError } from '../common/errors';
import type { Log } from '../common/ports';
import type { ErrorAction } from '../shared/errorInfo';
import { viewStrings } from '../shared/viewStrings';
import { plainText, translate } from './notifications';

/** The command and the button label of each action that an error can offer. */
export const errorActions = {
  'set-up-site': { command: commands.setUpSite, label: viewStrings.setUpSite },
  'set-assistant-key': { command: commands.setAssistantKey, label: viewStrings.setAssistantKey },
  'check-setup': { command: commands.checkSetup, label: viewStrings.checkSetup },
  'choose-docs': { command: commands.chooseDocs, label: viewStrings.chooseDocs },
  'ask-installed': { command: commands.askInstalledPackages, label: viewStrings.askInstalled },
  'start-local-service': {
    command: commands.startLocalService,
    label: viewStrings.startLocalService,
  },
  'open-settings': { command: commands.openSettings, label: viewStrings.openSettings },
  'open-log': { command: commands.openLog, label: viewStrings.openLog },
  'new-thread': { command: commands.newThread, label: viewStrings.newThread },
  'answer-with': { command: commands.answerWith, label: viewStrings.answerWith },
  'filter-docs': { command: commands.filterDocs, label: viewStrings.filterDocs },
  'show-features': { command: commands.showFeatures, label: viewStrings.showFeatures },
  'switch-site': { command: commands.switchSite, label: viewStrings.switchSite },
} as const satisfies Record<
  Exclude<ErrorAction, 'retry'>,
  { readonly command: CommandId; readonly label: string }
>;

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
