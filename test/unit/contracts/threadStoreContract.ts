import assert from 'node:assert/strict';
import type { ThreadStore } from '../../../src/assistant/threadStore';
import { aContextItem, aQuestion, aReply, aThread } from '../../builders/asking';

/** What a store under test can be asked for beside its own methods. */
export interface StoreUnderTest {
  readonly store: ThreadStore;
  /** Puts something into the place of the thread's record, as another version would have. */
  readonly corrupt: (id: string, record: unknown) => void | Promise<void>;
}

/** What every {@link ThreadStore} promises: run for the real ones and for the fake. */
export function threadStoreContract(name: string, create: () => StoreUnderTest): void {
  describe(`${name} as a ThreadStore`, () => {
    it('gives back a thread as it was written, in all its fields', async () => {
      const { store } = create();
      const thread = aThread({
        serviceThread: {
          origin: 'https://api.example.com',
          domain: 'acme',
          threadId: 'service-1',
          hasKey: true,
        },
        messages: [
          aQuestion({
            contextItems: [
              aContextItem({
                elementId: 'cell',
                startLine: 1,
                endLine: 2,
                target: {
                  uri: 'file:///a.ts',
                  startLine: 0,
                  startCharacter: 1,
                  endLine: 1,
                  endCharacter: 0,
                },
              }),
            ],
          }),
          aReply({
            status: 'failed',
            notice: 'A notice.',
            error: { code: 'rate-limited', message: 'Wait.', actions: ['retry'], retryAt: 5 },
            parts: [
              { type: 'step-start' },
              { type: 'reasoning', text: 'Hm.' },
              {
                type: 'search',
                toolCallId: 's',
                toolName: 'search',
                state: 'done',
                query: 'q',
                resultCount: 2,
              },
              { type: 'source-url', sourceId: 's1', url: 'https://docs.example.com/', title: 'T' },
              { type: 'file', mediaType: 'image/png', url: 'data:,', filename: 'a.png' },
              { type: 'text', text: '世界 👩‍👩‍👧‍👦' },
            ],
          }),
        ],
      });
      await store.write(thread);
      assert.deepEqual(await store.read(thread.id), thread);
    });

    it('knows no thread that was never written', async () => {
      const { store } = create();
      assert.equal(await store.read('t1'), undefined);
      assert.equal(await store.currentId(), undefined);
      assert.deepEqual(await store.list(''), []);
    });

    it('keeps the last of several states of a thread', async () => {
      const { store } = create();
      await store.write(aThread({ title: 'before' }));
      await store.write(aThread({ title: 'after' }));
      assert.equal((await store.read('t1'))?.title, 'after');
      assert.equal((await store.list('')).length, 1);
    });

    it('lists threads by their last change, newest first', async () => {
      const { store } = create();
      await store.write(aThread({ id: 'old', updatedAt: '2025-01-01T00:00:00.000Z' }));
      await store.write(aThread({ id: 'new', updatedAt: '2025-03-01T00:00:00.000Z' }));
      await store.write(aThread({ id: 'mid', updatedAt: '2025-02-01T00:00:00.000Z' }));
      assert.deepEqual(
        (await store.list('')).map(({ id }) => id),
        ['new', 'mid', 'old'],
      );
    });

    it('remembers which thread was shown last', async () => {
      const { store } = create();
      await store.setCurrentId('a');
      await store.setCurrentId('b');
      assert.equal(await store.currentId(), 'b');
    });

    it('does not change what it has when the writer goes on', async () => {
      const { store } = create();
      const messages = [aQuestion()];
      await store.write(aThread({ messages }));
      messages.pop();
      assert.equal((await store.read('t1'))?.messages.length, 1);
    });

    for (const [what, record] of [
      ['of a newer version', { ...aThread(), schemaVersion: 2 }],
      ['without a version', aThread()],
      ['without its messages', { schemaVersion: 1, id: 't1', title: '' }],
      ['that is no object', 'x'],
      ['that is null', null],
    ] as const) {
      it(`leaves out a record ${what} and keeps the others`, async () => {
        const { store, corrupt } = create();
        await store.write(aThread({ id: 'other' }));
        await store.write(aThread());
        await corrupt('t1', record);
        assert.equal(await store.read('t1'), undefined);
        assert.deepEqual(
          (await store.list('')).map(({ id }) => id),
          ['other'],
        );
      });
    }
  });
}
