/** *Ask Docs Assistant* outside of editors: the terminal, the explorer and notebook cells. */
import * as vscode from 'vscode';
import { baseName } from '../../chat/context/documentPaths';
import { textItem } from '../../chat/context/selectionItem';
import { terminalText } from '../../chat/context/terminalText';
import { notebookErrors } from '../../chat/context/notebookErrors';
import { views } from '../../common/contributions';
import { say, translate } from '../notifications';
import { type AskCommandPorts, attachSelections } from './askCommands';
import { attachFile } from './attachFile';
import { wholeOf } from './editorSelection';
import { copiedText, selectionOf } from './view/mentionSources';

/** Most files that are attached from the explorer at once. Nobody reviews the chips of more. */
const MAX_FILES_AT_ONCE = 20;

/**
 * Attaches the selection of a terminal.
 * @param args the terminal whose menu was opened. The active terminal by default.
 */
export async function askTerminal(
  ports: AskCommandPorts,
  [given]: readonly unknown[],
): Promise<void> {
  const terminal =
    vscode.window.terminals.find((other) => other === given) ?? vscode.window.activeTerminal;
  const selected = terminal ? (selectionOf(terminal) ?? (await copiedText('copySelection'))) : '';
  const text = terminalText(selected, ports.maxSelectionBytes());
  if (!terminal || text === '') {
    say(
      selected.trim() === ''
        ? translate('Select text in the terminal first.')
        : translate('The selection in the terminal is too large to attach. Select less.'),
    );
    return;
  }
  const label = translate('Terminal: {0}', terminal.name);
  ports.conversation.pending.addContextItems([textItem(ports.newId(), label, text)]);
  await ports.chat.focusComposer();
}

/**
 * Attaches the files that are selected in the explorer.
 * @param args the file that the menu was opened on, and all selected ones.
 */
export async function askFiles(
  ports: AskCommandPorts,
  [focused, selected]: readonly unknown[],
): Promise<void> {
  const all = (Array.isArray(selected) && selected.length > 0 ? selected : [focused]).filter(
    (uri) => uri instanceof vscode.Uri,
  );
  const files = all.slice(0, MAX_FILES_AT_ONCE);
  let attached = 0;
  let folders = 0;
  for (const uri of files) {
    if (await isFolder(uri)) folders++;
    else if (await attachFile(ports, uri)) attached++;
  }
  if (all.length > files.length) {
    say(
      translate(
        'Only the first {0} of {1} files were checked. Select fewer files.',
        files.length,
        all.length,
      ),
    );
  }
  if (folders > 0) say(translate('Folders can’t be attached. Select files.'));
  if (attached > 0) await ports.chat.focusComposer();
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.Directory) !== 0;
  } catch {
    // The attempt to attach the file shows why it can't be read.
    return false;
  }
}

/**
 * Attaches a notebook cell and the errors in its output.
 * @param args the cell whose menu was opened, or nothing for the selected one.
 */
export async function askCell(ports: AskCommandPorts, [given]: readonly unknown[]): Promise<void> {
  const cell = cellOf(given) ?? selectedCell();
  if (!cell) {
    say(translate('Select a notebook cell first.'));
    return;
  }
  if (cell.document.getText().trim() === '') {
    say(translate('The cell is empty.'));
    return;
  }
  if (!attachSelections(ports, [wholeOf(cell.document)])) return;
  const items = cell.outputs.flatMap(({ items: all }) => all);
  const text = terminalText(notebookErrors(items), ports.maxSelectionBytes());
  if (text !== '') {
    const name = baseName(cell.notebook.uri.path);
    const label = translate('Error in {0} [{1}]', name, cell.index + 1);
    ports.conversation.pending.addContextItems([textItem(ports.newId(), label, text)]);
  }
  await ports.chat.focusComposer();
}

/** Returns the cell of an open notebook that VS Code passed to a command. */
function cellOf(given: unknown): vscode.NotebookCell | undefined {
  return vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find((cell) => cell === given);
}

function selectedCell(): vscode.NotebookCell | undefined {
  const editor = vscode.window.activeNotebookEditor;
  const range = editor?.selections[0];
  return editor && range && !range.isEmpty ? editor.notebook.cellAt(range.start) : undefined;
}

/**
 * Shows VS Code's own picker, with which the reader can move the chat to the secondary side bar or
 * the panel. VS Code remembers the place.
 *
 * The manifest names no container in the secondary side bar: VS Code 1.104 and 1.105 throw at such a
 * manifest, and then show the views of every extension in the explorer.
 */
export async function moveChat(): Promise<void> {
  // The view isn't focused first: the picker closes as soon as something else takes the focus.
  await vscode.commands.executeCommand('workbench.action.moveFocusedView', views.chat);
}
