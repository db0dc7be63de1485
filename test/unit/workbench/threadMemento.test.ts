import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { ThreadMemento } from '../../../src/workbench/threadMemento';
import { aThread } from '../../builders/asking';
import { FakeClock } from '../../fakes/fakeClock';
import { RecordingLog } from '../../fakes/recordingLog';
import { threadStoreContract } from '../contracts/threadStoreContract';

class MemoryMemento implements Memento {
  readonly values = new Map<string, unknown>();
  keys = () => [...this.values.keys()];
  get = <T>(key: string, fallback?: T) => (this.values.get(key) as T | undefined) ?? fallback;
  update = (key: string, value: unknown) => {
    // VS Code keeps JSON, and forgets what is undefined.
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  };
}

function aMemento() {
  const memento = new MemoryMemento();
  const log = new RecordingLog();
  const forgotten: string[] = [];
  const store = new ThreadMemento({
    memento,
    clock: new FakeClock(),
    log,
    onDidForget: (id) => forgotten.push(id),
  });
  return { memento, log, forgotten, store };
}

threadStoreContract('ThreadMemento', () => {
  const { memento, store } = aMemento();
  return {
    store,
    corrupt: (id, record) => memento.update(`thread:${id}`, record),
  };
});

describe('ThreadMemento', () => {
  it('sets an unreadable record aside, whole, and says so once', async () => {
    const { memento, log, store } = aMemento();
    const newer = { schemaVersion: 99, thread: { id: 't1', shape: 'of the future' } };
    await memento.update('thread:t1', newer);
    assert.equal(await store.read('t1'), undefined);
    assert.equal(await store.read('t1'), undefined);
    const aside = memento.keys().filter((key) => key.startsWith('setAside:'));
    assert.deepEqual(
      aside.map((key) => memento.get(key)),
      [newer],
    );
    assert.equal(log.messages('warn').length, 1);
  });

  it('keeps no more than five records that were set aside', async () => {
    const { memento, store } = aMemento();
    for (let index = 0; index < 8; index++) {
      await memento.update(`thread:${index}`, 'corrupt');
      await store.read(String(index));
    }
    assert.equal(memento.keys().filter((key) => key.startsWith('setAside:')).length, 5);
  });

  it('starts afresh where the id of the current thread is none', async () => {
    const { memento, store } = aMemento();
    await memento.update('currentThread', { id: 1 });
    assert.equal(await store.currentId(), undefined);
    await store.setCurrentId('t1');
    assert.equal(await store.currentId(), 't1');
  });

  it('keeps the 50 newest threads and the current one, and tells which went', async () => {
    const { store, forgotten } = aMemento();
    const time = (minute: number) => new Date(minute * 60_000).toISOString();
    await store.write(aThread({ id: 'current', updatedAt: time(0) }));
    await store.setCurrentId('current');
    for (let index = 1; index <= 51; index++) {
      await store.write(aThread({ id: `t${index}`, updatedAt: time(index) }));
    }
    const ids = (await store.list()).map(({ id }) => id);
    assert.equal(ids.length, 50);
    assert.ok(ids.includes('current'));
    assert.deepEqual(forgotten, ['t1', 't2']);
  });
});
