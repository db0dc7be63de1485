/** Shows what a command would change in values files as a diff, and writes it when the user applies it. */
import * as vscode from 'vscode';
import type { Disposable } from '../../common/disposable';
import type { WindowUi } from '../../common/windowUi';
import { ExportError } from '../../export/exportErrors';
import type { TextEdit } from '../../export/values/valuesEdits';
import type { PlannedFile } from '../../export/hosting/hostingFolder';
import { translate } from '../notifications';
import { closeTabs } from '../openDocument';
import { toRange } from './valuesFiles';

const SCHEME = 'docs-assistant-values';

/** A change of one file. Without a document the file is new. */
export interface ReviewedChange {
  readonly uri: vscode.Uri;
  readonly document?: vscode.TextDocument | undefined;
  readonly after: string;
}

/**
 * Runs reviews. The new texts are documents without a file and are gone when the review ends,
 * because they can contain a bundle link.
 */
export class ValuesReview implements vscode.TextDocumentContentProvider, Disposable {
  readonly #ui: Pick<WindowUi, 'inform'>;
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  #count = 0;

  constructor(ui: Pick<WindowUi, 'inform'>) {
    this.#ui = ui;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.query) ?? '';
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }

  /**
   * Shows the changes and waits for *Apply*. Files that had no other unsaved changes are saved.
   * @returns the documents that were written, but not new files, or undefined if the user didn't apply the changes.
   * Nothing is written then.
   * @throws {ExportError} `values-not-usable` if a file has changed meanwhile or can't be edited.
   */
  async run(
    title: string,
    changes: readonly ReviewedChange[],
  ): Promise<readonly vscode.TextDocument[] | undefined> {
    const sides = changes.map((change) => this.#sidesOf(change));
    const before = changes.map(({ document }) => document?.getText());
    try {
      await show(title, sides);
      const apply = translate('Apply');
      const question =
        changes.length === 1
          ? translate(
              'Review the change to {0}. Nothing is written until you apply it.',
              namesOf(changes),
            )
          : translate(
              'Review the changes to {0} files. Nothing is written until you apply them.',
              changes.length,
            );
      if ((await this.#ui.inform(question, apply)) !== apply) return undefined;
      return await write(changes, before);
    } finally {
      await closeReview(sides);
      for (const { left, right } of sides) {
        this.#texts.delete(left.query);
        this.#texts.delete(right.query);
      }
    }
  }

  #sidesOf({ uri, document, after }: ReviewedChange): DiffSides {
    return {
      uri,
      left: document ? document.uri : this.#virtual(uri, ''),
      right: this.#virtual(uri, after),
    };
  }

  #virtual(uri: vscode.Uri, text: string): vscode.Uri {
    const id = String(++this.#count);
    this.#texts.set(id, text);
    return vscode.Uri.from({ scheme: SCHEME, path: uri.path, query: id });
  }
}

interface DiffSides {
  readonly uri: vscode.Uri;
  readonly left: vscode.Uri;
  readonly right: vscode.Uri;
}

async function show(title: string, sides: readonly DiffSides[]): Promise<void> {
  const [only] = sides;
  if (sides.length === 1 && only) {
    await vscode.commands.executeCommand('vscode.diff', only.left, only.right, title, {
      preview: true,
    });
    return;
  }
  await vscode.commands.executeCommand(
    'vscode.changes',
    title,
    sides.map(({ uri, left, right }) => [uri, left, right]),
  );
}

/** Closes the editors of a review. Tabs of several diffs name none of their files in VS Code 1.101. */
async function closeReview(sides: readonly DiffSides[]): Promise<void> {
  const ours = new Set(sides.map(({ right }) => right.toString()));
  await closeTabs((input) => {
    if (input instanceof vscode.TabInputTextDiff) return ours.has(input.modified.toString());
    const { textDiffs } = (input ?? {}) as { textDiffs?: readonly vscode.TabInputTextDiff[] };
    return textDiffs?.some(({ modified }) => ours.has(modified.toString())) === true;
  }, true);
}

async function write(
  changes: readonly ReviewedChange[],
  before: readonly (string | undefined)[],
): Promise<readonly vscode.TextDocument[]> {
  const edit = new vscode.WorkspaceEdit();
  const toSave: vscode.TextDocument[] = [];
  for (const [index, { uri, document, after }] of changes.entries()) {
    const old = before[index];
    if (!document) {
      edit.createFile(uri, { contents: new TextEncoder().encode(after), overwrite: false });
      continue;
    }
    if (document.isClosed || document.getText() !== old) {
      throw new ExportError('values-not-usable', {
        path: vscode.workspace.asRelativePath(uri),
        reason: (t) => t('it has changed since. Run the command again.'),
      });
    }
    const { start, end, newText } = difference(old, after);
    edit.replace(uri, toRange(document, start, end), newText);
    // A file with other unsaved changes stays unsaved, because only the user can decide about them.
    if (!document.isDirty && !document.isUntitled) toSave.push(document);
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new ExportError('values-not-usable', {
      path: namesOf(changes),
      reason: (t) => t('VS Code can’t edit it.'),
    });
  }
  for (const document of toSave) await document.save();
  return changes.flatMap(({ document }) => document ?? []);
}

/** Returns the one edit that turns a text into another, without what both have at start and end. */
function difference(before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let same = 0;
  while (
    same < most - start &&
    before[before.length - 1 - same] === after[after.length - 1 - same]
  ) {
    same++;
  }
  // VS Code has no position between the two halves of a line end or of a surrogate pair.
  const isSplit = (text: string, at: number): boolean =>
    /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])/.test(text.slice(at - 1, at + 1));
  while (start > 0 && (isSplit(before, start) || isSplit(after, start))) start--;
  while (same > 0 && (isSplit(before, before.length - same) || isSplit(after, after.length - same)))
    same--;
  return { start, end: before.length - same, newText: after.slice(start, after.length - same) };
}

/**
 * Shows files that a command has planned, and writes them when the user applies them.
 * @returns whether they were written.
 * @throws as {@link ValuesReview.run}.
 */
export async function reviewFiles(
  review: Pick<ValuesReview, 'run'>,
  title: string,
  files: readonly PlannedFile[],
): Promise<boolean> {
  const changes = files.map(async ({ path, content, state }): Promise<ReviewedChange> => {
    const uri = vscode.Uri.file(path);
    if (state === 'new') return { uri, after: content };
    return { uri, document: await vscode.workspace.openTextDocument(uri), after: content };
  });
  return (await review.run(title, await Promise.all(changes))) !== undefined;
}

/** Returns the names of the files, relative to the workspace. */
export function namesOf(files: readonly { readonly uri: vscode.Uri }[]): string {
  return files.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join(', ');
}
