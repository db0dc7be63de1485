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
import type { ChatView } from './chatView';
import { commands, settings } from './contributions';
import {
  enclosingSymbols,
  rangeOf,
  selectedCellsOf,
  selectionsOf,
  wholeOf,
} from './editorSelection';
import { plainText, translate } from './notifications';

interface AskCommandPorts {
  readonly conversation: Conversation;
  readonly chat: ChatView;
  readonly newId: NewId;
  readonly maxSelectionBytes: () => number;
}

/** Enclosing symbols that are offered, the innermost first. */
const MAX_SYMBOLS = 4;

/** From what an editor has selected to a question about it. */
export class AskCommands {
  readonly #ports: AskCommandPorts;

  constructor(ports: AskCommandPorts) {
    this.#ports = ports;
  }

  /** *Ask Docs Assistant*: takes the selections along, or offers what is around the cursor. */
  async ask(): Promise<void> {
    const chosen = selectedNow() ?? (await chooseWithoutSelection());
    if (!chosen) return;
    if (this.#attach(chosen)) await this.#ports.chat.focusComposer();
  }

  /** *Add Selection to Chat*: collects, and shows the panel without taking the focus for long. */
  async addSelection(): Promise<void> {
    const selected = selectedNow();
    if (!selected) {
      void vscode.window.showInformationMessage(
        translate('Select code or text in an editor first, then add it.'),
      );
      return;
    }
    if (this.#attach(selected)) await this.#ports.chat.focusComposer();
  }

  /** @returns false if something was refused, which has been said then. */
  #attach(selections: readonly SelectionSnapshot[]): boolean {
    const { conversation, maxSelectionBytes, newId } = this.#ports;
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
}

/** The same range with another text: its document was changed since. */
function isNewerStateOf(old: ContextItem, item: ContextItem): boolean {
  return isSameRange(old.target, item.target) && !isSameContextItem(old, item);
}

/** Undefined if nothing is selected anywhere. */
function selectedNow(): SelectionSnapshot[] | undefined {
  const { activeTextEditor: editor, activeNotebookEditor: notebook } = vscode.window;
  const selections = editor ? selectionsOf(editor) : [];
  if (selections.length > 0) return selections;
  // In a notebook something always is: the cells, whether or not the cursor is in one of them.
  return notebook ? selectedCellsOf(notebook) : undefined;
}

/** The empty list is a choice too: to ask without context. Undefined if the user left. */
async function chooseWithoutSelection(): Promise<readonly SelectionSnapshot[] | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.getText().trim() === '') return [];
  const { document, selection } = editor;
  const symbols = await enclosingSymbols(document, selection.active);
  const choices = [
    ...symbols.slice(0, MAX_SYMBOLS).map(({ name, range }) => ({
      label: `$(symbol-method) ${name}`,
      description: translate('lines {0}–{1}', range.start.line + 1, range.end.line + 1),
      take: () => [rangeOf(document, range, name)],
    })),
    {
      label: `$(file) ${translate('Whole file')}`,
      description: document.uri.path.split('/').at(-1) ?? '',
      take: () => [wholeOf(document)],
    },
    {
      label: `$(comment) ${translate('Just ask')}`,
      description: translate('without code'),
      take: () => [],
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: translate('Ask Docs Assistant'),
    placeHolder: translate('Nothing is selected. What is the question about?'),
  });
  return chosen?.take();
}

async function showRefusal(refusal: SelectionRefusal): Promise<void> {
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
