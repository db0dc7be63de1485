import assert from 'node:assert/strict';
import type { ModelOfferView } from '../../../../src/shared/protocol';
import { settled } from '../../../fakes/fakeClock';
import { complete, followed, openWindow, text } from './conversationWindow';

const offer: ModelOfferView = {
  text: 'GPT can write the reply.',
  choices: [
    { writer: 'vscode', label: 'Answer with GPT' },
    { writer: 'quotes', label: 'Quotes only' },
  ],
};

/** Opens a window that offers a model before each question, until the test settles the offer. */
async function offering() {
  let settle = (): void => undefined;
  const window = await openWindow({
    offerModels: async (show, signal) => {
      show(offer);
      try {
        await new Promise<void>((resolve, reject) => {
          settle = resolve;
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      } finally {
        show(undefined);
      }
    },
  });
  return {
    ...window,
    settle: async () => {
      settle();
      await settled();
    },
  };
}

describe('Conversation', () => {
  describe('a question that waits for the offer of a model', () => {
    it('is shown with the offer in the place of its reply, and not sent', async () => {
      const { conversation, client, ask, events, reply } = await offering();
      await ask();
      assert.deepEqual(client.asked, []);
      assert.deepEqual(reply().offer, offer);
      assert.equal(reply().status, 'waiting');
      assert.deepEqual(followed(events), conversation.thread);
    });

    it('is sent once the offer is settled, and its reply has no offer', async () => {
      const { conversation, client, ask, events, reply, settle } = await offering();
      await ask();
      await settle();
      assert.equal(client.asked.length, 1);
      assert.equal(reply().offer, undefined);
      await client.say({ parts: [text('So.')] }, complete);
      assert.equal(reply().status, 'complete');
      assert.deepEqual(followed(events), conversation.thread);
    });

    it('is never sent if it is stopped', async () => {
      const { conversation, client, ask, events, reply, settle } = await offering();
      conversation.stop(await ask());
      await settle();
      assert.deepEqual(client.asked, []);
      assert.deepEqual([reply().status, reply().offer], ['stopped', undefined]);
      assert.deepEqual(followed(events), conversation.thread);
    });

    it('is stored without the offer, and is interrupted in another window', async () => {
      const { conversation, threads, ask } = await offering();
      await ask();
      await conversation.flush();
      const later = await openWindow({ stored: threads, name: 'later' });
      await later.conversation.restore();
      assert.equal(later.reply().status, 'interrupted');
      assert.ok(!JSON.stringify(await threads.read(conversation.thread.id)).includes('offer'));
    });
  });
});
