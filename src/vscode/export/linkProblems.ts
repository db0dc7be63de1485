import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Event } from '../../common/event';
import type { Clock } from '../../common/ports';
import { parseUrl } from '../../common/parseUrl';
import { bundleAddress, type BundleLink } from '../../staticExport/bundle';
import { bundleLinksIn } from '../../staticExport/deploymentValues';
import type { Exports } from '../../staticExport/exports';
import { expiryInLink } from '../../staticExport/linkExpiry';
import { exportCommands } from '../exportContributions';
import { translate } from '../notifications';
import { durationText } from './exportTexts';
import { isYaml, toRange } from './valuesFiles';

interface LinkProblemPorts {
  readonly exports: Exports;
  readonly clock: Clock;
  /** Hours that a link in a values file must last at least. */
  readonly mustLastHours: () => number;
  readonly onDidChangeSettings: Event<void>;
}

const MS_PER_HOUR = 60 * 60 * 1000;
const RECHECK_MS = 60 * 1000;
/** A file that is typed in is parsed when the typing pauses. */
const TYPING_PAUSE_MS = 300;

/** Marks links in open values files that have expired, or will before the time that is set. */
export class LinkProblems implements Disposable {
  readonly #ports: LinkProblemPorts;
  readonly #store = new DisposableStore();
  readonly #problems = this.#store.add(
    vscode.languages.createDiagnosticCollection('docsAssistant.links'),
  );
  readonly #edited = new Set<vscode.TextDocument>();
  #pause: NodeJS.Timeout | undefined;
  #knownLinks: readonly (BundleLink | undefined)[] = [];

  constructor(ports: LinkProblemPorts) {
    this.#ports = ports;
    const { workspace } = vscode;
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#check(document)));
    this.#store.add(workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document)));
    this.#store.add(workspace.onDidCloseTextDocument(({ uri }) => this.#problems.delete(uri)));
    this.#store.add(ports.exports.onDidChange(() => this.#checkLinks()));
    this.#store.add(ports.onDidChangeSettings(() => this.#checkAll()));
    this.#store.add(
      vscode.languages.registerCodeActionsProvider(
        { pattern: '**/*.{yaml,yml}' },
        { provideCodeActions: (document, range) => this.#actions(document, range) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    // Time alone makes a link expire.
    const timer = setInterval(() => this.#checkAll(), RECHECK_MS);
    this.#store.add({ dispose: () => clearInterval(timer) });
    this.#checkAll();
  }

  dispose(): void {
    clearTimeout(this.#pause);
    this.#store.dispose();
  }

  #checkAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#check(document);
  }

  #checkSoon(document: vscode.TextDocument): void {
    if (!isYaml(document)) return;
    this.#edited.add(document);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      const edited = [...this.#edited].filter(({ isClosed }) => !isClosed);
      this.#edited.clear();
      for (const each of edited) this.#check(each);
    }, TYPING_PAUSE_MS);
  }

  /** Exports tell of each page; only their links matter here. */
  #checkLinks(): void {
    const links = this.#ports.exports.list.map(({ link }) => link);
    const areSame =
      links.length === this.#knownLinks.length &&
      links.every((link, position) => link === this.#knownLinks[position]);
    this.#knownLinks = links;
    if (!areSame) this.#checkAll();
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
                durationText(left, translate),
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
      const address = parseUrl(url) && bundleAddress(url);
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
