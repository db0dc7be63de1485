import * as vscode from 'vscode';
import type { Conversation } from '../assistant/conversation';
import type { NewId } from '../common/ports';
import { isSameContextItem, isSameRange, type ContextItem } from '../context/contextItem';
import {
  toContextItem,
  type SelectionRefusal,
  type SelectionSnapshot,
} from '../context/selectionItem';
import { readableSize } from '../shared/readableSize';
import { commands, settings } from './contributions';
import { selectedCellsOf, selectionsOf } from './editorSelection';
import { plainText, translate } from './notifications';

export interface AttachPorts {
  readonly conversation: Pick<
    Conversation,
    'addContextItems' | 'contextItems' | 'removeContextItem'
  >;
  readonly newId: NewId;
  /** Bytes of UTF-8. */
  readonly maxSelectionBytes: () => number;
}

/** What is selected in the editor that was used last; undefined if nothing is selected there. */
export function selectedNow(): SelectionSnapshot[] | undefined {
  const { activeTextEditor: editor, activeNotebookEditor: notebook } = vscode.window;
  const selections = editor ? selectionsOf(editor) : [];
  if (selections.length > 0) return selections;
  // In a notebook something always is: the cells, whether or not the cursor is in one of them.
  return notebook ? selectedCellsOf(notebook) : undefined;
}

/**
 * Adds selections to the next question, in the place of older states of the same ranges.
 * @returns false if something was refused, which has been said then.
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
  for (const old of conversation.contextItems) {
    if (items.some((item) => isNewerStateOf(old, item))) conversation.removeContextItem(old.id);
  }
  conversation.addContextItems(items);
  const said = refusals.filter(({ reason }) => reason !== 'empty');
  for (const refusal of said) void showRefusal(refusal);
  return said.length === 0;
}

/** The same range with another text: its document was changed since. */
function isNewerStateOf(old: ContextItem, item: ContextItem): boolean {
  return isSameRange(old.target, item.target) && !isSameContextItem(old, item);
}

/** Says why a selection was not attached, with the setting that would let it. */
export async function showRefusal(refusal: SelectionRefusal): Promise<void> {
  if (refusal.reason === 'too-large') {
    const open = translate('Open Settings');
    const chosen = await vscode.window.showWarningMessage(
      plainText(
        translate(
          'The selection in {0} is {1}, over the limit of {2}. Select less, or raise the limit in the settings.',
          refusal.label,
          readableSize(refusal.sizeBytes),
          readableSize(refusal.limitBytes),
        ),
      ),
      open,
    );
    if (chosen === open) {
      await vscode.commands.executeCommand(commands.openSettings, settings.maxSelectionSize);
    }
  } else if (refusal.reason === 'binary') {
    await vscode.window.showWarningMessage(
      plainText(
        translate(
          'The selection in {0} is binary, so there is nothing to ask about.',
          refusal.label,
        ),
      ),
    );
  }
}
