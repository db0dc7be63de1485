/** Uses a second window of the same folder as a person does. */
import { questionBox } from './asking';
import { clickTitleAction } from './history';
import { openWindow, otherChat, otherWorkbench, type Surface } from './pageDriver';

const webview = 'iframe.webview[src*="extensionId=docs-assistant.docs-assistant"]';
const chatIcon = '.activitybar .action-item:has(.action-label[aria-label="Docs Assistant"])';

/** Opens the second window, with an empty thread in front. */
export async function openOtherWindow(): Promise<void> {
  await openWindow();
  await otherWorkbench.waitFor(chatIcon);
  // A window that is still starting may not take the click, or may show the chat by itself.
  while ((await otherWorkbench.count(webview)) === 0) {
    if ((await otherWorkbench.count(`${chatIcon}:not(.checked)`)) > 0) {
      await otherWorkbench.click(chatIcon);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await otherChat.waitFor(questionBox);
  // It begins with the thread that the folder showed last.
  await startThreadIn(otherChat);
}

/** Shows an empty thread in one of the windows. */
export async function startThreadIn(view: Surface): Promise<void> {
  const empty = '.empty-state .suggestion:visible';
  await view.waitFor(`${empty}, article.reply:visible`, { nth: 0 });
  if ((await view.count(empty)) === 0) await clickTitleAction('add', view);
  await view.waitFor(empty, { nth: 0 });
}
