import * as vscode from 'vscode';
import {
  concernsDocs,
  notablePackages,
  type UsedPackage,
} from '../../chat/context/coveredPackages';
import { baseName, workspacePath } from '../../chat/context/documentPaths';
import { textItem } from '../../chat/context/selectionItem';
import { ownersOfProblems } from '../../chat/context/problemOwners';
import { problemsText } from '../../chat/context/problemsText';
import { commands } from '../../common/contributions';
import { type Clock, type Fetch, silentLog } from '../../common/ports';
import { searchableDocs } from '../../docsTools/localDocs';
import { type CoverageSite, PackageCoverage } from '../../docsTools/packageCoverage';
import type { ActiveSite } from '../../site/activeSite';
import { say, translate } from '../notifications';
import { type AskCommandPorts, attachSelections, type AttachPorts } from './askCommands';
import { rangeSnapshot, startOf, workspaceFolders } from './editorSelection';
import { problemOf } from './view/mentionSources';

/** Lines above and below a problem that are attached with it. */
const LINES_AROUND = 6;
/** Most problems of one question. More problems at one place usually have the same cause. */
const MAX_PROBLEMS = 10;

export interface ProblemActionPorts {
  readonly site: Pick<ActiveSite, 'view' | 'threadSite' | 'local' | 'askSettings'>;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** Kind of the action that *Source Action…* lists for any problem. */
const problemSourceKind = vscode.CodeActionKind.Source.append('docsAssistant.askProblem');

/** Offers *Ask Docs About This Error* for problems that concern the docs. */
export class ProblemActions {
  readonly #ports: ProblemActionPorts;
  readonly #coverage: PackageCoverage;

  constructor(ports: ProblemActionPorts) {
    this.#ports = ports;
    this.#coverage = new PackageCoverage(ports.clock);
  }

  /**
   * Returns a quick fix for the problems in a range that concern the site's docs. If the reader
   * asks for source actions, returns one for any problem.
   */
  async at(
    document: vscode.TextDocument,
    { diagnostics, only, triggerKind }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const { QuickFix } = vscode.CodeActionKind;
    if (only && !only.intersects(QuickFix)) {
      // VS Code also asks for source actions when it saves a file, and runs them without asking.
      const isAsked = triggerKind === vscode.CodeActionTriggerKind.Invoke;
      return isAsked && only.contains(problemSourceKind)
        ? [actionFor(document.uri, diagnostics, problemSourceKind)]
        : [];
    }
    const site = this.#site();
    const covered = await this.#coverage.covered(packagesOf(document), site);
    const owners = await this.#coverage.covered(this.#ownersOf(diagnostics), site);
    const own = diagnostics.filter(
      (diagnostic) =>
        concernsDocs(namingProblem(document, diagnostic), covered, site.label) ||
        this.#ownersOf([diagnostic]).some(({ name }) => owners.some((one) => one.name === name)),
    );
    return own.length === 0 ? [] : [actionFor(document.uri, own, QuickFix)];
  }

  /** Returns the packages whose rules report problems, if the docs are those of packages. */
  #ownersOf(diagnostics: readonly vscode.Diagnostic[]): readonly UsedPackage[] {
    if (this.#ports.site.askSettings.hasPackages !== true) return [];
    const problems = diagnostics.map((diagnostic) => problemOf('', diagnostic));
    return ownersOfProblems(problems).map((name) => ({ name, symbols: [] }));
  }

  #site(): CoverageSite {
    const { site, fetch, clock } = this.#ports;
    const { local } = site;
    return {
      id: site.threadSite.id,
      label: site.view.label,
      ...(local && {
        search: (query, signal) =>
          searchableDocs({ fetch, clock, log: silentLog }, local).search(
            { query, limit: 5 },
            signal,
          ),
      }),
    };
  }
}

function actionFor(
  uri: vscode.Uri,
  diagnostics: readonly vscode.Diagnostic[],
  kind: vscode.CodeActionKind,
): vscode.CodeAction {
  const title = titleFor(diagnostics);
  const action = new vscode.CodeAction(title, kind);
  action.diagnostics = [...diagnostics];
  action.command = { command: commands.askProblem, title, arguments: [uri, diagnostics] };
  return action;
}

function titleFor(diagnostics: readonly vscode.Diagnostic[]): string {
  if (diagnostics.length > 1) return translate('Ask Docs About These Problems');
  return isError(diagnostics[0])
    ? translate('Ask Docs About This Error')
    : translate('Ask Docs About This Problem');
}

interface FileImports {
  readonly version: number;
  readonly packages: readonly UsedPackage[];
}

/** Imports by document. The cursor moves more often than the imports change. */
const imports = new WeakMap<vscode.TextDocument, FileImports>();

function packagesOf(document: vscode.TextDocument): readonly UsedPackage[] {
  const { version, languageId } = document;
  const known = imports.get(document);
  if (known?.version === version) return known.packages;
  const packages = notablePackages(languageId, startOf(document));
  imports.set(document, { version, packages });
  return packages;
}

function namingProblem(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
): Parameters<typeof concernsDocs>[0] {
  const { range, relatedInformation = [] } = diagnostic;
  const { message, source, code, link } = problemOf('', diagnostic);
  return {
    message,
    source,
    code,
    link,
    relatedPaths: relatedInformation.map(({ location }) => location.uri.path),
    lines: document.getText(wholeLines(document, range.start.line, range.end.line)),
  };
}

interface AskProblemPorts extends AskCommandPorts {
  readonly site: Pick<ActiveSite, 'askSettings'>;
  readonly clock: Clock;
}

/**
 * Runs *Ask Docs About This Error*: attaches problems with the lines around them, and puts a
 * question into the composer. Sends nothing.
 * @param args URI of the document and its problems. Without them, the problems at the cursor.
 */
