import * as vscode from 'vscode';
import type { SelectionSnapshot } from '../context/selectionItem';
import { baseName } from '../context/workspacePath';
import { attachSelections, selectedNow, type AttachPorts } from './attachSelections';
import type { ChatView } from './chatView';
import { enclosingSymbols, rangeOf, wholeOf } from './editorSelection';
import { translate } from './notifications';

interface AskCommandPorts extends AttachPorts {
  readonly chat: Pick<ChatView, 'focusComposer'>;
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
    if (attachSelections(this.#ports, chosen)) await this.#ports.chat.focusComposer();
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
    if (attachSelections(this.#ports, selected)) await this.#ports.chat.focusComposer();
  }
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
      description: baseName(document.uri.path),
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
