import assert from 'node:assert/strict';
import type { Thread } from '../../../src/chat/conversation/thread';
import type { ThreadStore } from '../../../src/chat/history/threadStore';
import { aContextItem, aFile, aQuestion, aReply, aThread } from '../../builders/asking';

/** A store under test, and what a test can ask about it. */
export interface StoreUnderTest {
  readonly store: ThreadStore;
  /** The store of another window on the same threads. */
  readonly another: () => ThreadStore;
  /** Puts something into the place of the thread's record, as another version would have. */
  readonly corrupt: (id: string, record: unknown) => void | Promise<void>;
}

const docs = { id: 'https://api.example.com docs', label: 'docs' };
const never = new AbortController().signal;

/** Tests the promises of every {@link ThreadStore}, for the real one and for the fake. */
export function threadStoreContract(
  name: string,
  create: () => StoreUnderTest | Promise<StoreUnderTest>,
): void {
  describe(`${name} as a ThreadStore`, () => {
    it('gives back a thread as it was written, in all its fields', async () => {
      const { store, another } = await create();
      const thread = aThreadWithEverything();
      await store.write(thread);
      assert.deepEqual(await store.read(thread.id), thread);
      assert.deepEqual(await another().read(thread.id), thread);
    });

    it('knows no thread that was never written', async () => {
      const { store } = await create();
      assert.equal(await store.read('t1'), undefined);
      assert.equal(await store.currentId(), undefined);
      assert.deepEqual(await store.list(''), []);
      assert.deepEqual(await store.search('', 'How', never), []);
      await store.rename('t1', 'Other');
      await store.delete('t1');
      assert.equal(await store.restore('t1'), false);
    });

    it('keeps the last of several states of a thread', async () => {
      const { store } = await create();
      await store.write(aThread({ title: 'before' }));
      await store.write(aThread({ title: 'after' }));
      assert.equal((await store.read('t1'))?.title, 'after');
      assert.equal((await store.list('')).length, 1);
    });

    it('lists threads by their last change, newest first', async () => {
      const { store } = await create();
      await store.write(aThread({ id: 'old', updatedAt: '2025-01-01T00:00:00.000Z' }));
      await store.write(aThread({ id: 'new', updatedAt: '2025-03-01T00:00:00.000Z' }));
      await store.write(aThread({ id: 'mid', updatedAt: '2025-02-01T00:00:00.000Z' }));
      assert.deepEqual(await idsOf(store), ['new', 'mid', 'old']);
    });

    it('lists and searches the threads of one site alone', async () => {
      const { store } = await create();
      const other = { ...docs, id: 'https://api.example.com other' };
      await store.write(aThread({ id: 'a', site: docs }));
      await store.write(aThread({ id: 'b', site: other }));
      await store.write(aThread({ id: 'c' }));
      assert.deepEqual(await idsOf(store, docs.id), ['a']);
      assert.deepEqual(await idsOf(store, other.id), ['b']);
      assert.deepEqual(await idsOf(store, ''), ['c']);
      const found = await store.search(docs.id, 'how', never);
      assert.deepEqual(
        found.map(({ id }) => id),
        ['a'],
      );
    });

    it('tells the title, the time and the number of messages of each', async () => {
      const { store } = await create();
      const { id, title, updatedAt } = aThread();
      await store.write(aThread());
      assert.deepEqual(await store.list(''), [{ id, title, updatedAt, messageCount: 2 }]);
    });

    it('finds threads by words of their title and of the messages of any branch', async () => {
      const { store } = await create();
      await store.write(
        aThread({
          title: 'Tokens',
          messages: [aQuestion({ text: 'Where is it?' }), aReply({ parentId: 'q1' })],
          others: [aReply({ id: 'r0', parentId: 'q1', parts: [{ type: 'text', text: 'Hidden' }] })],
        }),
      );
      await store.write(aThread({ id: 't2', title: 'Else' }));
      for (const query of ['token', 'WHERE hidden', ' so. ']) {
        const [match, ...more] = await store.search('', query, never);
        assert.equal(match?.id, query === ' so. ' ? 't2' : 't1', query);
        assert.equal(more.length, query === ' so. ' ? 1 : 0, query);
      }
      assert.deepEqual(await store.search('', 'where nowhere', never), []);
      const [{ excerpt } = {}] = await store.search('', 'hidden', never);
      assert.deepEqual(excerpt, { text: 'Hidden', matches: [{ start: 0, end: 6 }] });
    });

    it('gives a search up when nobody waits for it any more', async () => {
      const { store } = await create();
      await store.write(aThread());
      await assert.rejects(store.search('', 'how', AbortSignal.abort()), { name: 'AbortError' });
    });

    it('renames a thread without changing its place in the list', async () => {
      const { store } = await create();
      await store.write(aThread({ id: 'old', updatedAt: '2025-01-01T00:00:00.000Z' }));
      await store.write(aThread({ id: 'new', updatedAt: '2025-03-01T00:00:00.000Z' }));
      await store.rename('old', 'Named');
      const [, old] = await store.list('');
      assert.deepEqual([old?.id, old?.title], ['old', 'Named']);
      assert.equal((await store.read('old'))?.title, 'Named');
    });

    it('keeps a new title when a window goes on writing the thread under the old one', async () => {
      const { store, another } = await create();
      await store.write(aThread());
      await another().rename('t1', 'Named');
      await store.write(aThread({ messages: [...aThread().messages, aQuestion({ id: 'q2' })] }));
      const thread = await store.read('t1');
      assert.deepEqual([thread?.title, thread?.messages.length], ['Named', 3]);
    });

    it('leaves a deleted thread out, and brings all of it back', async () => {
      const { store, another } = await create();
      const thread = aThreadWithEverything();
      await store.write(thread);
      await store.delete(thread.id);
      assert.equal(await store.read(thread.id), undefined);
      assert.deepEqual(await store.list(docs.id), []);
      assert.deepEqual(await store.search(docs.id, 'how', never), []);
      assert.equal(await another().restore(thread.id), true);
      assert.deepEqual(await store.read(thread.id), thread);
    });

    it('remembers which thread was shown last', async () => {
      const { store } = await create();
      await store.setCurrentId('a');
      await store.setCurrentId('b');
      assert.equal(await store.currentId(), 'b');
    });

    it('does not change what it has when the writer goes on', async () => {
      const { store } = await create();
      const messages = [aQuestion()];
      const writing = store.write(aThread({ messages }));
      messages.pop();
      await writing;
      assert.equal((await store.read('t1'))?.messages.length, 1);
    });

    it('keeps what two windows ask in one thread, as branches', async () => {
      const { store, another } = await create();
      const other = another();
      await store.write(aThread());
      assert.ok(await other.read('t1'));
      const asked = (id: string) => aQuestion({ id, parentId: 'r1', text: id });
      await store.write(aThread({ messages: [...aThread().messages, asked('mine')] }));
      await other.write(aThread({ messages: [...aThread().messages, asked('theirs')] }));
      const thread = await store.read('t1');
      assert.deepEqual(thread?.messages, [...aThread().messages, asked('theirs')]);
      assert.deepEqual(thread.others, [asked('mine')]);
    });

    it('prefers a reply that ended to what another window knows of it', async () => {
      const { store, another } = await create();
      const reply = (text: string, status: 'streaming' | 'complete' | 'interrupted') =>
        aThread({
          messages: [aQuestion(), aReply({ parts: [{ type: 'text', text }], status })],
        });
      await store.write(reply('Begun', 'streaming'));
      const other = another();
      await other.read('t1');
      await store.write(reply('Begun and ended.', 'complete'));
      await other.write(reply('Begun', 'interrupted'));
      for (const window of [store, other, another()]) {
        const message = (await window.read('t1'))?.messages[1];
        assert.equal(message?.role === 'assistant' && message.status, 'complete');
      }
    });

    it('forgets a message that its window replaced', async () => {
      const { store } = await create();
      await store.write(aThread());
      await store.write(aThread({ messages: [aQuestion(), aReply({ id: 'r2', parentId: 'q1' })] }));
      const thread = await store.read('t1');
      assert.deepEqual(
        thread?.messages.map(({ id }) => id),
        ['q1', 'r2'],
      );
      assert.equal(thread.others, undefined);
    });

    for (const [what, record] of [
      ['of a newer version', { ...aThread(), schemaVersion: 2 }],
      ['without a version', aThread()],
      ['without its messages', { schemaVersion: 1, id: 't1', title: '' }],
      ['that is no object', 'x'],
      ['that is null', null],
    ] as const) {
      it(`leaves out a record ${what} and keeps the others`, async () => {
        const { store, another, corrupt } = await create();
        await store.write(aThread({ id: 'other' }));
        await store.write(aThread());
        await corrupt('t1', record);
        const later = another();
        assert.equal(await later.read('t1'), undefined);
        assert.deepEqual(await idsOf(later), ['other']);
        assert.equal((await later.search('', 'how', never)).length, 1);
      });
    }
  });
}

async function idsOf(store: ThreadStore, siteId = ''): Promise<string[]> {
  return (await store.list(siteId)).map(({ id }) => id);
}

function aThreadWithEverything(): Thread {
  return aThread({
    site: docs,
    serviceThread: {
      origin: 'https://api.example.com',
      domain: 'acme',
      threadId: 'service-1',
      hasKey: true,
    },
    messages: [
      aQuestion({
        files: [aFile(), aFile({ id: 'f2', url: 'data:text/plain;base64,' })],
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
        parentId: 'q1',
        status: 'failed',
        notice: 'A notice.',
        error: { code: 'rate-limited', message: 'Wait.', actions: ['retry'], retryAt: 5 },
        quotes: { s1: 'Quoted.' },
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
          { type: 'text', text: '世界 👩‍👩‍👧‍👦 \ud800' },
        ],
      }),
    ],
    others: [
      aQuestion({ id: 'q0', text: 'How before?', files: [aFile()] }),
      aReply({ id: 'r0', parentId: 'q1' }),
    ],
  });
}
