import * as vscode from 'vscode';
import type { Conversation } from '../../../chat/conversation/conversation';
import { codeFileName, languageOf } from '../../../shared/codeLanguages';
import type { ContextItem } from '../../../chat/context/contextItem';
import { baseName } from '../../../chat/context/documentPaths';
import { askWhereToSave } from '../saveFiles';
import { plainText, translate } from '../../notifications';
import { SelectionReplacer } from './replaceSelection';
import { TerminalRunner } from './runInTerminal';
import type { ViewHandlers } from '../../../chat/view/viewChannel';
import type { ViewPorts } from './viewPorts';

/** Returns the handlers of the buttons on a reply's code blocks. */
export function codeHandlers({ conversation, newId, log }: ViewPorts) {
  const replacer = new SelectionReplacer(newId);
  const terminals = new TerminalRunner(newId, log);
  return {
    'code-copy': async ({ text }) => vscode.env.clipboard.writeText(text),
    'code-insert': ({ text }) => insertAtCursor(text),
    'code-open': ({ text, language }) => openAsNewFile(text, language),
    'code-replace': ({ messageId, text }) =>
      replacer.replace(selectionsFor(conversation, messageId), text),
    'code-run': ({ text, language }) => terminals.run(text, language),
    'code-save': ({ text, language }) => saveAs(text, codeFileName(language)),
  } satisfies Partial<ViewHandlers>;
}

/**
 * Returns the context items of the question that a reply answers. If the question had none, returns
 * those of the last question that had some, as follow-up questions are about the same code.
 */
function selectionsFor(conversation: Conversation, messageId: string): readonly ContextItem[] {
  const items = conversation.shown.questionOf(messageId)?.contextItems ?? [];
  if (items.length > 0) return items;
  const { messages } = conversation.thread;
  const before = messages.slice(
    0,
    messages.findIndex(({ id }) => id === messageId),
  );
  const question = before.findLast(
    (message) => message.role === 'user' && message.contextItems.length > 0,
  );
  if (question?.role !== 'user') return [];
  return question.contextItems.flatMap(({ id }) => conversation.contextItem(id) ?? []);
}

async function saveAs(text: string, name: string): Promise<void> {
  const target = await askWhereToSave(name, { title: translate('Save Code As') });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(target);
}

/** Inserts text in place of the selections of the editor that was used last, if it is visible. */
async function insertAtCursor(text: string): Promise<void> {
  const { activeTextEditor: active, visibleTextEditors: visible } = vscode.window;
  const editor = active && visible.includes(active) ? active : visible[0];
  if (!editor || editor.document.uri.scheme === 'output') {
    void vscode.window.showWarningMessage(
      translate('No text editor is open. Open a file, then try again.'),
    );
    return;
  }
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!isDone) {
    void vscode.window.showWarningMessage(
      plainText(
        translate(
          '{0} can’t be edited, so nothing was inserted.',
          baseName(editor.document.uri.path),
        ),
      ),
    );
    return;
  }
  await vscode.window.showTextDocument(editor.document, {
    viewColumn: editor.viewColumn,
  });
}

async function openAsNewFile(text: string, language: string): Promise<void> {
  const known = new Set(await vscode.languages.getLanguages());
  const found = languageOf(language);
  const ids = [language.toLowerCase(), ...(found?.writtenAs ?? [])];
  // VS Code has one language for the code of all shells and their sessions.
  if (found?.shell) ids.push('shellscript');
  const id = ids.find((name) => known.has(name));
  const document = await vscode.workspace.openTextDocument({
    content: text,
    language: id,
  });
  await vscode.window.showTextDocument(document);
}
