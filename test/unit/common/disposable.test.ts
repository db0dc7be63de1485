import assert from 'node:assert/strict';
import { DisposableStore, toDisposable } from '../../../src/common/disposable';
import { Emitter } from '../../../src/common/event';

describe('DisposableStore', () => {
  it('disposes in reverse order, once', () => {
    const order: number[] = [];
    const store = new DisposableStore();
    for (const n of [1, 2, 3]) store.add(toDisposable(() => order.push(n)));
    store.dispose();
    store.dispose();
    assert.deepEqual(order, [3, 2, 1]);
  });

  it('disposes all though some throw, and reports them together', () => {
    let isDone = false;
    const store = new DisposableStore();
    store.add(toDisposable(() => (isDone = true)));
    for (const text of ['a', 'b']) {
      store.add({
        dispose: () => {
          throw new Error(text);
        },
      });
    }
    assert.throws(
      () => store.dispose(),
      (error) => error instanceof AggregateError && error.errors.length === 2,
    );
    assert.ok(isDone);
  });

  it('disposes at once what comes after its own disposal', () => {
    let isDone = false;
    const store = new DisposableStore();
    store.dispose();
    const item = toDisposable(() => (isDone = true));
    assert.equal(store.add(item), item);
    assert.ok(isDone);
  });
});

describe('Emitter', () => {
  it('tells each registration until it is disposed, also of the same function', () => {
    const heard: number[] = [];
    const emitter = new Emitter<number>();
    const listener = (value: number): void => void heard.push(value);
    const first = emitter.event(listener);
    emitter.event(listener);
    emitter.fire(1);
    first.dispose();
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(heard, [1, 1, 2]);
  });

  it('does not tell listeners that were added while it fires', () => {
    let count = 0;
    const emitter = new Emitter<void>();
    emitter.event(() => emitter.event(() => count++));
    emitter.fire();
    assert.equal(count, 0);
    emitter.fire();
    assert.equal(count, 1);
  });
});
