import type { Log } from '../../common/ports';
import { DocsAssistantError } from '../../common/errors';
import { viewStrings } from '../../shared/viewStrings';
import {
  describeExportError,
  ExportError,
  type ExportAction,
} from '../../staticExport/exportErrors';
import { commands } from '../contributions';
import { exportCommands, exportSettings } from '../exportContributions';
import type { ExportUi } from './exportUi';
import type { ExportNode } from './openedSites';

/** VS Code's own; there is no API to ask for trust. */
const MANAGE_TRUST = 'workbench.trust.manage';

interface ActionButton {
  readonly action: ExportAction;
  readonly label: string;
  readonly command: string;
  readonly argument?: unknown;
}

/** The button of each way out; undefined for what is no way out of a failed export. */
function buttonOf(action: ExportAction, node: ExportNode | undefined): ActionButton | undefined {
  switch (action) {
    case 'set-admin-key':
      return {
        action,
        label: 'Set Admin Key…',
        command: exportCommands.setAdminKey,
        argument: node,
      };
    case 'renew-link':
      return { action, label: 'Renew Link', command: exportCommands.renewLink, argument: node };
    case 'get-bundle': {
      const command = exportCommands.downloadBundle;
      return { action, label: 'Download Bundle…', command, argument: node };
    }
    case 'start-again':
      return { action, label: 'Start Again', command: exportCommands.startAgain, argument: node };
    case 'trust-workspace':
      return { action, label: 'Manage Workspace Trust', command: MANAGE_TRUST };
    // Where an address of the assistant may be wrong, here it is that of the export API.
    case 'set-up-site':
    case 'open-settings': {
      const argument = exportSettings.apiUrl;
      return { action, label: viewStrings.openSettings, command: commands.openSettings, argument };
    }
    case 'start-local-service': {
      const command = commands.startLocalService;
      return { action, label: viewStrings.startLocalService, command };
    }
    case 'open-log':
      return { action, label: viewStrings.openLog, command: commands.openLog };
    // A command is repeated by running it again.
    case 'retry':
    case 'set-assistant-key':
    case 'new-thread':
      return undefined;
  }
}

interface ShowErrorOptions {
  readonly ui: ExportUi;
  readonly log: Log;
  /** What the failed command was about, handed on to the ways out. */
  readonly node?: ExportNode | undefined;
  /** Put before the error's sentence. */
  readonly about?: string;
  /** Offers to do the same again, first of all buttons. */
  readonly again?: { readonly label: string; readonly run: () => Promise<void> };
  /** Ways out that the caller runs by itself, in the place of their command. */
  readonly takes?: ExportAction;
}

/**
 * Shows a failure of static export with its ways out, and runs the one that is chosen; one that
 * nobody planned for is logged too. What was stopped on purpose is no failure.
 * @returns true if the way out that the caller takes care of was chosen.
 */
export async function showExportError(error: unknown, options: ShowErrorOptions): Promise<boolean> {
  if (isStop(error)) return false;
  const { ui, log, node, about, again, takes } = options;
  const isKnown = error instanceof ExportError || error instanceof DocsAssistantError;
  if (!isKnown) log.error('A command of static export failed', error);
  const { message, actions, retryAt } = describeExportError(error, ui.translate);
  const buttons = actions.flatMap((action) => buttonOf(action, node) ?? []);
  const labels = buttons.map(({ label }) => ui.translate(label));
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

/** A time of the day: nothing waits for longer. */
function retryText(retryAt: number, { translate: t, language }: ExportUi): string {
  const format = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  return t('It can be tried again at {0}.', format.format(retryAt));
}

/** True for what a person stopped: a cancelled wait ends with the reason of its signal. */
function isStop(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}
