import assert from 'node:assert/strict';
import type { Proof } from '../../../../src/shared/proof';
import { settled } from '../../../fakes/fakeClock';
import { complete, followed, openWindow, text } from './conversationWindow';

const proof: Proof = {
  statements: 1,
  found: 0,
  unproven: [{ quote: 'It is 5.', reason: 'number', missing: ['5'], sourceId: 's' }],
  docs: { id: 'set-1', label: 'acme docs', fetchedAt: 5 },
};
const own: Proof = { statements: 2, found: 2, unproven: [] };

/** Opens a window whose comparisons end when the test says so. */
async function openProving() {
  const compared: { readonly replyId: string; readonly end: (proof?: Proof) => Promise<void> }[] =
    [];
  const window = await openWindow({
    proveReply: ({ id }) =>
      new Promise((resolve) => {
        const end = async (found?: Proof): Promise<void> => {
          resolve(found);
          await settled();
        };
        compared.push({ replyId: id, end });
      }),
  });
  const proofs = () => window.reply().parts.filter(({ type }) => type === 'proof');
  return { ...window, compared, proofs };
}

describe('A reply that is compared with kept docs', () => {
  it('is complete before the comparison, then has it in the thread, the view and the store', async () => {
    const { ask, client, compared, conversation, events, proofs, reply, threads } =
      await openProving();
    const id = await ask();
    await client.say({ parts: [text('It is 5.')] }, complete);
    assert.equal(reply().status, 'complete');
    assert.equal(conversation.isReplyRunning, false);
    assert.deepEqual(proofs(), []);

    await compared[0]?.end(proof);
    assert.deepEqual(reply().parts, [text('It is 5.'), { type: 'proof', ...proof }]);
    assert.deepEqual(followed(events), conversation.thread);
    await conversation.flush();
    const later = await openWindow({ stored: threads, name: 'later' });
    await later.conversation.restore();
    assert.equal(later.reply().id, id);
    assert.deepEqual(later.reply().parts.at(-1), { type: 'proof', ...proof });
  });

  it('stays as it is if nothing was compared', async () => {
    const { ask, client, compared, events, reply } = await openProving();
    await ask();
    await client.say({ parts: [text('It is 5.')] }, complete);
    const before = events.length;
    await compared[0]?.end(undefined);
    assert.equal(events.length, before);
    assert.deepEqual(reply().parts, [text('It is 5.')]);
  });

  it('keeps the proof of its own service', async () => {
    const { ask, client, compared, proofs } = await openProving();
    await ask();
    await client.say({ parts: [text('It is 5.'), { type: 'proof', ...own }] }, complete);
    assert.equal(compared.length, 0);
    assert.deepEqual(proofs(), [{ type: 'proof', ...own }]);
  });

  it('is not compared if it is stopped or fails', async () => {
    const { ask, client, compared, conversation } = await openProving();
    const id = await ask();
    await client.say({ parts: [text('It is')] });
    conversation.stop(id);
    await ask();
    await client.say({ parts: [text('It is')] }, new Error('broken'));
    assert.equal(compared.length, 0);
  });

  it('gets its proof while the next reply runs, and leaves another thread alone', async () => {
    const { ask, client, compared, conversation, reply } = await openProving();
    await ask();
    await client.say({ parts: [text('It is 5.')] }, complete);
    await ask('And?');
    await client.say({ parts: [text('Six')] });
    await compared[0]?.end(proof);
    assert.equal(reply(2).parts.at(-1)?.type, 'proof');
    assert.deepEqual(reply().parts, [text('Six')]);
    await client.say({ parts: [text('Six.')] }, complete);
    conversation.startThread();
    await compared[1]?.end(proof);
    assert.deepEqual(conversation.thread.messages, []);
  });

  it('is not lost if the comparison breaks', async () => {
    const { ask, client, conversation, log, reply } = await openWindow({
      proveReply: () => Promise.reject(new TypeError('broken')),
    });
    await ask();
    await client.say({ parts: [text('It is 5.')] }, complete);
    assert.equal(reply().status, 'complete');
    assert.equal(conversation.isReplyRunning, false);
    assert.equal(log.errors.length, 1);
  });
});
