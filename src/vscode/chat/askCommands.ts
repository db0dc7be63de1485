import * as vscode from 'vscode';
import {
  type SelectionRefusal,
  type SelectionSnapshot,
  toContextItem,
} from '../../chat/context/selectionItem';
import { baseName } from '../../chat/context/documentPaths';
import type { ChatView } from './chatView';
import {
  enclosingSymbols,
  rangeSnapshot,
  selectedCellsOf,
  selectionsOf,
  wholeOf,
} from './editorSelection';
import { plainText, say, translate } from '../notifications';
import type { Conversation } from '../../chat/conversation/conversation';
import type { NewId } from '../../common/ports';
import { type ContextItem, isSameContextItem, isSameRange } from '../../chat/context/contextItem';
import { sizeText } from '../../shared/units';
import { commands, settings } from '../../common/contributions';
import { type AskLinkProblem, parseAskLink } from '../../chat/context/askLink';

export interface AskCommandPorts extends AttachPorts {
  readonly chat: Pick<ChatView, 'focusComposer'>;
}

/** Maximum number of enclosing symbols that are offered, the innermost first. */
const MAX_SYMBOLS = 4;

/** Runs *Ask Docs Assistant*: attaches the selections, or offers the code around the cursor. */
export async function ask(ports: AskCommandPorts): Promise<void> {
  const chosen = selectedNow() ?? (await chooseWithoutSelection());
  if (chosen && attachSelections(ports, chosen)) await ports.chat.focusComposer();
}

/**
 * Runs *Add Selection to Chat*: attaches the selections, beside those that are already attached.
 */
export async function addSelection(ports: AskCommandPorts): Promise<void> {
  const selected = selectedNow();
  if (!selected) {
    say(translate('Select code or text in an editor first.'));
  } else if (attachSelections(ports, selected)) await ports.chat.focusComposer();
}

/**
 * Asks what the question is about when nothing is selected.
 * @returns an empty list for a question without context, or undefined if the user canceled.
 */
async function chooseWithoutSelection(): Promise<readonly SelectionSnapshot[] | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.getText().trim() === '') return [];
  const { document, selection } = editor;
  const symbols = await enclosingSymbols(document, selection.active);
  const choices = [
    ...symbols.slice(0, MAX_SYMBOLS).map(({ name, range }) => ({
      label: `$(symbol-method) ${name}`,
      description: translate('lines {0}–{1}', range.start.line + 1, range.end.line + 1),
      take: () => [rangeSnapshot(document, range, name)],
    })),
    {
      label: `$(file) ${translate('Whole file')}`,
      description: baseName(document.uri.path),
      take: () => [wholeOf(document)],
    },
    {
      label: `$(comment) ${translate('Just ask')}`,
      description: translate('without context'),
      take: () => [],
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: translate('Ask Docs Assistant'),
    placeHolder: translate('Nothing is selected. Choose what to ask about'),
  });
  return chosen?.take();
}

export interface AttachPorts {
  readonly conversation: Pick<Conversation, 'pending'>;
  readonly newId: NewId;
  /** Returns the size limit of one selection, in bytes of UTF-8. */
  readonly maxSelectionBytes: () => number;
}

/** Returns the selections of the editor that was used last, or undefined if nothing is selected. */
export function selectedNow(): SelectionSnapshot[] | undefined {
  const { activeTextEditor: editor, activeNotebookEditor: notebook } = vscode.window;
  const selections = editor ? selectionsOf(editor) : [];
  if (selections.length > 0) return selections;
  // A notebook always has selected cells, whether or not the cursor is in one of them.
  return notebook ? selectedCellsOf(notebook) : undefined;
}

/**
 * Attaches selections to the next question. A selection replaces an older state of the same range.
 * @returns false if a selection was refused, which has been shown then.
 */
export function attachSelections(
  { conversation, maxSelectionBytes, newId }: AttachPorts,
  selections: readonly SelectionSnapshot[],
): boolean {
  const items: ContextItem[] = [];
  const refusals: SelectionRefusal[] = [];
  for (const selection of selections) {
    const result = toContextItem(selection, maxSelectionBytes(), newId());
    if (result.ok) items.push(result.item);
    else refusals.push(result.refusal);
  }
  for (const old of conversation.pending.draft.contextItems) {
    if (items.some((item) => isNewerStateOf(old, item)))
      conversation.pending.removeContextItem(old.id);
  }
  conversation.pending.addContextItems(items);
  const said = refusals.filter(({ reason }) => reason !== 'empty');
  for (const refusal of said) void showRefusal(refusal);
  return said.length === 0;
}

/**
 * Returns whether the item has the same range with another text, because its document has changed.
 */
function isNewerStateOf(old: ContextItem, item: ContextItem): boolean {
  return isSameRange(old.target, item.target) && !isSameContextItem(old, item);
}

/** Returns the sentence about a refusal, or an empty text for a selection with nothing in it. */
export function selectionRefusalText(refusal: SelectionRefusal): string {
  switch (refusal.reason) {
    case 'too-large':
      return translate(
        'The selection in {0} is {1}. Selections can be up to {2}. Select less, or raise the limit in the settings.',
        refusal.label,
        sizeText(refusal.sizeBytes),
        sizeText(refusal.limitBytes),
      );
    case 'binary':
      return translate('The selection in {0} is binary, so it can’t be attached.', refusal.label);
    case 'empty':
      return '';
  }
}

/** Shows why a selection was not attached and offers the setting that limits its size. */
export async function showRefusal(refusal: SelectionRefusal): Promise<void> {
  const text = plainText(selectionRefusalText(refusal));
  if (refusal.reason === 'too-large') {
    const open = translate('Open Settings');
    const chosen = await vscode.window.showWarningMessage(text, open);
    if (chosen === open) {
      await vscode.commands.executeCommand(commands.openSettings, settings.maxSelectionSize);
    }
  } else if (refusal.reason === 'binary') {
    await vscode.window.showWarningMessage(text);
  }
}

interface AskLinkPorts {
  readonly conversation: Pick<Conversation, 'pending'>;
  readonly chat: Pick<ChatView, 'focusComposer'>;
}

/** Sentences about refused links. They repeat nothing of the link, because anyone can write one. */
const problems = {
  'unknown-path': 'Docs Assistant can’t open this link.',
  'nothing-to-ask': 'This link has no question and no page, so there is nothing to ask.',
  'bad-page': 'The page in this link is not a page of a docs site, so nothing was filled in.',
} as const satisfies Record<AskLinkProblem, string>;

/**
 * Follows a link to this extension. Puts its question into the composer, below the text that is
 * there, and attaches its page. Sends nothing, runs nothing and changes no setting.
 *
 * @param link path and query, decoded as in a `vscode.Uri`.
 */
export async function followAskLink(
  { conversation, chat }: AskLinkPorts,
  link: { readonly path: string; readonly query: string },
): Promise<void> {
  const parsed = parseAskLink(link);
  if ('problem' in parsed) {
    void vscode.window.showWarningMessage(translate(problems[parsed.problem]));
    return;
  }
  const { question, page, isCut } = parsed;
  if (page !== undefined) conversation.pending.setPage(page);
  await chat.focusComposer(question === '' ? undefined : question);
  if (isCut) {
    say(translate('The question in this link is too long. Its end was left out.'));
  }
}
