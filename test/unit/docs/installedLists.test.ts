import assert from 'node:assert/strict';
import { InstalledLists } from '../../../src/docs/installedLists';
import type { InstalledList } from '../../../src/docs/sources/installed/installedDocs';
import { FakeClock, settled } from '../../fakes/fakeClock';

const none: InstalledList = { packages: [], problems: [] };

/** Returns lists of a folder whose packages a test changes. */
function someLists() {
  const clock = new FakeClock();
  const folder = { stamp: 'first', listed: 0, fails: false };
  const lists = new InstalledLists({
    clock,
    installed: {
      stampOf: () => Promise.resolve(folder.stamp),
      list: () => {
        folder.listed++;
        return folder.fails ? Promise.reject(new Error('busy')) : Promise.resolve(none);
      },
    },
  });
  const { signal } = new AbortController();
  return { clock, folder, lists, list: () => lists.list('/app', signal) };
}

describe('InstalledLists', () => {
  it('lists again only after the packages have changed', async () => {
    const { folder, list } = someLists();
    await Promise.all([list(), list()]);
    await list();
    assert.equal(folder.listed, 1);
    folder.stamp = 'second';
    await list();
    assert.equal(folder.listed, 2);
  });

  it('lists again after a minute, because a package can be edited in its place', async () => {
    const { clock, folder, list } = someLists();
    await list();
    await clock.advance(59_000);
    await list();
    assert.equal(folder.listed, 1);
    await clock.advance(2_000);
    await list();
    assert.equal(folder.listed, 2);
  });

  it('lists again after a failure', async () => {
    const { folder, list } = someLists();
    folder.fails = true;
    await assert.rejects(list(), /busy/);
    folder.fails = false;
    assert.deepEqual(await list(), none);
  });

  it('keeps the list for others when one of its questions is stopped', async () => {
    const { folder, lists, list } = someLists();
    const stopped = new AbortController();
    const first = lists.list('/app', stopped.signal);
    const second = list();
    stopped.abort(new Error('stopped'));
    await assert.rejects(first, /stopped/);
    assert.deepEqual(await second, none);
    assert.equal(folder.listed, 1);
  });

  it('tells of a change once, when the package manager is done', async () => {
    const { clock, folder, lists } = someLists();
    let told = 0;
    void lists.follow('/app', () => {
      told++;
      return Promise.resolve();
    });
    await settled();
    await clock.advance(20_000);
    assert.equal(told, 0);
    folder.stamp = 'removing';
    await clock.advance(5_000);
    folder.stamp = 'done';
    await clock.advance(5_000);
    assert.equal(told, 0);
    await clock.advance(5_000);
    assert.equal(told, 1);
    await clock.advance(60_000);
    assert.equal(told, 1);
    lists.close();
    folder.stamp = 'later';
    await clock.advance(60_000);
    assert.equal(told, 1);
  });
});
