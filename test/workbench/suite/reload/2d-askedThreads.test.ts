import { ask, extensionApi, newThread, startAfresh, whenOnDisk } from '../../asking';
import { historyRow, openHistory } from '../../history';
import { chat, pressKey, typeText } from '../../pageDriver';

describe('threads that are there when the window is reloaded', () => {
  before(startAfresh);

  it('are two, one of them with a name of its own', async () => {
    await ask('How do I create a shipment, step by step?');
    await newThread();
    await chat.waitFor('article.question', { hasText: 'step by step' }, 'detached');
    await ask('Which rate limits are there?');
    await openHistory();
    await chat.focus(historyRow, { hasText: 'Which rate limits', nth: 0 });
    await pressKey('F2');
    await typeText('Limits, renamed');
    await pressKey('Enter');
    await chat.waitFor(historyRow, { hasText: 'Limits, renamed' });
    await (await extensionApi()).flush();
    const shown = (await extensionApi()).snapshot().thread.id;
    await whenOnDisk(shown);
  });
});
