/**
 * Lock that keeps two downloads on this machine from writing the same file. Uses `node:fs`.
 *
 * `proper-lockfile` judges a lock only by its time, which it
 * refreshes with a timer. A machine that wakes from sleep then loses a lock that is still held, and
 * the lock of a crashed process blocks the next download for a while. This lock also checks whether
 * its process is alive.
 */
import { link, open, rename, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import * as v from 'valibot';
import { systemErrorCode } from '../../common/errorCode';
import { isProcessAlive } from '../../common/isProcessAlive';
import type { Clock } from '../../common/ports';
import { readJson } from '../../common/onDisk';

/** Longest time for which a running download leaves its files unchanged. */
const SILENCE_MS = 15 * 60 * 1000;

/** Longest time for which a new lock is still empty. */
const WRITING_MS = 10_000;

const ownerSchema = v.object({ pid: v.number(), host: v.string(), processStart: v.number() });

/** Returns the identity of this process. A process ID alone is not enough, since systems reuse it. */
function self(): v.InferOutput<typeof ownerSchema> {
  return { pid: process.pid, host: os.hostname(), processStart: performance.timeOrigin };
}

/**
 * Takes the lock, also from a process that has died.
 *
 * @param lockFile path of the lock, in an existing folder.
 * @param touched path of a file that a running download writes to all the time.
 * @returns false if another download holds the lock.
 * @throws the file system's error if the folder is not writable.
 */
export async function takeLock(lockFile: string, touched: string, clock: Clock): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const handle = await open(lockFile, 'wx');
      try {
        await handle.writeFile(JSON.stringify(self()));
      } catch (error) {
        // On a full disk, an empty lock would stay.
        await releaseLock(lockFile);
        throw error;
      } finally {
        await handle.close();
      }
      return true;
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
    if (await isHeld(lockFile, touched, clock)) return false;
    await breakLock(lockFile, (aside) => isHeld(aside, touched, clock));
  }
  return false;
}

/** Pause between two attempts to take a lock that another process holds. */
const PAUSE_MS = 200;

/** Time after which a wait is reported. Most locks are held for less. */
const TOLD_AFTER_MS = 1000;

/** Pause between two signs of life that the holder of a lock gives. */
const BEAT_MS = 5000;

/**
 * Time without a sign of life after which a lock of another host is dead. Containers have a host name each, and
 * whether a process of another one is alive can't be asked.
 */
const BEATLESS_MS = 30_000;

/**
 * Takes the lock as soon as it is free, and gives signs of life until it is released.
 *
 * @param onWaiting called once with the host of the lock's holder if the wait takes longer.
 * @returns the function that releases the lock.
 * @throws the signal's reason, or the file system's error if the folder is not writable.
 */
export async function waitForLock(
  lockFile: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  onWaiting: (host: string) => void,
): Promise<() => Promise<void>> {
  const startedAt = clock.now();
  let isTold = false;
  /** Last sign of life, and when it was first seen by the clock of this machine. */
  let beat: { readonly changedAt: number | undefined; readonly seenAt: number } | undefined;
  while (!(await takeLock(lockFile, lockFile, clock))) {
    const [owner, changed] = [await readJson(lockFile, ownerSchema), await changedAt(lockFile)];
    const now = clock.now();
    if (owner && !isTold && now - startedAt >= TOLD_AFTER_MS) {
      isTold = true;
      onWaiting(owner.host);
    }
    if (beat?.changedAt !== changed) beat = { changedAt: changed, seenAt: now };
    const isForeign = owner !== undefined && owner.host !== os.hostname();
    if (isForeign && beat && now - beat.seenAt >= BEATLESS_MS) {
      await breakLock(lockFile, async (aside) => (await changedAt(aside)) !== changed);
    } else await clock.delay(PAUSE_MS, signal);
  }
  const released = new AbortController();
  void keepBeating(lockFile, clock, released.signal);
  return async () => {
    released.abort(new Error('The lock is released'));
    await releaseLock(lockFile);
  };
}

async function keepBeating(lockFile: string, clock: Clock, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await clock.delay(BEAT_MS, signal);
      const now = clock.now() / 1000;
      // One failure is no end: a process that checks the lock moves it aside for a moment.
      await utimes(lockFile, now, now).catch(ignore);
    }
  } catch {
    // The lock is released.
  }
}

export async function releaseLock(lockFile: string): Promise<void> {
  await rm(lockFile, { force: true });
}

/** Removes a dead lock. It renames the lock first, so that only one of two processes succeeds. */
async function breakLock(
  lockFile: string,
  isInUse: (file: string) => Promise<boolean>,
): Promise<void> {
  const aside = `${lockFile}.${process.pid}`;
  try {
    await rename(lockFile, aside);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return;
    throw error;
  }
  // The renamed file may be a new lock of the other process, which then gets it back.
  if (await isInUse(aside)) await link(aside, lockFile).catch(ignore);
  await rm(aside, { force: true });
}

async function isHeld(lockFile: string, touched: string, clock: Clock): Promise<boolean> {
  const [lockAt, touchedAt] = [await changedAt(lockFile), await changedAt(touched)];
  if (lockAt === undefined) return false;
  const silenceMs = clock.now() - Math.max(lockAt, touchedAt ?? 0);
  const owner = await readJson(lockFile, ownerSchema);
  if (owner === undefined) return silenceMs < WRITING_MS;
  return silenceMs < SILENCE_MS && isAlive(owner);
}

async function changedAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs;
  } catch {
    return undefined;
  }
}

function isAlive(owner: v.InferOutput<typeof ownerSchema>): boolean {
  const me = self();
  // The processes of another machine that shares the folder are unknown.
  if (owner.host !== me.host) return true;
  if (owner.pid === me.pid) return owner.processStart === me.processStart;
  return isProcessAlive(owner.pid);
}

function ignore(): void {
  // A newer lock of another process is just as good, and a sign of life is given again.
}
