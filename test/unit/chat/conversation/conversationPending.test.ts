import assert from 'node:assert/strict';
import { aContextItem, aFile } from '../../../builders/asking';
import { settled } from '../../../fakes/fakeClock';
import { complete, followed, openWindow } from './conversationWindow';

describe('Conversation', () => {
  describe('what waits for the next question', () => {
    it('goes along with it: items, files and the page that a link named', async () => {
      const { conversation, client, ask, events } = await openWindow();
      conversation.pending.addContextItems([aContextItem()]);
      conversation.pending.addFile(aFile());
      conversation.pending.setPage('linked/page');
      assert.deepEqual(
        [conversation.pending.draft.files, conversation.pending.view.page],
        [[aFile()], '/linked/page'],
      );
      await ask();
      const question = client.last().messages[0];
      assert.deepEqual(question?.role === 'user' && question.files, [aFile()]);
      assert.equal(client.last().currentPath, '/linked/page');
      assert.deepEqual(conversation.pending.view, { items: [] });
      assert.deepEqual(followed(events), conversation.thread);
      const { url: _url, ...view } = aFile();
      const shown = conversation.thread.messages[0];
      assert.deepEqual(shown?.role === 'user' && shown.files, [view]);
      await client.say(complete);
      await ask('And?');
      assert.equal(client.last().currentPath, 'guides/start');
    });

    it('narrows that question alone to a package, also when it is edited or asked again', async () => {
      const { conversation, client, ask } = await openWindow();
      conversation.pending.setPackage('@acme/sdk');
      assert.equal(conversation.pending.view.package, '@acme/sdk');
      assert.equal((await conversation.requestFor('How?')).package, '@acme/sdk');
      await ask();
      assert.equal(client.last().package, '@acme/sdk');
      assert.equal(conversation.pending.view.package, undefined);
      const [question, reply] = conversation.thread.messages;
      assert.equal(question?.role === 'user' && question.package, '@acme/sdk');
      await client.say(complete);
      conversation.retry(reply?.id ?? '');
      await settled();
      assert.equal(client.last().package, '@acme/sdk');
      await client.say(complete);
      conversation.editQuestion(question?.id ?? '', 'Why?');
      await settled();
      assert.equal(client.last().package, '@acme/sdk');
      await client.say(complete);
      await ask('And?');
      assert.equal(client.last().package, undefined);
    });

    it('stays while a question is refused, and when another thread is shown', async () => {
      const { conversation } = await openWindow();
      conversation.pending.addFile(aFile());
      conversation.pending.setPage('linked/page');
      assert.throws(() => conversation.submit(' '), { code: 'empty-question' });
      conversation.startThread();
      assert.equal(conversation.pending.draft.files.length, 1);
      assert.equal(conversation.pending.view.page, '/linked/page');
    });

    it('comes back after a reload', async () => {
      const first = await openWindow();
      first.conversation.pending.addContextItems([aContextItem()]);
      first.conversation.pending.addFile(aFile());
      first.conversation.pending.setPage('linked/page');
      first.conversation.pending.setPackage('next');
      await first.conversation.flush();
      const second = await openWindow({ draft: first.draft });
      await second.conversation.restore();
      assert.deepEqual(second.conversation.pending.view, first.conversation.pending.view);
      assert.deepEqual(second.conversation.contextItem('c1'), aContextItem());
    });
  });

  describe('context items', () => {
    it('are added once and removed by id', async () => {
      const { conversation, events } = await openWindow();
      conversation.pending.addContextItems([aContextItem()]);
      conversation.pending.addContextItems([
        aContextItem({ id: 'same' }),
        aContextItem({ id: 'c2', value: 'other' }),
      ]);
      assert.deepEqual(
        conversation.pending.draft.contextItems.map(({ id }) => id),
        ['c1', 'c2'],
      );
      conversation.pending.removeContextItem('c1');
      conversation.pending.removeContextItem('unknown');
      const told = events.filter(({ name }) => name === 'context-items');
      assert.equal(told.length, 3);
      assert.doesNotMatch(JSON.stringify(told), /let a = 1/);
    });
  });
});
