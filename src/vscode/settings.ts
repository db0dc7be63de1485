import * as vscode from 'vscode';
import { apiAddressText } from '../common/address';
import { DisposableStore, type Disposable } from '../common/disposable';
import { Emitter } from '../common/event';
import { commands, settings, SETTINGS_SECTION, type SettingTypes } from './contributions';
import { parseSettings, type SettingProblem } from './settingsSchema';

/** The extension's configuration, checked. Read anew after each change; bad values are said once. */
export class WorkbenchSettings implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #reported = new Set<string>();
  #values: SettingTypes | undefined;

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(SETTINGS_SECTION)) return;
        this.#values = undefined;
        this.#changed.fire();
      }),
    );
    // In Restricted Mode some settings of the workspace are ignored until it is trusted.
    this.#store.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#values = undefined;
        this.#changed.fire();
      }),
    );
  }

  get values(): SettingTypes {
    this.#values ??= this.#read();
    return this.#values;
  }

  /** A folder's docs root: the one setting that belongs to a document's own folder. */
  docsRootFor(folder: vscode.WorkspaceFolder): string {
    const value = vscode.workspace.getConfiguration(undefined, folder).get(settings.docsRoot);
    return typeof value === 'string' ? value : '';
  }

  /** Saves the address of the site where no workspace can change it. */
  async saveSite(baseUrl: string, domain: string): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(undefined, null);
    const address = apiAddressText(baseUrl, 'assistant');
    await configuration.update(settings.baseUrl, address, vscode.ConfigurationTarget.Global);
    await configuration.update(settings.domain, domain, vscode.ConfigurationTarget.Global);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #read(): SettingTypes {
    const configuration = vscode.workspace.getConfiguration(undefined, null);
    const { values, problems } = parseSettings((setting) => configuration.get(setting));
    for (const problem of problems) void this.#report(problem);
    return values;
  }

  async #report({ setting, value }: SettingProblem): Promise<void> {
    const report = `${setting}=${value}`;
    if (this.#reported.has(report)) return;
    this.#reported.add(report);
    const open = vscode.l10n.t('Open Settings');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('The setting “{0}” cannot be used as it is, so its default is used.', setting),
      open,
    );
    if (chosen === open) await vscode.commands.executeCommand(commands.openSettings, setting);
  }
}
