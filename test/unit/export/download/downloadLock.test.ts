import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
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
