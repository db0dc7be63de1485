import assert from 'node:assert/strict';
import {
  extensionApi,
  questionBox,
  startAfresh,
  untilInComposer,
  whenReplyEnds,
} from '../../asking';
import { docsService, lastQuestion } from '../../docsService';
import { clearNotifications, whenNotified } from '../../exporting';
import { chat } from '../../pageDriver';

describe('a link to the extension', () => {
  beforeEach(startAfresh);

  const follow = async (query: string, path = '/ask'): Promise<void> => {
    const { openLink } = await extensionApi();
    await openLink({ path, query });
  };

  it('fills question and page in, and sends them only when a person does', async () => {
    const before = (await docsService.exchanges()).length;
    await untilInComposer(() => follow('q=How do I create a shipment?&path=/guides/shipments'));
    await chat.waitFor('.composer .attachments .chip', { hasText: '/guides/shipments' });
    assert.equal(await chat.inputValue(questionBox), 'How do I create a shipment?');
    assert.equal(await chat.count('article.question'), 0);
    assert.equal((await docsService.exchanges()).length, before);

    await chat.press(questionBox, 'Enter');
    await whenReplyEnds();
    assert.equal((await lastQuestion()).body.currentPath, '/guides/shipments');
    assert.equal(await chat.count('.composer .attachments .chip'), 0);
  });

  it('keeps what was typed before, and the page can be taken out again', async () => {
    await chat.fill(questionBox, 'My own words');
    await untilInComposer(() => follow('q=And a link&path=/guides/start'));
    await chat.waitFor('.composer .attachments .chip');
    assert.equal(await chat.inputValue(questionBox), 'My own words\n\nAnd a link');
    await chat.click('.composer .attachments .chip-remove');
    await chat.waitFor('.composer .attachments .chip', {}, 'detached');
    const { snapshot } = await extensionApi();
    assert.equal(snapshot().page, undefined);
  });

  for (const [what, query, path] of [
    ['another path', 'q=Why', '/run'],
    ['no question', '', '/ask'],
    ['a page elsewhere', 'q=Why&path=https://evil.example/x', '/ask'],
    ['a path that climbs', 'q=Why&path=/../../etc/passwd', '/ask'],
  ] as const) {
    it(`says that it does nothing for ${what}, and changes nothing`, async () => {
      await clearNotifications();
      await chat.fill(questionBox, 'My own words');
      await follow(query, path);
      await whenNotified('This link');
      assert.equal(await chat.inputValue(questionBox), 'My own words');
      const { snapshot } = await extensionApi();
      assert.equal(snapshot().page, undefined);
    });
  }
});
