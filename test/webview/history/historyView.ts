/** The history over the chat, as the tests of it open it and find things in it. */
import type { HistoryEntry } from '../../../src/shared/protocol';
import { aHistory, aQuestion, aReply, aView } from '../thread/conversations';
import type { OpenView, ViewTester } from '../harness';

export const search = (view: OpenView) => view.page.getByRole('searchbox');
export const rows = (view: OpenView) => view.page.getByRole('treeitem');
export const row = (view: OpenView, title: string | RegExp) =>
  view.page.getByRole('treeitem', { name: title });
export const titles = (view: OpenView) => view.page.locator('.history-title').allTextContents();

/** Shows the history as the command in the view's title does. */
export async function showHistory(view: OpenView): Promise<void> {
  await view.host.emit('overlay-show', { overlay: 'history' });
}

/** Opens the chat with a thread, and the history over it. */
export async function openHistory(
  tester: Pick<ViewTester, 'open'>,
  history: readonly HistoryEntry[] = aHistory(),
): Promise<OpenView> {
  const view = await tester.open(aView({ messages: [aQuestion(), aReply()] }), {
    prepare: (host) => {
      host.history = history;
    },
  });
  await showHistory(view);
  await search(view).waitFor();
  await view.until(
    () => search(view).evaluate((box) => box === document.activeElement),
    'the focus in the search box',
  );
  if (history.length > 0) await rows(view).first().waitFor();
  return view;
}
