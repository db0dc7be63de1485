import * as vscode from 'vscode';
import { commands, exportCommands } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Remedy } from '../../site/setupCheck/setupCheck';
import type { SetupReport } from '../../site/setupCheck/setupReport';
import { errorActions } from '../errorActions';
import { translate } from '../notifications';

const SCHEME = 'docs-assistant-setup';

/** The report of *Check Setup*: a read-only document with buttons for what mends a failed check. */
export class SetupReportDocument implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  #report: SetupReport = { text: '', remedies: [] };

  constructor() {
    this.#store.add(this.#changed);
    this.#store.add(this.#lensesChanged);
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: () => this.#report.text,
      }),
    );
    this.#store.add(
      vscode.languages.registerCodeLensProvider(
        { scheme: SCHEME },
        {
          onDidChangeCodeLenses: this.#lensesChanged.event,
          provideCodeLenses: () => this.#lenses(),
        },
      ),
    );
  }

  /** Shows a report in place of the one before. */
  async show(report: SetupReport): Promise<void> {
    this.#report = report;
    // The path is the title of the tab.
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${translate('Setup Check')}.md` });
    this.#changed.fire(uri);
    this.#lensesChanged.fire();
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  async copy(): Promise<void> {
    await vscode.env.clipboard.writeText(this.#report.text);
    void vscode.window.showInformationMessage(translate('Copied the report.'));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #lenses(): vscode.CodeLens[] {
    const at = (line: number): vscode.Range => new vscode.Range(line, 0, line, 0);
    const check = { command: commands.checkSetup } as const;
    return [
      new vscode.CodeLens(at(0), { ...check, title: translate('Check Again') }),
      new vscode.CodeLens(at(0), {
        ...check,
        title: translate('Copy Report'),
        arguments: [COPY_REPORT],
      }),
      ...this.#report.remedies.flatMap(({ line, remedies }) =>
        remedies.map((remedy) => new vscode.CodeLens(at(line), commandOf(remedy))),
      ),
    ];
  }
}

/** Argument of *Check Setup* that copies the last report instead. */
export const COPY_REPORT = 'copy-report';

function commandOf({ action, setting }: Remedy): vscode.Command {
  if (action === 'set-admin-key') {
    return { command: exportCommands.setAdminKey, title: translate('Set Admin Key…') };
  }
  const { command, label } = errorActions[action];
  return {
    command,
    title: translate(label),
    ...(setting === undefined ? {} : { arguments: [setting] }),
  };
}
