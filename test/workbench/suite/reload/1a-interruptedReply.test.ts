import assert from 'node:assert/strict';
import { citedSource, extensionApi, focusChat, replyText, whenReplyEnds } from '../../asking';
import { lastQuestion } from '../../docsService';
import { chat, takeScreenshot } from '../../pageDriver';

describe('after the reload', () => {
  it('shows what was read of the reply, says that it was interrupted, and asks again', async () => {
    await extensionApi();
    await focusChat();
    await chat.waitFor('article.question', { hasText: 'How do I create a shipment?' });
    await chat.waitFor('article.reply .status-line', { hasText: 'interrupted' });
    assert.notEqual((await chat.text(replyText)).trim(), '');
    assert.equal(await chat.count('article.reply[aria-busy="true"]'), 0);
    await takeScreenshot('interrupted-by-reload');

    await chat.click('article.reply .retry');
    await chat.waitFor('article.reply .status-line', { hasText: 'interrupted' }, 'detached');
    await chat.waitFor(citedSource, { nth: 0 });
    await whenReplyEnds();
    assert.equal(await chat.count('article.reply'), 1);
    const { body } = await lastQuestion();
    assert.deepEqual(body.context, [
      { type: 'code', value: 'const warehouse', path: 'src/createShipment.ts' },
    ]);
  });
});
