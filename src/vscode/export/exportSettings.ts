import * as vscode from 'vscode';
import { apiAddressText } from '../../common/address';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { Emitter } from '../../common/event';
import { commands, SETTINGS_SECTION } from '../contributions';
import { exportSettings } from '../exportContributions';
import { translate } from '../notifications';
import {
  parseExportSettings,
  type ExportSettingProblem,
  type ExportSettingTypes,
} from './exportSettingsSchema';

/** The settings of static export, checked. Read anew after each change; bad values are said once. */
export class ExportSettings implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #reported = new Set<string>();
  #values: ExportSettingTypes | undefined;

  readonly onDidChange = this.#changed.event;

  constructor() {
    const forget = (): void => {
      this.#values = undefined;
      this.#changed.fire();
    };
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS_SECTION)) forget();
      }),
    );
    // In Restricted Mode some settings of the workspace are ignored until it is trusted.
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(forget));
  }

  get values(): ExportSettingTypes {
    this.#values ??= this.#read();
    return this.#values;
  }

  /** Saves the address of the export API where no workspace can change it. */
  async saveApiUrl(apiUrl: string): Promise<void> {
    await vscode.workspace
      .getConfiguration(undefined, null)
      .update(
        exportSettings.apiUrl,
        apiAddressText(apiUrl, 'export'),
        vscode.ConfigurationTarget.Global,
      );
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
    const chosen = await vscode.window.showWarningMessage(
      translate('The setting “{0}” cannot be used as it is, so its default is used.', setting),
      open,
    );
    if (chosen === open) await vscode.commands.executeCommand(commands.openSettings, setting);
  }
}
