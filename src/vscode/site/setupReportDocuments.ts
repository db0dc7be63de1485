import * as vscode from 'vscode';
import { commands, exportCommands } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Remedy } from '../../site/setupCheck/setupCheck';
import type { SetupReport } from '../../site/setupCheck/setupReport';
import { errorActions } from '../errorActions';
import { say, translate } from '../notifications';

const SCHEME = 'docs-assistant-setup';

/**
 * Reports of *Check Setup*: read-only documents with buttons for what mends a failed check. Each
 * report is a document of its own, so what was found before a change stays to be compared.
 */
export class SetupReportDocuments implements Disposable {
  readonly #store = new DisposableStore();
  readonly #reports: SetupReport[] = [];

  constructor() {
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        provideTextDocumentContent: (uri) => this.#reportOf(uri.query)?.text ?? '',
      }),
    );
    this.#store.add(
      vscode.languages.registerCodeLensProvider(
        { scheme: SCHEME },
        { provideCodeLenses: ({ uri }) => this.#lenses(uri.query) },
      ),
    );
  }

  async show(report: SetupReport): Promise<void> {
    const query = String(this.#reports.push(report) - 1);
    // The path is the title of the tab.
    const path = `/${translate('Setup Check')}.md`;
    await vscode.window.showTextDocument(vscode.Uri.from({ scheme: SCHEME, path, query }));
  }

  /** @param id query of the report's URI. */
  async copy(id: unknown): Promise<void> {
    const report = this.#reportOf(id);
    if (!report) return;
    await vscode.env.clipboard.writeText(report.text);
    say(translate('Copied the report.'));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #reportOf(id: unknown): SetupReport | undefined {
    return this.#reports[Number(id)];
  }

  #lenses(id: string): vscode.CodeLens[] {
    const at = (line: number): vscode.Range => new vscode.Range(line, 0, line, 0);
    const check = { command: commands.checkSetup } as const;
    return [
      new vscode.CodeLens(at(0), { ...check, title: translate('Check Again') }),
      new vscode.CodeLens(at(0), {
        ...check,
        title: translate('Copy Report'),
        arguments: [COPY_REPORT, id],
      }),
      ...(this.#reportOf(id)?.remedies ?? []).flatMap(({ line, remedies }) =>
        remedies.map((remedy) => new vscode.CodeLens(at(line), commandOf(remedy))),
      ),
    ];
  }
}

/** First argument of *Check Setup* that copies a report instead. The second is the report's ID. */
export const COPY_REPORT = 'copy-report';

function commandOf({ action, setting }: Remedy): vscode.Command {
  if (action === 'set-admin-key') {
    return { command: exportCommands.setAdminKey, title: translate('Set Admin Key…') };
  }
  const { command, label } = errorActions[action];
  return {
    command,
    title: translate(label),
    arguments: setting === undefined ? undefined : [setting],
  };
}
