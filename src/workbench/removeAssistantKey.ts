import * as vscode from 'vscode';
import { DocsAssistantError } from '../common/errors';
import type { KeyStore } from '../common/ports';
import type { ActiveSite } from './activeSite';
import { plainText, translate } from './notifications';

interface RemoveKeyPorts {
  readonly site: ActiveSite;
  readonly keys: KeyStore;
}

/** *Remove Assistant Key*, of the site that questions go to, after asking. */
export async function removeAssistantKey({ site, keys }: RemoveKeyPorts): Promise<void> {
  if (site.origin === undefined || site.local) throw new DocsAssistantError('not-configured');
  const { host } = new URL(site.origin);
  const remove = translate('Remove');
  const chosen = await vscode.window.showWarningMessage(
    plainText(translate('Remove the assistant key for {0}?', host)),
    { modal: true },
    remove,
  );
  if (chosen !== remove) return;
  await keys.forget('assistant', site.origin);
  void vscode.window.showInformationMessage(
    plainText(translate('The assistant key for {0} is removed.', host)),
  );
}
