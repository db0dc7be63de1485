import assert from 'node:assert/strict';
import { importThreads } from '../../../../src/chat/history/threadStore';
import { storedThread } from '../../../../src/chat/conversation/thread';
import { aReply, aQuestion, aThread } from '../../../builders/asking';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { RecordingLog } from '../../../fakes/recordingLog';
import { aThreadFolder } from './threadFolder';

async function anImport() {
  const memento = new MemoryMemento();
  const log = new RecordingLog();
  const { open } = await aThreadFolder();
  for (const id of ['t1', 't2']) {
    // As version 0.1 wrote it: without parents and sites.
    const thread = aThread({ id, messages: [aQuestion(), aReply()] });
    await memento.update(`thread:${id}`, storedThread(thread));
  }
  await memento.update('currentThread', 't1');
  return { memento, log, store: open() };
}

describe('importThreads', () => {
  it('moves the threads of version 0.1 into the store, once', async () => {
    const { memento, log, store } = await anImport();
    const site = { id: 'docs', label: 'Docs' };
    await importThreads(memento, store, log, () => site);
    const ids = (await store.list('docs')).map(({ id }) => id);
    assert.deepEqual(ids.sort(), ['t1', 't2']);
    const messages = [aQuestion(), aReply({ parentId: 'q1' })];
    assert.deepEqual(await store.read('t1'), aThread({ messages, site }));
    assert.deepEqual(memento.keys(), ['currentThread']);
    log.assertNoErrors();
  });

  it('keeps what went on in the store after an import that was cut short', async () => {
    const { memento, log, store } = await anImport();
    const later = [...aThread().messages, aQuestion({ id: 'q2', parentId: 'r1' })];
    await store.write(aThread({ messages: later }));
    await importThreads(memento, store, log);
    assert.deepEqual((await store.read('t1'))?.messages, later);
    assert.deepEqual(memento.keys(), ['currentThread']);
  });

  it('leaves unreadable records in place and logs them', async () => {
    const { memento, log, store } = await anImport();
    const newer = { schemaVersion: 99, id: 't3' };
    await memento.update('thread:t3', newer);
    await memento.update('thread:t4', storedThread(aThread({ id: 'other' })));
    await importThreads(memento, store, log);
    assert.deepEqual(memento.get('thread:t3'), newer);
    assert.deepEqual(memento.keys(), ['currentThread', 'thread:t3', 'thread:t4']);
    assert.equal(log.messages('warn').length, 1);
  });

  it('keeps a thread in the state if the store does not take it', async () => {
    const { memento, log, store } = await anImport();
    store.write = () => Promise.reject(new Error('disk full'));
    await importThreads(memento, store, log);
    assert.deepEqual(memento.keys(), ['thread:t1', 'thread:t2', 'currentThread']);
    assert.equal(log.errors.length, 2);
  });
});
