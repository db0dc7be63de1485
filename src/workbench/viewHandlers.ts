import * as vscode from 'vscode';
import type { Conversation } from '../assistant/conversation';
import type { Log } from '../common/ports';
import type { ViewRequestName, ViewRequests } from '../shared/protocol';
import { commands } from './contributions';
import { errorActions, plainText, translate } from './notifications';
import { dataOfUrl, openableLink, safeFileName } from './openableLink';
import { revealContextItem } from './revealContextItem';

/** A missing or wrongly typed handler does not compile; `view-ready` is the view's own. */
export type ViewHandlers = {
  readonly [Name in Exclude<ViewRequestName, 'view-ready'>]: (
    params: ViewRequests[Name]['params'],
  ) => ViewRequests[Name]['result'] | Promise<ViewRequests[Name]['result']>;
};

interface ViewHandlerPorts {
  readonly conversation: Conversation;
  readonly log: Log;
}

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

/** What the host does for each request of the webview. */
export function viewHandlers({ conversation, log }: ViewHandlerPorts): ViewHandlers {
  return {
    'question-submit': ({ text }) => conversation.submit(text),
    'reply-stop': ({ messageId }) => {
      conversation.stop(messageId);
      return null;
    },
    'reply-retry': ({ messageId }) => {
      conversation.retry(messageId);
      return null;
    },
    'thread-start': () => {
      conversation.startThread();
      return null;
    },
    'context-item-remove': ({ itemId }) => {
      conversation.removeContextItem(itemId);
      return null;
    },
    'context-item-reveal': async ({ itemId }) => {
      const item = conversation.contextItem(itemId);
      if (item) await revealContextItem(item);
      return null;
    },
    'context-item-add': async () => {
      await vscode.commands.executeCommand(commands.addSelection);
      return null;
    },
    'source-open': async ({ messageId, sourceId }) => {
      const source = conversation.source(messageId, sourceId);
      if (source) await openLink(source.url, log);
      return null;
    },
    'file-open': async ({ messageId, partIndex }) => {
      const file = conversation.file(messageId, partIndex);
      if (!file) return null;
      const content = dataOfUrl(file.url);
      if (content) await saveFile(safeFileName(file.filename, 'file'), content.bytes);
      else await openLink(file.url, log);
      return null;
    },
    'link-open': async ({ href }) => {
      await openLink(href, log);
      return null;
    },
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
    'action-run': ({ action }) => {
      // Not awaited: a set-up that waits for its user must not keep the request open.
      void vscode.commands.executeCommand(errorActions[action].command);
      return null;
    },
    'view-log': ({ level, text }) => {
      log[level](`Chat view: ${text}`);
      return null;
    },
  };
}

/** Opens a link in the browser; VS Code itself asks before it opens a domain that is not trusted. */
async function openLink(href: string, log: Log): Promise<void> {
  const link = openableLink(href);
  if (link === undefined) {
    log.warn('A link was not opened: only http, https and mailto addresses are');
    void vscode.window.showWarningMessage(
      translate('This link cannot be opened: only web and mail addresses are.'),
    );
    return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(link, true));
}

async function saveFile(name: string, bytes: Uint8Array): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog(
    folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {},
  );
  if (target) await vscode.workspace.fs.writeFile(target, bytes);
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
        translate('{0} cannot be changed, so nothing was inserted.', nameOf(editor.document)),
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

function nameOf(document: vscode.TextDocument): string {
  return document.uri.path.split('/').at(-1) ?? '';
}
