import * as vscode from 'vscode';
import { docsIssueDraft } from '../../../chat/history/docsIssue';
import { conversationHandlers } from '../../../chat/view/conversationHandlers';
import type { ViewHandlers } from '../../../chat/view/viewChannel';
import { DocsAssistantError } from '../../../common/errors';
import { errorActions, showError } from '../../errorActions';
import { translate } from '../../notifications';
import { revealContextItem } from '../editorSelection';
import { exportThread } from '../saveFiles';
import { attachmentHandlers } from './attachmentHandlers';
import { codeHandlers } from './codeHandlers';
import { RequestDocuments } from './requestDocuments';
import { sourceHandlers } from './sourceHandlers';
import type { ViewPorts } from './viewPorts';

/** Returns the host's handler for each request of the webview. */
export function viewHandlers(ports: ViewPorts): ViewHandlers {
  const { conversation, codeThemes, clock, log } = ports;
  const requestDocuments = new RequestDocuments(ports);
  /** Shows the error of work that isn't awaited, because a dialog that waits must not keep the request open. */
  const orShow = (work: Promise<void>): void => {
    work.catch((error: unknown) => void showError(error, log));
  };
  return {
    ...conversationHandlers(conversation, ports.resumeDocs),
    ...sourceHandlers(ports),
    ...codeHandlers(ports),
    ...attachmentHandlers(ports),
    'context-item-reveal': async ({ itemId }) => {
      const item = conversation.contextItem(itemId);
      if (item) await revealContextItem(item);
    },
    'thread-export': async ({ threadId }) => {
      const thread = await conversation.storedThread(threadId);
      if (!thread) throw new DocsAssistantError('thread-gone');
      orShow(exportThread(thread, { clock, log }));
    },
    'request-show': ({ text }) => orShow(requestDocuments.show(text)),
    'writer-choose': ({ writer }) => orShow(ports.chooseWriter(writer)),
    'kept-docs-ask': ({ messageId }) => orShow(askKeptDocs(messageId, ports)),
    'docs-issue-draft': ({ messageId }) => orShow(openDocsIssueDraft(messageId, ports)),
    'docs-question-add': ({ messageId }) => orShow(ports.addDocsQuestion(messageId)),
    'code-theme': async () => (await codeThemes.view()) ?? null,
    'action-run': ({ action }) => {
      // Not awaited, because prompts that wait for the user must not keep the request open.
      void vscode.commands.executeCommand(errorActions[action].command);
    },
    'view-log': ({ level, text }) => log[level](`Chat view: ${text}`),
  };
}

/** Asks the question of a failed reply again, from the kept docs that its error names. */
async function askKeptDocs(replyId: string, { conversation, serveSet }: ViewPorts): Promise<void> {
  const { question, reply } = conversation.shown.exchange(replyId) ?? {};
  const setId = reply?.error?.keptDocs?.id;
  if (!question || setId === undefined) return;
  if (conversation.isReplyRunning) throw new DocsAssistantError('reply-running');
  if (await serveSet(setId)) conversation.askAnew(question);
}

/**
 * Opens a draft of an issue about what the docs don't say, as an untitled Markdown document. Asks
 * first whether to include code of the reader's. Does nothing if the reply isn't shown any more.
 */
async function openDocsIssueDraft(
  replyId: string,
  { conversation, site }: Pick<ViewPorts, 'conversation' | 'site'>,
): Promise<void> {
  const exchange = conversation.shown.exchange(replyId);
  if (!exchange) return;
  // The settings can change while the question below waits for an answer.
  const { filter } = site.askSettings;
  const docs = site.local?.label ?? site.view.label;
  const includesSelections =
    exchange.question.contextItems.length > 0 ? await askAboutSelections() : false;
  if (includesSelections === undefined) return;
  const content = docsIssueDraft({ ...exchange, docs, filter, includesSelections }, translate);
  const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
  await vscode.window.showTextDocument(document);
}

/** @returns undefined if the person canceled. */
async function askAboutSelections(): Promise<boolean | undefined> {
  const choices = [
    {
      label: translate('Leave It Out'),
      detail: translate('The draft names the file and the lines only.'),
      isIncluded: false,
    },
    {
      label: translate('Include the Selection'),
      detail: translate('Review it in the draft before you share the issue.'),
      isIncluded: true,
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: translate('Draft a Docs Issue'),
    placeHolder: translate('Include the code that your question was about?'),
    ignoreFocusOut: true,
  });
  return chosen?.isIncluded;
}
