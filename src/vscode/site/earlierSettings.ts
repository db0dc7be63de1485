/** Finds the settings files of this machine. Loaded in remote windows and profiles. */
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { SETTINGS_SECTION } from '../../common/contributions';
import { systemClock } from '../../common/clock';
import type { KeyStore, Log, NewId } from '../../common/ports';
import type { ActiveSite } from '../../site/activeSite';
import { KeptSites } from '../../site/sites';
import { updateUserSetting } from '../settings';

interface EarlierSettingsPorts {
  readonly globalStorageUri: vscode.Uri;
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  readonly site: ActiveSite;
  readonly keys: KeyStore;
  readonly newId: NewId;
  readonly log: Log;
}

/**
 * Files with settings of this machine, relative to the extension's storage. `Machine` is that of a
 * remote machine. The other is that of the user or of a profile.
 */
const SETTINGS_FILES = ['../../../Machine/settings.json', '../../settings.json'];

/** Moves settings out of files that VS Code no longer reads them from. */
export async function takeOverEarlierSettings(ports: EarlierSettingsPorts): Promise<void> {
  const { globalStorageUri, globalState, workspaceState, site, keys, newId, log } = ports;
  if (globalStorageUri.scheme !== 'file') return;
  const files = SETTINGS_FILES.map((file) => vscode.Uri.joinPath(globalStorageUri, file).fsPath);
  const contents = (await Promise.all(files.map(readText))).filter((content) =>
    content.includes(`"${SETTINGS_SECTION}.`),
  );
  if (contents.length === 0) return;
  const { takeOverSettings } = await import('../../site/earlierSettings');
  const configuration = vscode.workspace.getConfiguration(undefined, null);
  const sites = new KeptSites({
    ...{ memento: globalState, workspace: workspaceState, active: site, keys, newId, log },
    clock: systemClock,
    stopLocal: () => Promise.resolve(),
    clearSettings: () => Promise.resolve(),
  });
  await takeOverSettings({
    readFiles: () => Promise.resolve(contents),
    userValue: (setting) => configuration.inspect<unknown>(setting)?.globalValue,
    update: updateUserSetting,
    keepSite: (found) => sites.add(found),
    memento: globalState,
    log,
  });
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
