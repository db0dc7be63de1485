import * as vscode from 'vscode';
import { commands, exportSettings, SETTINGS_SECTION } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { Emitter } from '../../common/event';
import { apiAddressText } from '../../common/http/address';
import {
  parseExportSettings,
  type ExportSettingProblem,
  type ExportSettingTypes,
} from '../../export/commands/settings';
import type { WindowUi } from '../../common/windowUi';
import { translate } from '../notifications';
import { updateUserSetting } from '../settings';

/** Checked settings of static export. Each invalid value is reported once. */
export class ExportSettings implements Disposable {
  readonly #ui: Pick<WindowUi, 'warn' | 'runCommand'>;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #reported = new Set<string>();
  #values: ExportSettingTypes | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(ui: Pick<WindowUi, 'warn' | 'runCommand'>) {
    this.#ui = ui;
    const forget = (): void => {
      this.#values = undefined;
      this.#changed.fire();
    };
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS_SECTION)) forget();
      }),
    );
    // VS Code ignores some settings of a workspace until the user trusts it.
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(forget));
  }

  get values(): ExportSettingTypes {
    this.#values ??= this.#read();
    return this.#values;
  }

  /** Saves the URL of the export API in the user settings, which no workspace can change. */
  async saveApiUrl(apiUrl: string): Promise<void> {
    await updateUserSetting(exportSettings.apiUrl, apiAddressText(apiUrl, 'export'));
    this.#values = undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #read(): ExportSettingTypes {
    const configuration = vscode.workspace.getConfiguration(undefined, null);
    const { values, problems } = parseExportSettings((setting) => configuration.get(setting));
    for (const problem of problems) void this.#report(problem);
    return values;
  }

  async #report({ setting, value }: ExportSettingProblem): Promise<void> {
    const report = `${setting}=${value}`;
    if (this.#reported.has(report)) return;
    this.#reported.add(report);
    const open = translate('Open Settings');
    const chosen = await this.#ui.warn(
      translate('The value of the setting “{0}” is invalid. Its default is used instead.', setting),
      open,
    );
    if (chosen === open) await this.#ui.runCommand(commands.openSettings, setting);
  }
}
