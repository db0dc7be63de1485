import * as vscode from 'vscode';
import { exportCommands } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Event } from '../../common/event';
import type { Clock } from '../../common/ports';
import { bundleAddress, expiryInLink, type BundleLink } from '../../export/download/bundleLink';
import type { Exports } from '../../export/job/exports';
import { bundleLinksIn } from '../../export/values/bundleLinks';
import { parseUrl } from '../../shared/links';
import { durationText } from '../../shared/units';
import { translate } from '../notifications';
import { TypingPauses } from '../typingPauses';
import { isOpenValues, toRange } from './valuesFiles';

interface LinkProblemPorts {
  readonly exports: Exports;
  readonly clock: Clock;
  /** Minimum number of hours that a link in a values file must remain valid. */
  readonly mustLastHours: () => number;
  readonly onDidChangeSettings: Event<void>;
}

const MS_PER_HOUR = 60 * 60 * 1000;
const RECHECK_MS = 60 * 1000;

/** Marks bundle links in open values files that have expired or will expire soon. */
export class LinkProblems implements Disposable {
  readonly #ports: LinkProblemPorts;
  readonly #store = new DisposableStore();
  readonly #problems = this.#store.add(
    vscode.languages.createDiagnosticCollection('docsAssistant.links'),
  );
  readonly #pauses = this.#store.add(new TypingPauses());
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
    // Links expire without any event.
    const timer = setInterval(() => this.#checkAll(), RECHECK_MS);
    this.#store.add({ dispose: () => clearInterval(timer) });
    this.#checkAll();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #checkAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#check(document);
  }

  #checkSoon(document: vscode.TextDocument): void {
    if (isOpenValues(document)) this.#pauses.after(document.uri, () => this.#check(document));
  }

  /** Checks the files again if a link has changed. Exports report every page, which does not matter. */
  #checkLinks(): void {
    const links = this.#ports.exports.list.map(({ link }) => link);
    const areSame =
      links.length === this.#knownLinks.length &&
      links.every((link, position) => link === this.#knownLinks[position]);
    this.#knownLinks = links;
    if (!areSame) this.#checkAll();
  }

  #check(document: vscode.TextDocument): void {
    if (!isOpenValues(document)) return;
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
                'This bundle link has expired. The deployment can’t download the bundle when it restarts.',
              )
            : translate(
                'This bundle link expires in {0}. After that, the deployment can’t download the bundle when it restarts.',
                durationText(left, translate),
              ),
          left <= 0 ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
        );
        problem.source = 'Docs Assistant';
        return [problem];
      }),
    );
  }

  /** Returns when a link expires: as the service said if this window knows the link, or as its query says. */
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
      const { apiUrl, exportDomain } = owner.record;
      action.command = {
        title: action.title,
        command: exportCommands.renewAndUpdate,
        arguments: [{ kind: 'group', apiUrl, exportDomain }],
      };
      return [action];
    });
  }
}
