/** *Add as Docs Question*: writes a question of the chat into a `docs-questions.yaml`. */
import * as vscode from 'vscode';
import type { Conversation } from '../../chat/conversation/conversation';
import { errorCodeOrName } from '../../common/errorCode';
import { addQuestion, QUESTIONS_FILE, UnreadableQuestions } from '../../questions/addQuestion';
import type { WrittenQuestion } from '../../questions/questionSchema';
import { replyQuestion, type ChatExchange } from '../../questions/replyQuestion';
import type { ActiveSite } from '../../site/activeSite';
import { plainText, say, translate } from '../notifications';
import { openDocument } from '../openDocument';
import { uriExists } from '../uriExists';
import { findQuestionFiles } from './questionFilePattern';

interface AddQuestionPorts {
  readonly site: Pick<ActiveSite, 'askSettings'>;
  readonly secrets: { readonly values: readonly string[] };
  readonly conversation: () => Promise<Conversation>;
}

/** Most files that are offered. */
const MAX_FILES = 100;

/**
 * Adds a question to the file that the reader chooses, or to the only one, and opens it there. Creates
 * the file if there is none.
 * @param argument the question with its reply. Without it, the last question of the chat, or one that
 * the reader types.
 */
export async function addDocsQuestion(argument: unknown, ports: AddQuestionPorts): Promise<void> {
  const asked = isAsked(argument) ? argument : await lastAsked(ports);
  const question = asked
    ? await replyQuestion(asked, ports.secrets.values)
    : await typedQuestion(ports);
  if (!question) return;
  const uri = await chooseFile();
  if (uri) await write(uri, [question]);
}

function isAsked(argument: unknown): argument is ChatExchange {
  return typeof argument === 'object' && argument !== null && 'reply' in argument;
}

/** Returns the last question that the panel shows, if it was answered. */
async function lastAsked({
  conversation,
  site,
}: AddQuestionPorts): Promise<ChatExchange | undefined> {
  const { shown, thread } = await conversation();
  const reply = thread.messages.findLast(
    (message) => message.role === 'assistant' && message.status === 'complete',
  );
  const exchange = reply && shown.exchange(reply.id);
  return exchange && { ...exchange, filter: site.askSettings.filter };
}

async function typedQuestion({ secrets }: AddQuestionPorts): Promise<WrittenQuestion | undefined> {
  const text = await vscode.window.showInputBox({
    title: translate('Add a Docs Question'),
    prompt: translate('Enter the question as a reader of the docs would ask it'),
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() === '') return undefined;
  const asked = { question: { text }, reply: { parts: [] }, filter: {} };
  return replyQuestion(asked, secrets.values);
}

/** Returns the file that gets questions: the only one, or the one that the reader chooses. */
export async function chooseFile(): Promise<vscode.Uri | undefined> {
  const { workspace } = vscode;
  const found = await findQuestionFiles(MAX_FILES);
  const files = found.sort((a, b) => a.path.localeCompare(b.path));
  if (files.length === 1) return files[0];
  const candidates =
    files.length > 0
      ? files
      : (workspace.workspaceFolders ?? []).map(({ uri }) =>
          vscode.Uri.joinPath(uri, QUESTIONS_FILE),
        );
  if (candidates.length === 0) {
    const open = translate('Open Folder…');
    const chosen = await vscode.window.showInformationMessage(
      translate('Docs questions are kept in a folder. Open the folder of your docs first.'),
      open,
    );
    if (chosen === open) await vscode.commands.executeCommand('workbench.action.files.openFolder');
    return undefined;
  }
  if (candidates.length === 1) return candidates[0];
  const rows = candidates.map((uri) => ({
    label: `$(beaker) ${workspace.asRelativePath(uri)}`,
    uri,
  }));
  const chosen = await vscode.window.showQuickPick(rows, {
    title: translate('Add as Docs Question'),
    placeHolder: translate('Choose the file that gets the question'),
    ignoreFocusOut: true,
  });
  return chosen?.uri;
}

/** Writes questions that are known only by their text, and opens the file at the first. */
export async function writeQuestions(uri: vscode.Uri, texts: readonly string[]): Promise<void> {
  await write(
    uri,
    texts.map((question) => ({ question })),
  );
}

async function write(uri: vscode.Uri, questions: readonly WrittenQuestion[]): Promise<void> {
  const { workspace, window } = vscode;
  const name = workspace.asRelativePath(uri);
  try {
    const isThere = openDocument(uri) !== undefined || (await uriExists(uri));
    if (!isThere) await workspace.fs.writeFile(uri, new Uint8Array());
    const document = await workspace.openTextDocument(uri);
    const wasDirty = document.isDirty;
    const before = document.getText();
    const heading = translate(
      'Questions that these docs must answer. Run them in the Test Explorer.',
    );
    let text = before;
    let first: number | undefined;
    for (const question of questions) {
      const added = addQuestion(text, question, heading);
      ({ text } = added);
      first ??= added.offset;
    }
    const isNew = text !== before;
    if (isNew) {
      const edit = changeOf(document, before, text);
      if (!(await workspace.applyEdit(edit))) throw new Error('The edit was refused');
      // Changes that the reader has not saved yet stay unsaved.
      if (!wasDirty && !(await document.save())) throw new Error('The file was not saved');
    }
    const position = document.positionAt(first ?? 0);
    const selection = new vscode.Range(position, position);
    await window.showTextDocument(document, { selection });
    if (!isNew) say(translate('This question is already there.'));
  } catch (error) {
    if (!(error instanceof UnreadableQuestions)) {
      const reason = errorCodeOrName(error);
      void window.showErrorMessage(
        plainText(translate('The question could not be written to {0}: {1}', name, reason)),
      );
      return;
    }
    const line = (error.line ?? 1) - 1;
    await window.showTextDocument(uri, { selection: new vscode.Range(line, 0, line, 0) });
    void window.showErrorMessage(
      plainText(
        translate(
          '{0} can’t be read as docs questions. Correct it, then add the question again.',
          name,
        ),
      ),
    );
  }
}

/** Returns an edit of only the part that differs, so that cursors and folds stay in place. */
function changeOf(
  document: vscode.TextDocument,
  before: string,
  after: string,
): vscode.WorkspaceEdit {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(
    document.positionAt(start),
    document.positionAt(before.length - end),
  );
  edit.replace(document.uri, range, after.slice(start, after.length - end));
  return edit;
}
