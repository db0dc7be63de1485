import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Clock } from '../../common/ports';
import { bundleAddress } from '../../staticExport/bundle';
import { bundleLinksIn } from '../../staticExport/deploymentValues';
import type { Exports } from '../../staticExport/exports';
import { expiryInLink } from '../../staticExport/linkExpiry';
import { exportCommands } from '../exportContributions';
import { translate } from '../notifications';
import { showTimeLeft } from './showQuantity';
import { isYaml, toRange } from './valuesFiles';

interface LinkProblemPorts {
  readonly exports: Exports;
  readonly clock: Clock;
  /** Hours that a link in a values file must last at least. */
  readonly mustLastHours: () => number;
}

const MS_PER_HOUR = 60 * 60 * 1000;
const RECHECK_MS = 60 * 1000;

/** Marks links in open values files that have expired, or will before the time that is set. */
export class LinkProblems implements Disposable {
  readonly #ports: LinkProblemPorts;
  readonly #store = new DisposableStore();
  readonly #problems = this.#store.add(
    vscode.languages.createDiagnosticCollection('docsAssistant.links'),
  );

  constructor(ports: LinkProblemPorts) {
    this.#ports = ports;
    const { workspace } = vscode;
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#check(document)));
    this.#store.add(workspace.onDidChangeTextDocument(({ document }) => this.#check(document)));
    this.#store.add(workspace.onDidCloseTextDocument(({ uri }) => this.#problems.delete(uri)));
    this.#store.add(ports.exports.onDidChange(() => this.checkAll()));
    this.#store.add(
      vscode.languages.registerCodeActionsProvider(
        { pattern: '**/*.{yaml,yml}' },
        { provideCodeActions: (document, range) => this.#actions(document, range) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    // Time alone makes a link expire.
    const timer = setInterval(() => this.checkAll(), RECHECK_MS);
    this.#store.add({ dispose: () => clearInterval(timer) });
    this.checkAll();
  }

  checkAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#check(document);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #check(document: vscode.TextDocument): void {
    if (!isYaml(document)) return;
    const text = document.getText();
    if (!text.includes('bundleUrl')) {
      if (this.#problems.has(document.uri)) this.#problems.delete(document.uri);
      return;
    }
    this.#problems.set(
      document.uri,
      bundleLinksIn(text).flatMap(({ url, start, end }) => {
        const expiresAt = this.#expiryOf(url);
        if (expiresAt === undefined) return [];
        const left = expiresAt - this.#ports.clock.now();
        if (left > this.#ports.mustLastHours() * MS_PER_HOUR) return [];
        const problem = new vscode.Diagnostic(
          toRange(document, start, end),
          left <= 0
            ? translate(
                'This bundle’s link has expired: the next restart of the deployment cannot fetch it.',
              )
            : translate(
                'This bundle’s link expires in {0}: a restart of the deployment after that cannot fetch it.',
                showTimeLeft(left),
              ),
          left <= 0 ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
        );
        problem.source = 'Docs Assistant';
        return [problem];
      }),
    );
  }

  /** As the service said for a link of this window, else as the link says itself. */
  #expiryOf(url: string): number | undefined {
    const known = this.#ports.exports.list.find(({ link }) => link?.url === url);
    return known?.link?.expiresAt ?? expiryInLink(url);
  }

  #actions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const marked = (this.#problems.get(document.uri) ?? []).filter((problem) =>
      problem.range.intersection(range),
    );
    return marked.flatMap((problem) => {
      const url = document.getText(problem.range).replace(/^["']|["']$/g, '');
      const address = URL.canParse(url) ? bundleAddress(url) : undefined;
      const owner = this.#ports.exports.list.find(
        ({ record }) => address !== undefined && record.bundleAddresses?.includes(address),
      );
      if (!owner) return [];
      const action = new vscode.CodeAction(
        translate('Renew Link and Update Values'),
        vscode.CodeActionKind.QuickFix,
      );
      action.diagnostics = [problem];
      action.isPreferred = true;
      action.command = {
        title: action.title,
        command: exportCommands.renewAndUpdate,
        arguments: [{ kind: 'export', id: owner.record.id }],
      };
      return [action];
    });
  }
}
