import assert from 'node:assert/strict';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { allMessages } from '../../../../src/chat/history/threadRecord';
import type { ThreadFiles } from '../../../../src/chat/history/threadFiles';
import type { Reply, Thread, ThreadMessage } from '../../../../src/chat/conversation/thread';
import { aFile, aQuestion, aReply, aThread } from '../../../builders/asking';
import { filesIn, useThreadFolders } from './threadFolder';

/** Returns a source of numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function saying(text: string, reply: Partial<Reply> = {}): Reply {
  return aReply({ parts: [{ type: 'text', text }], ...reply });
}

/** Returns a thread so large that a growing reply is written apart from it. */
function aLargeThread(count = 40): Thread {
  const messages: ThreadMessage[] = [];
  for (let index = 0; index < count; index += 2) {
    const before = messages.at(-1)?.id;
    const parent = before === undefined ? {} : { parentId: before };
    messages.push(aQuestion({ id: `q${index}`, ...parent, text: `Question ${index}` }));
    messages.push(saying('x'.repeat(5000), { id: `r${index}`, parentId: `q${index}` }));
  }
  return aThread({ messages });
}

/** Returns the thread with the messages of hidden branches sorted, as their order doesn't matter. */
function comparable(thread: Thread | undefined): unknown {
  const others = [...(thread?.others ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { ...thread, others };
}

async function assertOneRecord(folder: string): Promise<void> {
  const records = (await filesIn(folder)).filter((name) => name.endsWith('.json'));
  assert.equal(records.length, 1, records.join());
}

const { aThreadFolder } = useThreadFolders();

describe('ThreadFiles with a reply that grows in a large thread', () => {
  it('writes what is new alone, until the reply has ended', async () => {
    const { folder, open } = await aThreadFolder();
    const store = open();
    const before = aLargeThread();
    await store.write(before);
    const [whole = ''] = await filesIn(folder);
    const question = aQuestion({ parentId: 'r38', files: [aFile()] });
    for (let length = 1000; length <= 5000; length += 1000) {
      const reply = saying('y'.repeat(length), { parentId: 'q1', status: 'streaming' });
      const thread = { ...before, messages: [...before.messages, question, reply] };
      await store.write(thread);
      const records = (await filesIn(folder)).filter((name) => name.endsWith('.json'));
      const [part = '', ...more] = records.filter((name) => name !== whole);
      assert.ok(records.includes(whole) && more.length === 0, records.join());
      assert.ok((await stat(path.join(folder, part))).size < length + 2000);
      assert.deepEqual(await open().read('t1'), thread);
      assert.equal((await open().list(''))[0]?.messageCount, 42);
    }
    const ended = { ...before, messages: [...before.messages, question, saying('All.')] };
    await store.write({
      ...ended,
      messages: ended.messages.with(41, saying('All.', { parentId: 'q1' })),
    });
    await assertOneRecord(folder);
    assert.equal((await open().read('t1'))?.messages.length, 42);
  });

  it('goes on in small steps in a thread that another window wrote', async () => {
    const { folder, open } = await aThreadFolder();
    await open().write(aLargeThread());
    const store = open();
    const before = await store.read('t1');
    assert.ok(before);
    const reply = saying('So', { id: 'r', parentId: 'r38', status: 'waiting' });
    await store.write({ ...before, messages: [...before.messages, reply] });
    const sizes = await Promise.all(
      (await filesIn(folder)).map(async (name) => (await stat(path.join(folder, name))).size),
    );
    assert.equal(sizes.length, 2);
    assert.ok(Math.min(...sizes) < 2000);
  });

  it('writes all of it again where someone removed what was there before', async () => {
    const { folder, open } = await aThreadFolder();
    const store = open();
    const before = aLargeThread();
    await store.write(before);
    const reply = saying('So', { id: 'r', parentId: 'r38', status: 'streaming' });
    const thread = { ...before, messages: [...before.messages, reply] };
    await store.write(thread);
    await rm(folder, { recursive: true });
    await store.write(thread);
    assert.deepEqual(await open().read('t1'), thread);
  });

  it('is whole again at every step, whatever is asked, edited, regenerated and shown', async () => {
    const { folder, open, log } = await aThreadFolder();
    for (let seed = 1; seed <= 4; seed++) {
      const next = numbers(seed);
      const store = open();
      let thread: Thread = { ...aLargeThread(20), id: `t${seed}` };
      let growing = '';
      for (let step = 0; step < 20; step++) {
        thread = {
          ...thread,
          ...changed(thread, `s${step}`, next),
          updatedAt: `2025-02-${step + 10}`,
        };
        growing = thread.messages.at(-1)?.id ?? growing;
        await store.write(thread);
        assert.deepEqual(comparable(await open().read(thread.id)), comparable(thread), growing);
      }
    }
    await Promise.all([open().settled()]);
    assert.deepEqual(log.messages('warn'), []);
    assert.ok((await filesIn(folder)).length <= 12);
  });
});

/** Returns the thread after a step of a conversation, as people take them. */
function changed(
  thread: Thread,
  id: string,
  next: (below: number) => number,
): Pick<Thread, 'messages' | 'others'> {
  const { messages } = thread;
  const others = thread.others ?? [];
  const last = messages.at(-1);
  if (last?.role === 'assistant' && last.status === 'streaming' && next(3) > 0) {
    const [part] = last.parts;
    const text = `${part?.type === 'text' ? part.text : ''} more`;
    const status = next(4) === 0 ? ('complete' as const) : ('streaming' as const);
    return {
      messages: messages.with(
        -1,
        saying(text, { ...last, parts: [{ type: 'text', text }], status }),
      ),
      others,
    };
  }
  // Ask after a reply of the branch; what came after it becomes another branch.
  const length = next(2) === 0 ? messages.length : 2 * (1 + next(messages.length / 2));
  const kept = messages.slice(0, length);
  const parentId = kept.at(-1)?.id;
  const question = aQuestion({ id: `${id}-q`, parentId });
  const reply = saying('', { id: `${id}-r`, parentId: question.id, status: 'streaming' });
  return { messages: [...kept, question, reply], others: [...others, ...messages.slice(length)] };
}

describe('ThreadFiles of several windows at the same time', () => {
  // Shows faults.md E5.
  it('loses no message of any of them, in whatever order they write', async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const { folder, open, log } = await aThreadFolder();
      const start = seed % 2 ? aLargeThread(20) : aThread();
      await open().write(start);
      const windows = ['a', 'b', 'c'].map((name) => ({ name, store: open() }));
      const written = await Promise.all(
        windows.map(async ({ name, store }, index) =>
          converse(store, await store.read('t1'), name, numbers(seed * 10 + index)),
        ),
      );
      const last = open();
      const thread = await last.read('t1');
      assert.ok(thread);
      const stored = new Map(allMessages(thread).map((message) => [message.id, message]));
      for (const message of [...allMessages(start), ...written.flat()]) {
        assert.deepEqual(stored.get(message.id), message);
      }
      await last.write({ ...thread, title: 'Joined' });
      await last.settled();
      await assertOneRecord(folder);
      assert.deepEqual(log.messages('warn'), []);
      log.assertNoErrors();
    }
  });

  it('is never seen to vanish, or to go back, while another window writes', async () => {
    for (const start of [aThread(), aLargeThread(20)]) {
      const { open, log } = await aThreadFolder();
      const writer = open();
      await writer.write(start);
      const parentId = start.messages.at(-1)?.id ?? '';
      const writing = { isOver: false };
      const end = (async () => {
        for (let length = 1; length <= 40; length++) {
          const status = length % 5 === 0 ? ('complete' as const) : ('streaming' as const);
          const reply = saying('y'.repeat(length), { id: 'r', parentId, status });
          await writer.write({ ...start, messages: [...start.messages, reply] });
        }
      })().finally(() => (writing.isOver = true));
      let seen = 0;
      while (!writing.isOver) {
        const reply = (await open().read('t1'))?.messages[start.messages.length];
        const [part] = reply?.role === 'assistant' ? reply.parts : [];
        const length = part?.type === 'text' ? part.text.length : 0;
        assert.ok(length >= seen, `${length} after ${seen}`);
        seen = length;
        assert.equal((await open().list('')).length, 1);
      }
      await end;
      log.assertNoErrors();
    }
  });

  it('deletes and restores a thread that others write, without harm to it', async () => {
    const { open, log } = await aThreadFolder();
    const [writer, other] = [open(), open()];
    await writer.write(aThread());
    const asking = converse(writer, await writer.read('t1'), 'w', numbers(7));
    for (let round = 0; round < 20; round++) {
      await other.delete('t1');
      await other.restore('t1');
    }
    const written = await asking;
    await other.restore('t1');
    const thread = await open().read('t1');
    const ids = new Set(thread && allMessages(thread).map(({ id }) => id));
    for (const { id } of written) assert.ok(ids.has(id), id);
    log.assertNoErrors();
  });
});

/** Sends questions in the thread, like a window that doesn't know of the others. */
async function converse(
  store: ThreadFiles,
  shown: Thread | undefined,
  name: string,
  next: (below: number) => number,
): Promise<readonly ThreadMessage[]> {
  assert.ok(shown);
  let thread = shown;
  const written: ThreadMessage[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const id = `${name}${turn}`;
    const parentId = thread.messages.at(-1)?.id;
    const question = aQuestion({ id: `${id}-q`, parentId });
    const before: readonly ThreadMessage[] = [...thread.messages, question];
    let text = '';
    for (let step = next(5); step >= 0; step--) {
      text += `${id} ${step} `;
      const status = step > 0 ? 'streaming' : 'complete';
      const reply = saying(text, { id: `${id}-r`, parentId: question.id, status });
      thread = { ...thread, updatedAt: new Date().toISOString(), messages: [...before, reply] };
      await store.write(thread);
      for (let wait = next(4); wait > 0; wait--) await new Promise(setImmediate);
    }
    written.push(...thread.messages.slice(-2));
  }
  return written;
}
