import * as vscode from 'vscode';
import type { Conversation } from '../assistant/conversation';
import { parseAskLink, type AskLinkProblem } from '../context/askLink';
import type { ChatView } from './chatView';
import { translate } from './notifications';

interface AskLinkPorts {
  readonly conversation: Pick<Conversation, 'setPage'>;
  readonly chat: Pick<ChatView, 'focusComposer'>;
}

/** Sentences for a link that does nothing. They repeat nothing of the link, which is anyone's. */
const problems: Record<AskLinkProblem, string> = {
  'unknown-path': 'This link asks Docs Assistant for something that it does not do.',
  'nothing-to-ask': 'This link names neither a question nor a page, so there is nothing to ask.',
  'bad-page': 'This link does not name a page of a docs site, so nothing was filled in.',
};

/**
 * Follows a link to this extension: puts its question into the composer, below what is there, and
 * its page beside. It sends nothing, runs nothing and changes no setting; a person does the rest.
 *
 * @param link path and query as a `vscode.Uri` has them, decoded.
 */
export async function followAskLink(
  { conversation, chat }: AskLinkPorts,
  link: { readonly path: string; readonly query: string },
): Promise<void> {
  const parsed = parseAskLink(link);
  if ('problem' in parsed) {
    void vscode.window.showWarningMessage(translate(problems[parsed.problem]));
    return;
  }
  const { question, page, isCut } = parsed;
  if (page !== undefined) conversation.setPage(page);
  await chat.focusComposer(question === '' ? undefined : question);
  if (isCut) {
    void vscode.window.showInformationMessage(
      translate('The question of this link was too long, so its end was left out.'),
    );
  }
}
