import * as vscode from 'vscode';
import type { CheckedSettings, ReadSetting, SettingProblem } from '../common/checkedSettings';
import { apiAddressText } from '../common/http/address';
import { type Disposable, DisposableStore } from '../common/disposable';
import { Emitter } from '../common/event';
import { commands, settings, SETTINGS_SECTION } from '../common/contributions';
import { type SettingTypes, parseSettings } from '../site/settingsSchema';

/** Settings of the extension, checked. A bad value is reported once and its default is used. */
export class WindowSettings<Values> implements Disposable {
  readonly #check: (read: ReadSetting) => CheckedSettings<Values>;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #reported = new Set<string>();
  #values: Values | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(check: (read: ReadSetting) => CheckedSettings<Values>) {
    this.#check = check;
    const forget = (): void => {
      this.#values = undefined;
      this.#changed.fire();
    };
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS_SECTION)) forget();
      }),
    );
    // In Restricted Mode, VS Code ignores some settings of the workspace until it is trusted.
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(forget));
  }

  get values(): Values {
    this.#values ??= this.#read();
    return this.#values;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #read(): Values {
    const configuration = vscode.workspace.getConfiguration(undefined, null);
    const { values, problems } = this.#check((setting) => configuration.get(setting));
    for (const problem of problems) void this.#report(problem);
    return values;
  }

  async #report({ setting, value }: SettingProblem): Promise<void> {
    const report = `${setting}=${value}`;
    if (this.#reported.has(report)) return;
    this.#reported.add(report);
    const open = vscode.l10n.t('Open Settings');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('The setting “{0}” has an invalid value. Its default is used.', setting),
      open,
    );
    if (chosen === open) await vscode.commands.executeCommand(commands.openSettings, setting);
  }
}

/** The settings of all rooms except those of static export. */
export class WorkbenchSettings extends WindowSettings<SettingTypes> {
  constructor() {
    super(parseSettings);
  }

  /**
   * Returns the docs root of a workspace folder. It is the only setting that differs between
   * folders.
   */
  docsRootFor(folder: vscode.WorkspaceFolder): string {
    return textSetting(vscode.workspace.getConfiguration(undefined, folder), settings.docsRoot);
  }

  /**
   * Returns the folder that holds the pages of a workspace folder, or undefined if no docs root is
   * set.
   */
  docsFolder(folder: vscode.WorkspaceFolder): vscode.Uri | undefined {
    const root = this.docsRootFor(folder).trim();
    const segments = root.split(/[\\/]/).filter((segment) => segment !== '' && segment !== '.');
    if (root === '' || segments.includes('..')) return undefined;
    return vscode.Uri.joinPath(folder.uri, ...segments);
  }

  /** Saves the site in the user settings, where no workspace can change it. */
  async saveSite(baseUrl: string, domain: string): Promise<void> {
    await updateUserSetting(settings.baseUrl, apiAddressText(baseUrl, 'assistant'));
    await updateUserSetting(settings.domain, domain);
  }

  async clearSite(): Promise<void> {
    await updateUserSetting(settings.baseUrl, undefined);
    await updateUserSetting(settings.domain, undefined);
  }
}

/** Returns a text of a configuration, or `''` if people wrote something else there. */
export function textSetting(configuration: vscode.WorkspaceConfiguration, name: string): string {
  const value: unknown = configuration.get(name);
  return typeof value === 'string' ? value : '';
}

/**
 * Sets the user's own value of a setting, or removes it.
 *
 * The settings file of a remote machine can have a setting of scope `application`, for example from
 * the settings of a container. VS Code then writes to that file, where it doesn't read the setting.
 * It is removed there, and the next write goes to the user's own settings.
 */
export async function updateUserSetting(setting: string, value: unknown): Promise<void> {
  for (const next of [value, undefined, value]) {
    const configuration = vscode.workspace.getConfiguration(undefined, null);
    await configuration.update(setting, next, vscode.ConfigurationTarget.Global);
    const written = vscode.workspace.getConfiguration(undefined, null).inspect(setting);
    if (written?.globalValue === value) return;
  }
}
