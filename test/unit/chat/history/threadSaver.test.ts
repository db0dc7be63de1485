import assert from 'node:assert/strict';
import { ThreadSaver } from '../../../../src/chat/history/threadSaver';
import { aThread } from '../../../builders/asking';
import { FakeClock, settled } from '../../../fakes/fakeClock';
import { MemoryThreadStore } from '../../../fakes/memoryThreadStore';
import { RecordingLog } from '../../../fakes/recordingLog';

function aSaver() {
  const store = new MemoryThreadStore();
  const clock = new FakeClock();
  const log = new RecordingLog();
  const failures: unknown[] = [];
  const onDidFail = (error: unknown) => void failures.push(error);
  return { store, clock, log, failures, saver: new ThreadSaver(store, clock, log, onDidFail) };
}

const titled = (title: string, id = 't1') => aThread({ id, title });
const titleOf = async (store: MemoryThreadStore, id = 't1') => (await store.read(id))?.title;

describe('ThreadSaver', () => {
  it('writes the first change at once, and the last one a second after it', async () => {
    const { store, clock, saver } = aSaver();
    saver.saveSoon(titled('1'));
    await settled();
    assert.equal(await titleOf(store), '1');
    for (const title of ['2', '3', '4']) saver.saveSoon(titled(title));
    await clock.advance(999);
    assert.deepEqual([await titleOf(store), store.writeCount], ['1', 1]);
    await clock.advance(1);
    assert.deepEqual([await titleOf(store), store.writeCount], ['4', 2]);
    assert.equal(clock.pendingCount, 0);
  });

  it('writes at once where nothing was written for a second', async () => {
    const { store, clock, saver } = aSaver();
    saver.saveNow(titled('1'));
    await clock.advance(1000);
    saver.saveSoon(titled('2'));
    await settled();
    assert.equal(await titleOf(store), '2');
  });

  it('does not hold a change back because the clock was set back', async () => {
    const { store, clock, saver } = aSaver();
    saver.saveNow(titled('1'));
    clock.sleep(-3_600_000);
    saver.saveSoon(titled('2'));
    await clock.advance(1000);
    assert.equal(await titleOf(store), '2');
  });

  it('writes a thread at once when another one follows it', async () => {
    const { store, saver } = aSaver();
    saver.saveNow(titled('1'));
    saver.saveSoon(titled('2'));
    saver.saveSoon(titled('other', 't2'));
    await saver.flush();
    assert.deepEqual([await titleOf(store), await titleOf(store, 't2')], ['2', 'other']);
  });

  it('stores the ID of the shown thread after its pending writes', async () => {
    const { store, saver } = aSaver();
    const order: string[] = [];
    store.write = () => Promise.resolve(void order.push('write'));
    store.setCurrentId = () => Promise.resolve(void order.push('current'));
    saver.saveNow(titled('1'));
    saver.setCurrentId('t1');
    await saver.flush();
    assert.deepEqual(order, ['write', 'current']);
  });

  it('tells once that nothing can be stored, and stores all of it when it can again', async () => {
    const { store, log, failures, saver } = aSaver();
    store.failure = new Error('disk full');
    saver.saveNow(titled('1'));
    saver.saveNow(titled('other', 't2'));
    await saver.flush();
    assert.deepEqual(failures, [store.failure]);
    assert.ok(log.errors.length >= 2);
    store.failure = undefined;
    saver.saveNow(titled('third', 't3'));
    await saver.flush();
    assert.deepEqual(
      [await titleOf(store), await titleOf(store, 't2'), await titleOf(store, 't3')],
      ['1', 'other', 'third'],
    );
    store.failure = new Error('disk full again');
    saver.saveNow(titled('2'));
    await saver.flush();
    assert.equal(failures.length, 2);
  });

  it('keeps the later of two states if the first could not be stored', async () => {
    const { store, saver } = aSaver();
    store.failure = new Error('disk full');
    saver.saveNow(titled('1'));
    await settled();
    store.failure = undefined;
    saver.saveSoon(titled('2'));
    await saver.flush();
    assert.equal(await titleOf(store), '2');
  });

  it('goes on after the thread that is shown could not be remembered', async () => {
    const { store, log, saver } = aSaver();
    store.setCurrentId = () => Promise.reject(new Error('no room'));
    saver.setCurrentId('t1');
    saver.saveNow(titled('1'));
    await saver.flush();
    assert.equal(await titleOf(store), '1');
    assert.equal(log.errors.length, 1);
  });
});
