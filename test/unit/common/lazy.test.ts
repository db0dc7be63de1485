import assert from 'node:assert/strict';
import { Lazy } from '../../../src/common/lazy';

describe('Lazy', () => {
  it('loads with the first use, and once for uses at the same time and later', async () => {
    let loads = 0;
    const lazy = new Lazy(() => Promise.resolve(++loads));
    const { current: before } = lazy;
    assert.equal(before, undefined);
    const both = await Promise.all([lazy.get(), lazy.get()]);
    assert.deepEqual(both, [1, 1]);
    const [later, current] = [await lazy.get(), await lazy.current];
    assert.deepEqual([later, current], [1, 1]);
  });

  it('tries again after a failure, which all who waited for it get', async () => {
    let loads = 0;
    const lazy = new Lazy(() =>
      ++loads === 1 ? Promise.reject(new Error('disk')) : Promise.resolve(loads),
    );
    const both = await Promise.allSettled([lazy.get(), lazy.get()]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(lazy.current, undefined);
    const next = await lazy.get();
    assert.equal(next, 2);
  });
});
