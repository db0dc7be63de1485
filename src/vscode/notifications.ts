import * as vscode from 'vscode';
import { describeError, DocsAssistantError } from '../common/errors';
import { notificationText } from '../common/plainText';
import type { Log } from '../common/ports';
import type { ErrorAction } from '../shared/errorInfo';
import { viewStrings } from '../shared/viewStrings';
import { commands, type CommandId } from './contributions';

/** `vscode.l10n.t` in the shape that domain code takes. */
export const translate = (message: string, ...args: (string | number)[]): string =>
  vscode.l10n.t(message, ...args);

/** What each way out of an error runs, and what its button says. */
export const errorActions: Record<
  Exclude<ErrorAction, 'retry'>,
  { readonly command: CommandId; readonly label: string }
> = {
  'set-up-site': { command: commands.setUpSite, label: viewStrings.setUpSite },
  'set-assistant-key': { command: commands.setAssistantKey, label: viewStrings.setAssistantKey },
  'start-local-service': {
    command: commands.startLocalService,
    label: viewStrings.startLocalService,
  },
  'open-settings': { command: commands.openSettings, label: viewStrings.openSettings },
  'open-log': { command: commands.openLog, label: viewStrings.openLog },
  'new-thread': { command: commands.newThread, label: viewStrings.newThread },
};

/** Notifications turn `[text](address)` into links; what services say must stay text. */
export function plainText(text: string): string {
  return notificationText(text);
}

/** Shows a failed command's error with its ways out; one that nobody planned for is logged too. */
export async function showError(error: unknown, log: Log): Promise<void> {
  if (!(error instanceof DocsAssistantError)) log.error('A command failed', error);
  const { message, actions } = describeError(error, translate);
  // A command is repeated by running it again, so that a notification needs no Retry.
  const offered = actions.flatMap((action) =>
    action === 'retry'
      ? []
      : [{ title: translate(errorActions[action].label), command: errorActions[action].command }],
  );
  const chosen = await vscode.window.showErrorMessage(plainText(message), ...offered);
  if (chosen) await vscode.commands.executeCommand(chosen.command);
}
