import assert from 'node:assert/strict';
import { shownThread } from '../../../src/workbench/shownThread';
import { MemoryMemento } from '../../fakes/memoryMemento';

describe('shownThread', () => {
  it('remembers the thread that was shown last', async () => {
    const memento = new MemoryMemento();
    assert.equal(shownThread(memento).read(), undefined);
    await shownThread(memento).write('a');
    await shownThread(memento).write('b');
    assert.equal(shownThread(memento).read(), 'b');
  });

  it('reads what version 0.1 remembered', () => {
    const memento = new MemoryMemento();
    memento.values.set('currentThread', 't1');
    assert.equal(shownThread(memento).read(), 't1');
  });

  for (const stored of [{ id: 1 }, '', null, 7]) {
    it(`starts afresh where ${JSON.stringify(stored)} is remembered`, async () => {
      const memento = new MemoryMemento();
      memento.values.set('currentThread', stored);
      assert.equal(shownThread(memento).read(), undefined);
      await shownThread(memento).write('t1');
      assert.equal(shownThread(memento).read(), 't1');
    });
  }
});
