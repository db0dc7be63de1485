/** Runs *Report Issue…*. Loaded on first use, without the chat, which can be what fails. */
import os from 'node:os';
import * as vscode from 'vscode';
import type { Clock } from '../../common/ports';
import type { SeenSecrets } from '../../site/keyStore';
import { issueReport } from '../../site/setupCheck/issueReport';
import { translate } from '../notifications';
import type { OutputLog } from '../outputLog';
import { setupEnvironment } from './setupEnvironment';

interface ReportIssuePorts {
  readonly extension: vscode.Extension<unknown>;
  readonly secrets: Pick<SeenSecrets, 'values'>;
  readonly clock: Clock;
  readonly log: OutputLog;
}

/**
 * Opens VS Code's own issue reporter with the versions and the end of the log, which it shows before
 * anything is sent. Where it can't open, such as in a browser, the reader gets the data to copy.
 */
export async function reportIssue({
  extension,
  secrets,
  clock,
  log,
}: ReportIssuePorts): Promise<void> {
  const data = await issueReport(setupEnvironment(extension, clock), log.recent, {
    secrets: secrets.values,
    home: os.homedir(),
  });
  try {
    await vscode.commands.executeCommand('workbench.action.openIssueReporter', {
      extensionId: extension.id,
      data,
    });
  } catch (error) {
    log.warn(`The issue reporter did not open: ${String(error)}`);
    const copy = translate('Copy Report');
    const chosen = await vscode.window.showWarningMessage(
      translate(
        'VS Code can’t open its issue reporter here. Copy the versions and the end of the log to paste them into an issue.',
      ),
      copy,
    );
    if (chosen === copy) await vscode.env.clipboard.writeText(data);
  }
}
