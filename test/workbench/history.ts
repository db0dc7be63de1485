/** Uses earlier threads as a person does. */
import { chat, otherChat, otherWorkbench, workbench, type Surface } from './pageDriver';

export const historySearch = '.history-search';
export const historyRow = '.history-row';

/** Clicks an action in the title of the chat's view, where it shows under the pointer. */
export async function clickTitleAction(icon: 'add' | 'history', view: Surface): Promise<void> {
  const window = view === otherChat ? otherWorkbench : workbench;
  await window.hover('.pane-header:has(.codicon-history)');
  await window.click(`.pane-header .action-label.codicon-${icon}`);
}

/** Opens the history over the thread, if it is not there already. */
export async function openHistory(view: Surface = chat): Promise<void> {
  await clickTitleAction('history', view);
  await view.waitFor(historySearch);
  await view.waitFor(historyRow, { nth: 0 });
}

/** Shows an earlier thread by its first question. */
export async function openThread(question: string, view: Surface = chat): Promise<void> {
  await openHistory(view);
  await view.click(historyRow, { hasText: question, nth: 0 });
  await view.waitFor(historySearch, {}, 'hidden');
  // The thread itself builds only the messages near the view.
  await view.waitFor('.thread-title', { hasText: question }, 'attached');
  await view.waitFor('article.reply', { nth: 0 });
}
