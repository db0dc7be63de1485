import * as vscode from 'vscode';
import type { Conversation } from '../../assistant/conversation';
import { codeFileName } from '../../context/codeFileName';
import type { ContextItem } from '../../context/contextItem';
import { baseName } from '../../context/workspacePath';
import { askWhereToSave } from '../askWhereToSave';
import { plainText, translate } from '../notifications';
import { SelectionReplacer } from './replaceSelection';
import { TerminalRunner } from './runInTerminal';
import type { ViewHandlers, ViewPorts } from './viewPorts';

type CodeHandlers = Pick<
  ViewHandlers,
  'code-copy' | 'code-insert' | 'code-open' | 'code-replace' | 'code-run' | 'code-save'
>;

/** Names of languages in code fences that VS Code calls otherwise. */
const languageAliases: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  'c#': 'csharp',
  'c++': 'cpp',
  cs: 'csharp',
  console: 'shellscript',
  docker: 'dockerfile',
  golang: 'go',
  js: 'javascript',
  jsx: 'javascriptreact',
  kt: 'kotlin',
  md: 'markdown',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  ts: 'typescript',
  tsx: 'typescriptreact',
  yml: 'yaml',
  zsh: 'shellscript',
};

/** What can be done with a reply's code. */
export function codeHandlers({ conversation, newId, log }: ViewPorts): CodeHandlers {
  const replacer = new SelectionReplacer(newId);
  const terminals = new TerminalRunner(newId, log);
  return {
    'code-copy': async ({ text }) => {
      await vscode.env.clipboard.writeText(text);
      return null;
    },
    'code-insert': async ({ text }) => {
      await insertAtCursor(text);
      return null;
    },
    'code-open': async ({ text, language }) => {
      await openAsNewFile(text, language);
      return null;
    },
    'code-replace': async ({ messageId, text }) => {
      await replacer.replace(selectionsFor(conversation, messageId), text);
      return null;
    },
    'code-run': async ({ text, language }) => {
      await terminals.run(text, language);
      return null;
    },
    'code-save': async ({ text, language }) => {
      await saveAs(text, codeFileName(language));
      return null;
    },
  };
}

/**
 * The context items of the question that a reply is for; where it had none, those of the last
 * question before it that had: a thread goes on about them.
 */
function selectionsFor(conversation: Conversation, messageId: string): readonly ContextItem[] {
  const items = conversation.contextItemsOf(messageId);
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

/** Replaces the selections of the editor that was used last, if it is in sight. */
async function insertAtCursor(text: string): Promise<void> {
  const { activeTextEditor: active, visibleTextEditors: visible } = vscode.window;
  const editor = active && visible.includes(active) ? active : visible[0];
  if (!editor || editor.document.uri.scheme === 'output') {
    void vscode.window.showWarningMessage(
      translate('There is no text editor to insert into. Open a file, then insert again.'),
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
          '{0} cannot be changed, so nothing was inserted.',
          baseName(editor.document.uri.path),
        ),
      ),
    );
    return;
  }
  await vscode.window.showTextDocument(editor.document, {
    ...(editor.viewColumn === undefined ? {} : { viewColumn: editor.viewColumn }),
  });
}

async function openAsNewFile(text: string, language: string): Promise<void> {
  const name = language.toLowerCase();
  const wanted = languageAliases[name] ?? name;
  const isKnown = (await vscode.languages.getLanguages()).includes(wanted);
  const document = await vscode.workspace.openTextDocument({
    content: text,
    ...(isKnown ? { language: wanted } : {}),
  });
  await vscode.window.showTextDocument(document);
}
