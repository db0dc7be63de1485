import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { Emitter } from '../../common/event';
import { findingsByFile, reportMarkdown } from '../../staticExport/check/report';
import type { BundleReport } from '../../staticExport/check/reportTypes';
import { translate } from '../notifications';
import type { CheckedSites } from './openedSites';

const SCHEME = 'docs-assistant-report';
const MARKDOWN_EXTENSION = 'vscode.markdown-language-features';

/** More findings than people read make the Problems panel slow; the JSON has them all. */
const MAX_PROBLEMS = 1000;

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

interface CheckedSite {
  readonly folder: string;
  readonly label: string;
  readonly report: BundleReport;
}

/** The reports of *Check Bundle*: as documents, and in the Problems panel. */
export class CheckReports implements CheckedSites, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #documentChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly #problems = vscode.languages.createDiagnosticCollection('docsAssistant.bundle');
  readonly #checked = new Map<string, CheckedSite>();

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#store.add(this.#documentChanged);
    this.#store.add(this.#problems);
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.#documentChanged.event,
        provideTextDocumentContent: (uri) => this.#content(uri),
      }),
    );
  }

  /** Newest last. */
  get list(): readonly CheckedSite[] {
    return [...this.#checked.values()];
  }

  has(siteFolder: string): boolean {
    return this.#checked.has(siteFolder);
  }

  get(siteFolder: string): BundleReport | undefined {
    return this.#checked.get(siteFolder)?.report;
  }

  /** Takes the place of an earlier report of the same folder. */
  add(site: { readonly folder: string; readonly label: string }, report: BundleReport): void {
    this.#checked.delete(site.folder);
    this.#checked.set(site.folder, { ...site, report });
    this.#fillProblems();
    this.#documentChanged.fire(reportUri(site.folder, site.label));
    this.#changed.fire();
  }

  forget(siteFolder: string): void {
    if (!this.#checked.delete(siteFolder)) return;
    this.#fillProblems();
    this.#changed.fire();
  }

  /** Opens the report as a rendered document where VS Code can render Markdown, else as text. */
  async show(siteFolder: string): Promise<void> {
    const site = this.#checked.get(siteFolder);
    if (!site) return;
    const uri = reportUri(site.folder, site.label);
    // Its command is registered only once the extension is active, which running it sees to.
    if (vscode.extensions.getExtension(MARKDOWN_EXTENSION)) {
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    } else {
      await vscode.window.showTextDocument(uri);
    }
  }

  #content(uri: vscode.Uri): string {
    const site = this.#checked.get(uri.query);
    return site
      ? reportMarkdown(site.report, translate)
      : translate('This report is not at hand any more. Check the bundle again.');
  }

  dispose(): void {
    this.#store.dispose();
  }

  #fillProblems(): void {
    this.#problems.clear();
    let room = MAX_PROBLEMS;
    for (const { folder, report } of this.#checked.values()) {
      for (const [file, findings] of findingsByFile(report, translate)) {
        if (room <= 0) return;
        const shown = findings.slice(0, room);
        room -= shown.length;
        this.#problems.set(
          vscode.Uri.file(path.join(folder, file)),
          shown.map(({ line, column, endColumn, message, severity }) => {
            const start = new vscode.Position(line - 1, column - 1);
            const end = new vscode.Position(line - 1, (endColumn ?? column + 1) - 1);
            const problem = new vscode.Diagnostic(
              new vscode.Range(start, end),
              message,
              severities[severity],
            );
            problem.source = 'Docs Assistant';
            return problem;
          }),
        );
      }
    }
  }
}

/** Named after the site, so that the tab says what it is; the folder travels in the query. */
function reportUri(folder: string, label: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    path: `/${translate('Check of {0}', label).replaceAll(/[\\/:*?"<>|]/g, '-')}.md`,
    query: folder,
  });
}
