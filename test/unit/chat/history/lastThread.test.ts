import assert from 'node:assert/strict';
import { lastThread } from '../../../../src/chat/history/threadStore';
import { MemoryMemento } from '../../../fakes/memoryMemento';

describe('lastThread', () => {
  it('remembers the thread that was shown last', async () => {
    const memento = new MemoryMemento();
    assert.equal(lastThread(memento).read(), undefined);
    await lastThread(memento).write('a');
    await lastThread(memento).write('b');
    assert.equal(lastThread(memento).read(), 'b');
  });

  for (const stored of [{ id: 1 }, '', null, 7]) {
    it(`starts afresh where ${JSON.stringify(stored)} is remembered`, async () => {
      const memento = new MemoryMemento();
      memento.values.set('currentThread', stored);
      assert.equal(lastThread(memento).read(), undefined);
      await lastThread(memento).write('t1');
      assert.equal(lastThread(memento).read(), 't1');
    });
  }
});
