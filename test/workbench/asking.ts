/** Asks questions as a person does, in steps that several tests share. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi, TestApi } from '../../src/vscode/testApi';
import { commands } from '../../src/common/contributions';
import { docsService } from './docsService';
import { chat, workbench, type Surface } from './pageDriver';
import { suiteEnvironment } from './suiteEnvironment';

export const questionBox = '.composer textarea';
/** The text of replies, without reasoning and sources. */
export const replyText = 'article.reply .parts > .markdown';
/** The cited sources below a reply, without the pages that its searches found. */
export const citedSource = 'article.reply .sources li';
export const quickInput = '.quick-input-widget input';

const idleReply = 'article.reply[aria-busy="false"]';

/** Returns what `activate` gives to tests. */
export async function extensionApi(): Promise<TestApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi | undefined>(
    'docs-assistant.docs-assistant',
  );
  const api = await extension?.activate();
  assert.ok(api, 'the extension gives no test API');
  return api.forTests();
}

/**
 * Opens a document of the workspace in an editor, with everything from `start` to `end` selected.
 */
export async function openAndSelect(
  path: string,
  start: string,
  end: string = start,
): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(inWorkspace(path));
  const editor = await vscode.window.showTextDocument(document);
  const text = document.getText();
  const from = text.indexOf(start);
  const to = text.indexOf(end, from) + end.length;
  assert.ok(from >= 0 && to >= end.length, `${path} does not hold what is to be selected`);
  editor.selection = new vscode.Selection(document.positionAt(from), document.positionAt(to));
  return editor;
}

export function inWorkspace(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'no folder is open');
  return vscode.Uri.joinPath(folder.uri, path);
}

/**
 * Starts with an empty thread, no context items, no faults, the service up, and the panel in front.
 */
export async function startAfresh(): Promise<void> {
  await docsService.comeBack();
  await docsService.clearFaults();
  const { useSite } = await extensionApi();
  useSite(suiteEnvironment().site);
  await vscode.commands.executeCommand('notifications.clearAll');
  await vscode.commands.executeCommand(commands.stopReply);
  await newThread();
  for (let left = await chat.count('.composer .chip-remove'); left > 0; left--) {
    await chat.click('.composer .chip-remove', { nth: 0 });
    await chat.waitFor('.composer .chip', { nth: left - 1 }, 'detached');
  }
  await chat.fill(questionBox, '');
}

/** Begins a thread, as the view's title does, and waits until the one before has gone. */
export async function newThread(): Promise<void> {
  await untilInComposer(() => vscode.commands.executeCommand(commands.newThread));
  await chat.waitFor('article.question', { nth: 0 }, 'detached');
}

/** Brings the panel to the front, with the cursor in the composer. */
export async function focusChat(): Promise<void> {
  await untilInComposer(() => vscode.commands.executeCommand(commands.focusChat));
}

/** Attaches the selection of the editor. */
export async function addSelection(): Promise<void> {
  await untilInComposer(() => vscode.commands.executeCommand(commands.addSelection));
}

/**
 * Runs an action that puts the cursor in the composer, and waits until it is there. The page takes
 * the focus, and a text of its own, after the action has ended. A menu or a list that opened in
 * between would close.
 */
export async function untilInComposer(action: () => PromiseLike<unknown>): Promise<void> {
  // A page that is being replaced has no cursor.
  await leaveComposer().catch(() => undefined);
  await action();
  await whenInComposer();
}

async function leaveComposer(): Promise<void> {
  if ((await chat.count(questionBox)) === 0) return;
  await chat.evaluate('document.activeElement?.blur()');
}

/**
 * Waits until the cursor is in the composer to stay. VS Code focuses the page again 50 ms after the
 * command (microsoft/vscode#75209).
 */
export async function whenInComposer(): Promise<void> {
  await chat.waitFor(`${questionBox}:focus`);
  await workbench.evaluate('new Promise((resolve) => setTimeout(resolve, 60))');
  // The page handles its messages in their order, and that message is on its way by now.
  await chat.evaluate('new Promise((resolve) => setTimeout(resolve, 0))');
}

/** Types a question and sends it with Enter. */
export async function send(question: string, view: Surface = chat): Promise<void> {
  await view.fill(questionBox, question);
  await view.press(questionBox, 'Enter');
  await view.waitFor('article.question', { hasText: question });
}

/** Waits until the n-th reply of the thread (from 0) has ended, however it did. */
export async function whenReplyEnds(index = 0, view: Surface = chat): Promise<void> {
  await view.waitFor(idleReply, { nth: index });
}

/** Asks and waits for the whole reply. */
export async function ask(question: string, index = 0, view: Surface = chat): Promise<string> {
  await send(question, view);
  await whenReplyEnds(index, view);
  return view.text('article.reply', { nth: index });
}

/** Waits for something that only the `vscode` API can tell. The test's own limit ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
}

/**
 * Waits until a text has reached the database in which the window keeps its state. VS Code writes
 * it there some time after an extension was told that it is stored.
 */
export async function whenOnDisk(text: string): Promise<void> {
  const isOnDisk = `(async () => {
    for (const { name } of await indexedDB.databases()) {
      if (!name.startsWith('vscode-web-state-db')) continue;
      const result = (request) => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const database = await result(indexedDB.open(name));
      try {
        for (const store of database.objectStoreNames) {
          const values = await result(database.transaction(store).objectStore(store).getAll());
          if (JSON.stringify(values).includes(${JSON.stringify(text)})) return true;
        }
      } finally {
        database.close();
      }
    }
    return false;
  })()`;
  while ((await workbench.evaluate(isOnDisk)) !== true) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Types into VS Code's own input box and accepts. */
export async function answerPrompt(text: string): Promise<void> {
  await workbench.waitFor(quickInput);
  await workbench.fill(quickInput, text);
  await workbench.press(quickInput, 'Enter');
}

/** Shows a terminal called `suite` in front that has the text, in red, and all of it selected. */
export async function showTerminal(
  text: string,
): Promise<{ terminal: vscode.Terminal; dispose: () => void }> {
  const written = new vscode.EventEmitter<string>();
  const terminal = vscode.window.createTerminal({
    name: 'suite',
    pty: {
      onDidWrite: written.event,
      open: () => written.fire(`\u001b[31m${text}\u001b[0m\r\n`),
      close: () => undefined,
    },
  });
  terminal.show();
  await until(() => vscode.window.activeTerminal === terminal);
  const selection = (): unknown => ('selection' in terminal ? terminal.selection : undefined);
  // It draws, and tells what is selected, in its own time.
  while (!String(selection()).includes(text)) {
    await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    terminal,
    dispose: () => {
      terminal.dispose();
      written.dispose();
    },
  };
}
