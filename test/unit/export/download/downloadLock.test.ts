import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { takeLock, waitForLock } from '../../../../src/export/download/downloadLock';
import { FakeClock } from '../../../fakes/fakeClock';

describe('the lock of a download', () => {
  let folder = '';
  let lock = '';
  let part = '';
  let clock: FakeClock;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'download-lock-'));
    lock = path.join(folder, 'bundle.lock');
    part = path.join(folder, 'bundle.part');
    clock = new FakeClock();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const touch = async (file: string, secondsAgo: number): Promise<void> => {
    const at = clock.now() / 1000 - secondsAgo;
    await utimes(file, at, at);
  };

  it('is held as long as its download writes, however long ago it was taken', async () => {
    assert.equal(await takeLock(lock, part, clock), true);
    await writeFile(part, 'what has arrived');
    await touch(lock, 3600);
    await touch(part, 60);
    assert.equal(await takeLock(lock, part, clock), false);
    await touch(part, 3600);
    assert.equal(await takeLock(lock, part, clock), true);
  });

  it('is held for a moment while it is empty, and can be taken if it stays empty', async () => {
    await writeFile(lock, '');
    await touch(lock, 1);
    assert.equal(await takeLock(lock, part, clock), false);
    await touch(lock, 60);
    assert.equal(await takeLock(lock, part, clock), true);
  });

  it('leaves no empty lock behind on a full disk', async () => {
    const handle = await open(part, 'w');
    const methods = Object.getPrototypeOf(handle) as { writeFile: unknown };
    const { writeFile: write } = methods;
    await handle.close();
    await rm(part);
    methods.writeFile = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    try {
      await assert.rejects(takeLock(lock, part, clock), { code: 'ENOSPC' });
    } finally {
      methods.writeFile = write;
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('gives signs of life again after one that failed', async () => {
    const { signal } = new AbortController();
    const release = await waitForLock(lock, { clock, signal }, () => undefined);
    // Another process that takes the lock for a dead one moves it aside for a moment.
    await rename(lock, part);
    await clock.whenDelayed();
    await clock.advance(5000);
    await clock.whenDelayed();
    await rename(part, lock);
    await clock.advance(5000);
    await clock.whenDelayed();
    assert.equal((await stat(lock)).mtimeMs, clock.now());
    await release();
  });

  it('stays with a living process of this machine that gives no sign of life', async () => {
    assert.equal(await takeLock(lock, lock, clock), true);
    await touch(lock, 0);
    const startedAt = clock.now();
    const told: string[] = [];
    const stopping = new AbortController();
    const waiting = waitForLock(lock, { clock, signal: stopping.signal }, (host) => {
      told.push(`${host} after ${clock.now() - startedAt} ms`);
    });
    for (let step = 0; step < 5 * 40; step++) {
      await clock.whenDelayed();
      await clock.advance(200);
    }
    assert.deepEqual(told, [`${os.hostname()} after 1000 ms`]);
    stopping.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
  });
});
