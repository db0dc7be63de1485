import * as vscode from 'vscode';
import { docsIssueDraft } from '../../../chat/history/docsIssue';
import { translate } from '../../notifications';
import type { ViewPorts } from './viewPorts';

/**
 * Opens a draft of an issue about what the docs don't say, as an untitled Markdown document. Asks
 * first whether to include code of the reader's. Does nothing if the reply isn't shown any more.
 */
export async function openDocsIssueDraft(
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