export async function askProblem(ports: AskProblemPorts, args: readonly unknown[]): Promise<void> {
  const [uri, given] = args;
  const asked =
    uri instanceof vscode.Uri && Array.isArray(given) ? { uri, diagnostics: given } : atCursor();
  const diagnostics = asked?.diagnostics
    .filter((diagnostic) => diagnostic instanceof vscode.Diagnostic)
    .slice(0, MAX_PROBLEMS);
  if (!asked || !diagnostics || diagnostics.length === 0) {
    say(translate('Put the cursor on a problem in an editor first.'));
    return;
  }
  const document = await vscode.workspace.openTextDocument(asked.uri);
  attachLines(ports, document, diagnostics);
  const path = document.isUntitled
    ? baseName(document.uri.path)
    : workspacePath(document.uri, workspaceFolders());
  const problems = diagnostics.map((diagnostic) => problemOf(path, diagnostic));
  const text = problemsText(problems, ports.maxSelectionBytes());
  const label = translate('Problems in {0}', baseName(document.uri.path));
  const item = textItem(ports.newId(), label, text);
  const packages = await ownersOf(ports, document, diagnostics);
  ports.conversation.pending.addContextItems([packages.length > 0 ? { ...item, packages } : item]);
  await ports.chat.focusComposer(questionFor(diagnostics));
}

/**
 * Returns the packages that own problems. No language server is asked for them unless the docs are those of packages.
 */
async function ownersOf(
  { site, clock }: AskProblemPorts,
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): Promise<readonly string[]> {
  if (site.askSettings.hasPackages !== true || !vscode.workspace.isTrusted) return [];
  const problems = await Promise.all(
    diagnostics.map(async (diagnostic) => {
      const { source, code } = problemOf('', diagnostic);
      const related = diagnostic.relatedInformation ?? [];
      const uris = [
        ...(await declarationsAt(clock, document, diagnostic.range.start)),
        ...related.map(({ location }) => location.uri),
      ];
      return { source, code, declaredIn: uris.map(({ path }) => path) };
    }),
  );
  return ownersOfProblems(problems);
}

/** Longest wait for the places of a declaration. A language server can still be loading its project. */
const DECLARATION_LIMIT_MS = 2_000;

/**
 * Returns the files that declare the symbol at a position, or else the type whose member it would be: a member that
 * doesn't exist is declared nowhere.
 */
async function declarationsAt(
  clock: Clock,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<readonly vscode.Uri[]> {
  const found = await placesOf(clock, 'vscode.executeDefinitionProvider', document, position);
  const others = found.filter(({ path }) => path !== document.uri.path);
  const { line, character } = position;
  if (others.length > 0 || character < 2) return others;
  const before = document.getText(new vscode.Range(line, character - 1, line, character));
  if (before !== '.') return [];
  const typed = new vscode.Position(line, character - 2);
  return placesOf(clock, 'vscode.executeTypeDefinitionProvider', document, typed);
}

async function placesOf(
  clock: Clock,
  command: string,
  { uri }: vscode.TextDocument,
  position: vscode.Position,
): Promise<readonly vscode.Uri[]> {
  const ended = new AbortController();
  const limit = clock.delay(DECLARATION_LIMIT_MS, ended.signal).catch(() => undefined);
  const asked = vscode.commands
    .executeCommand<(vscode.Location | vscode.LocationLink)[] | undefined>(command, uri, position)
    .then(undefined, () => undefined);
  const found = await Promise.race([asked, limit]);
  ended.abort();
  return (found ?? []).map((place) => ('uri' in place ? place.uri : place.targetUri));
}

function questionFor(diagnostics: readonly vscode.Diagnostic[]): string {
  if (diagnostics.length > 1) return translate('How do I fix these problems?');
  return isError(diagnostics[0])
    ? translate('How do I fix this error?')
    : translate('How do I fix this problem?');
}

function isError(diagnostic: vscode.Diagnostic | undefined): boolean {
  return diagnostic?.severity === vscode.DiagnosticSeverity.Error;
}

/** Returns the problems at the cursor, or else those of the cursor's line. */
function atCursor():
  | { readonly uri: vscode.Uri; readonly diagnostics: readonly vscode.Diagnostic[] }
  | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  const { uri } = document;
  const all = vscode.languages.getDiagnostics(uri);
  const here = all.filter(({ range }) => range.intersection(selection) !== undefined);
  const line = wholeLines(document, selection.start.line, selection.end.line);
  const near = all.filter(({ range }) => range.intersection(line) !== undefined);
  return { uri, diagnostics: here.length > 0 ? here : near };
}

/**
 * Attaches the lines around problems. If these are too large, attaches only the problems' own
 * lines. Lines that are too large by themselves, as in a minified file, are left out.
 */
function attachLines(
  ports: AttachPorts,
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): void {
  // VS Code can keep a problem whose lines were deleted.
  const ranges = diagnostics.map(({ range }) => document.validateRange(range));
  const first = Math.min(...ranges.map(({ start }) => start.line));
  const last = Math.max(...ranges.map(({ end }) => end.line));
  for (const around of [LINES_AROUND, 0]) {
    const lines = rangeSnapshot(document, wholeLines(document, first - around, last + around));
    if (lines.text.trim() === '') return;
    if (Buffer.byteLength(lines.text) > ports.maxSelectionBytes()) continue;
    attachSelections(ports, [lines]);
    return;
  }
}

function wholeLines(document: vscode.TextDocument, first: number, last: number): vscode.Range {
  return document.validateRange(
    new vscode.Range(Math.max(first, 0), 0, last, Number.MAX_SAFE_INTEGER),
  );
}
