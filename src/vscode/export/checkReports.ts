import path from 'node:path';
import * as vscode from 'vscode';
import { CHECK_REPORT_SCHEME } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { Emitter } from '../../common/event';
import { findingsByFile } from '../../export/check/findingsByFile';
import { reportMarkdown } from '../../export/check/report';
import type { BundleReport } from '../../export/check/reportTypes';
import type { CheckedSites } from '../../export/commands/siteCommands';
import type { OpenedSite } from '../../export/commands/storedSites';
import { translate } from '../notifications';

const MARKDOWN_EXTENSION = 'vscode.markdown-language-features';

/** Most findings in the Problems panel. More would make it slow. The report lists all. */
const MAX_PROBLEMS = 1000;

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

interface CheckedSite extends OpenedSite {
  readonly report: BundleReport;
}

/** Reports of *Check Bundle*, shown as documents and in the Problems panel. */
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
      vscode.workspace.registerTextDocumentContentProvider(CHECK_REPORT_SCHEME, {
        onDidChange: this.#documentChanged.event,
        provideTextDocumentContent: (uri) => this.#content(uri),
      }),
    );
  }

  /** Checked sites, in the order of their checks. */
  get list(): readonly CheckedSite[] {
    return [...this.#checked.values()];
  }

  has(siteFolder: string): boolean {
    return this.#checked.has(siteFolder);
  }

  get(siteFolder: string): BundleReport | undefined {
    return this.#checked.get(siteFolder)?.report;
  }

  add(site: OpenedSite, report: BundleReport): void {
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

  /** Opens the report of a site. */
  async show(siteFolder: string): Promise<void> {
    const site = this.#checked.get(siteFolder);
    if (!site) return;
    await showRendered(reportUri(site.folder, site.label));
  }

  #content(uri: vscode.Uri): string {
    const site = this.#checked.get(uri.query);
    return site ? reportMarkdown(site.report, translate) : goneReport();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #fillProblems(): void {
    this.#problems.clear();
    let room = MAX_PROBLEMS;
    for (const { folder, report } of this.#checked.values()) {
      const shown = findingsByFile(report, translate, Math.max(0, room));
      for (const [file, findings] of shown) {
        room -= findings.length;
        this.#problems.set(
          vscode.Uri.file(path.join(folder, file)),
          findings.map(({ line, column, endColumn, message, severity }) => {
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

/** Returns what a document shows in place of a report of an earlier window, which is not stored. */
export function goneReport(): string {
  return translate('This report is no longer available. Check the bundle again.');
}

/** Returns the URI of a report. Its path is the title of the tab, and its query is the folder. */
function reportUri(folder: string, label: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: CHECK_REPORT_SCHEME,
    path: `/${fileName(translate('Check of {0}', label))}.md`,
    query: folder,
  });
}

/** Opens a document as rendered Markdown, or as text if VS Code can't render Markdown. */
export async function showRendered(uri: vscode.Uri): Promise<void> {
  // VS Code activates the Markdown extension when its command runs.
  if (vscode.extensions.getExtension(MARKDOWN_EXTENSION)) {
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  } else {
    await vscode.window.showTextDocument(uri);
  }
}

/** Returns a text as a name in the path of a document, which becomes the title of its tab. */
export function fileName(text: string): string {
  return text.replaceAll(/[\\/:*?"<>|]/g, '-');
}
