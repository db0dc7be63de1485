import * as vscode from 'vscode';
import type { Log } from '../common/ports';
import { translate } from './notifications';
import { openableLink } from './openableLink';

/** Opens a link in the browser; VS Code itself asks before it opens a domain that is not trusted. */
export async function openLink(href: string, log: Log): Promise<void> {
  const link = openableLink(href);
  if (link === undefined) {
    log.warn('A link was not opened: only http, https and mailto addresses are');
    void vscode.window.showWarningMessage(
      translate('This link cannot be opened: only web and mail addresses are.'),
    );
    return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
