import { commands, exportCommands, exportSettings } from '../../common/contributions';
import { ReportedError, type Translate } from '../../common/errors';
import type { Log } from '../../common/ports';
import { viewStrings } from '../../shared/viewStrings';
import { describeExportError, type ExportAction } from '../exportErrors';
import type { ExportNode } from './pickExport';
import type { WindowUi } from '../../common/windowUi';

/** VS Code's own command. There is no API to ask for trust. */
const MANAGE_TRUST = 'workbench.trust.manage';

interface ActionButton {
  readonly action: ExportAction;
  readonly label: string;
  readonly command: string;
  readonly argument?: unknown;
}

/** Returns the button of an action, or undefined for an action that exports don't offer. */
function buttonOf(
  action: ExportAction,
  node: ExportNode | undefined,
  t: Translate,
): ActionButton | undefined {
  switch (action) {
    case 'set-admin-key':
      return {
        action,
        label: t('Set Admin Key…'),
        command: exportCommands.setAdminKey,
        argument: node,
      };
    case 'renew-link':
      return { action, label: t('Renew Link'), command: exportCommands.renewLink, argument: node };
    case 'get-bundle': {
      const command = exportCommands.downloadBundle;
      return { action, label: t('Download Bundle…'), command, argument: node };
    }
    case 'start-again':
      return {
        action,
        label: t('Start Again'),
        command: exportCommands.startAgain,
        argument: node,
      };
    case 'trust-workspace':
      return { action, label: t('Manage Workspace Trust'), command: MANAGE_TRUST };
    // Errors of the assistant ask to check its URL. Here the URL is that of the export API.
    case 'set-up-site':
    case 'open-settings': {
      const argument = exportSettings.apiUrl;
      return {
        action,
        label: t(viewStrings.openSettings),
        command: commands.openSettings,
        argument,
      };
    }
    case 'choose-docs':
      return { action, label: t(viewStrings.chooseDocs), command: commands.chooseDocs };
    case 'start-local-service': {
      const command = commands.startLocalService;
      return { action, label: t(viewStrings.startLocalService), command };
    }
    case 'open-log':
      return { action, label: t(viewStrings.openLog), command: commands.openLog };
    // To retry, the user runs the command again.
    case 'retry':
    case 'ask-installed':
    case 'set-assistant-key':
    case 'check-setup':
    case 'new-thread':
    case 'answer-with':
    case 'switch-site':
    case 'filter-docs':
    case 'show-features':
      return undefined;
  }
}

interface ShowErrorOptions {
  readonly ui: WindowUi;
  readonly log: Log;
  /** Node that the failed command was about. The actions get it too. */
  readonly node?: ExportNode | undefined;
  /** Sentence before the error's own. */
  readonly about?: string;
  /** First button, which repeats the failed step. */
  readonly again?: { readonly label: string; readonly run: () => Promise<void> };
  /** Action that the caller runs itself instead of the action's command. */
  readonly takes?: ExportAction;
}

/**
 * Shows a failure of static export with its actions and runs the one that the user chooses.
 * Unexpected errors are also logged. Nothing is shown for a task that the user stopped.
 * @returns whether the user chose the action that the caller runs itself.
 */
export async function showExportError(error: unknown, options: ShowErrorOptions): Promise<boolean> {
  if (isStop(error)) return false;
  const { ui, log, node, about, again, takes } = options;
  if (!(error instanceof ReportedError)) log.error('A command of static export failed', error);
  const { message, actions, retryAt } = describeExportError(error, ui.translate);
  const buttons = actions.flatMap((action) => buttonOf(action, node, ui.translate) ?? []);
  const labels = buttons.map(({ label }) => label);
  const when = retryAt === undefined ? undefined : retryText(retryAt, ui);
  const text = [about, message, when].filter((part) => part !== undefined).join(' ');
  const chosen = await ui.fail(text, ...(again ? [again.label, ...labels] : labels));
  if (chosen === undefined) return false;
  if (chosen === again?.label) {
    await again.run();
    return false;
  }
  const button = buttons[labels.indexOf(chosen)];
  if (!button) return false;
  if (button.action === takes) return true;
  const { command, argument } = button;
  await ui.runCommand(command, ...(argument === undefined ? [] : [argument]));
  return false;
}

/** Returns when to try again, as a time of day, because no wait is longer than a day. */
function retryText(retryAt: number, { translate: t, language }: WindowUi): string {
  const format = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  return t('Try again at {0}.', format.format(retryAt));
}

/** Returns whether the user stopped the task. A canceled wait throws its signal's reason. */
function isStop(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}
