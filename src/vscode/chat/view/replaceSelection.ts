import * as vscode from 'vscode';
import { DocsAssistantError } from '../../../common/errors';
import type { NewId } from '../../../common/ports';
import type { ContextItem, ContextTarget } from '../../../chat/context/contextItem';
import { findSelection, fittedCode } from '../../../chat/context/replacement';
import { baseName } from '../../../chat/context/documentPaths';
import { plainText, translate } from '../../notifications';
import { closeTabs, openDocument } from '../../openDocument';

/** Scheme of the documents that the diff shows on its right side. */
const SCHEME = 'docs-assistant-replacement';

/** A context item that came from a document. */
type SelectedItem = ContextItem & { readonly target: ContextTarget };

/** A replacement for one version of a document. */
interface Replacement {
  readonly document: vscode.TextDocument;
  readonly version: number;
  readonly range: vscode.Range;
  /** The new text, with the line ends of the document. */
  readonly text: string;
}

/** Replaces a selection with code after the user has seen the diff and agreed. */
export class SelectionReplacer {
  readonly #newId: NewId;
  readonly #proposed = new Map<string, string>();
  #provider: vscode.Disposable | undefined;

  constructor(newId: NewId) {
    this.#newId = newId;
  }

  /**
   * Replaces the selection of one of the items. If several fit, the user chooses one.
   *
   * @param items the context items of the question that was asked.
   * @throws {DocsAssistantError} `selection-gone`.
   */
  async replace(items: readonly ContextItem[], code: string): Promise<void> {
    const item = await chooseItem(items);
    if (!item) return;
    let isShownAgain = false;
    do {
      const replacement = await locate(item, code);
      const isAccepted = await this.#ask(replacement, isShownAgain);
      if (!isAccepted) return;
      isShownAgain = !(await apply(replacement));
    } while (isShownAgain);
  }

  /** Shows the diff, asks whether to replace, and closes the diff. */
  async #ask(replacement: Replacement, isShownAgain: boolean): Promise<boolean> {
    const { document, range, text } = replacement;
    const name = baseName(document.uri.path);
    const proposal = vscode.Uri.from({ scheme: SCHEME, path: `/${this.#newId()}/${name}` });
    const whole = document.getText();
    this.#propose(
      proposal,
      whole.slice(0, document.offsetAt(range.start)) +
        text +
        whole.slice(document.offsetAt(range.end)),
    );
    try {
      await vscode.commands.executeCommand(
        'vscode.diff',
        document.uri,
        proposal,
        translate('{0}: Replace Selection', name),
        { preview: true, selection: new vscode.Range(range.start, range.start) },
      );
      const replaceIt = translate('Replace');
      const question = isShownAgain
        ? translate('{0} has changed. Replace the selection as shown now?', name)
        : translate('Replace the selection in {0} as shown?', name);
      const chosen = await vscode.window.showInformationMessage(
        plainText(question),
        replaceIt,
        translate('Cancel'),
      );
      return chosen === replaceIt;
    } finally {
      await closeTabs(
        (input) =>
          input instanceof vscode.TabInputTextDiff &&
          input.modified.toString() === proposal.toString(),
      );
      this.#withdraw(proposal);
    }
  }

  #propose(uri: vscode.Uri, text: string): void {
    this.#proposed.set(uri.toString(), text);
    this.#provider ??= vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (asked) => this.#proposed.get(asked.toString()),
    });
  }

  #withdraw(uri: vscode.Uri): void {
    this.#proposed.delete(uri.toString());
    if (this.#proposed.size > 0) return;
    this.#provider?.dispose();
    this.#provider = undefined;
  }
}

/**
 * Returns the item to replace, and asks if several fit. Code goes before prose, because a question
 * about both is rarely about replacing the prose.
 */
async function chooseItem(items: readonly ContextItem[]): Promise<SelectedItem | undefined> {
  const selected = items.filter((item): item is SelectedItem => item.target !== undefined);
  const code = selected.filter(({ type }) => type === 'code');
  const candidates = code.length > 0 ? code : selected;
  const [only] = candidates;
  if (!only) throw new DocsAssistantError('selection-gone');
  if (candidates.length === 1) return only;
  const chosen = await vscode.window.showQuickPick(
    candidates.map((item) => ({
      label: item.label,
      description: item.path ?? '',
      detail: translate('lines {0}–{1}', item.startLine ?? 0, item.endLine ?? 0),
      item,
    })),
    {
      title: translate('Replace Selection'),
      placeHolder: translate('Choose the selection to replace'),
    },
  );
  return chosen?.item;
}

/**
 * Finds the selection in its document as the document is now.
 * @throws {DocsAssistantError} `selection-gone`.
 */
async function locate({ target, value }: SelectedItem, code: string): Promise<Replacement> {
  let document: vscode.TextDocument;
  try {
    document = await openedDocument(vscode.Uri.parse(target.uri, true));
  } catch (cause) {
    throw new DocsAssistantError('selection-gone', { cause });
  }
  const whole = document.getText();
  const found = findSelection(whole, value, target);
  if (!found) throw new DocsAssistantError('selection-gone');
  const fitted = fittedCode(code, whole, found);
  const { startLine, startCharacter, endLine, endCharacter } = found;
  return {
    document,
    version: document.version,
    range: new vscode.Range(startLine, startCharacter, endLine, endCharacter),
    text: document.eol === vscode.EndOfLine.CRLF ? fitted.replaceAll('\n', '\r\n') : fitted,
  };
}

/**
 * Returns the document with the URI.
 * @throws Error if it no longer exists. VS Code would open a closed untitled document as a new one.
 */
async function openedDocument(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const known = openDocument(uri);
  if (!known && uri.scheme === 'untitled') throw new Error('The document was closed');
  return known ?? vscode.workspace.openTextDocument(uri);
}

/** Applies the replacement as one undo step. Returns false if the document has changed since. */
async function apply({ document, version, range, text }: Replacement): Promise<boolean> {
  if (document.isClosed || document.version !== version) return false;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, text);
  if (!(await vscode.workspace.applyEdit(edit))) {
    const name = baseName(document.uri.path);
    void vscode.window.showWarningMessage(
      plainText(translate('{0} can’t be edited, so nothing was replaced.', name)),
    );
    return true;
  }
  if (document.uri.scheme === 'vscode-notebook-cell') return true;
  const start = document.offsetAt(range.start);
  const selection = new vscode.Range(range.start, document.positionAt(start + text.length));
  await vscode.window.showTextDocument(document, { selection });
  return true;
}
