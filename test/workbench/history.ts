/** What a person does with earlier threads. */
import { chat } from './pageDriver';

export const historySearch = '.history-search';
export const historyRow = '.history-row';

/** Opens the history over the thread, if it is not there already. */
export async function openHistory(): Promise<void> {
  if ((await chat.attribute('.show-history', 'aria-expanded')) !== 'true') {
    await chat.click('.show-history');
  }
  await chat.waitFor(historySearch);
  await chat.waitFor(historyRow, { nth: 0 });
}
