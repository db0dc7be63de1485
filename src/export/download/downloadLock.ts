/** Keeps two downloads of this machine off one file; uses `node:fs`. */
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import * as v from 'valibot';
import type { Clock } from '../common/ports';
import { fileErrorCode } from './fileErrors';

/** The longest that a download that is alive leaves its files untouched. */
const SILENCE_MS = 15 * 60 * 1000;

/** A lock that is not written yet is empty for less than this. */
const WRITING_MS = 10_000;

const ownerSchema = v.object({ pid: v.number(), host: v.string(), processStart: v.number() });

/** This process. A number alone says little: systems, and containers above all, use it again. */
function self(): v.InferOutput<typeof ownerSchema> {
  return { pid: process.pid, host: os.hostname(), processStart: performance.timeOrigin };
}

/**
 * Takes the lock, from a process that died if it must.
 *
 * @param lockFile made now, in a folder that exists.
 * @param touched a file that a download that is alive writes to all the time.
 * @returns false while another download holds it.
 * @throws the file system's error where the folder cannot be written.
 */
export async function takeLock(lockFile: string, touched: string, clock: Clock): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const handle = await open(lockFile, 'wx');
      await handle.writeFile(JSON.stringify(self())).finally(() => handle.close());
      return true;
    } catch (error) {
      if (fileErrorCode(error) !== 'EEXIST') throw error;
    }
    if (await isHeld(lockFile, touched, clock)) return false;
    await breakLock(lockFile, touched, clock);
  }
  return false;
}

/** Lets the next download have the file. */
export async function releaseLock(lockFile: string): Promise<void> {
  await rm(lockFile, { force: true });
}

/** Moves the dead lock away before it is deleted: of two processes that try, one gets it. */
async function breakLock(lockFile: string, touched: string, clock: Clock): Promise<void> {
  const aside = `${lockFile}.${process.pid}`;
  try {
    await rename(lockFile, aside);
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return;
    throw error;
  }
  // The other of the two may have made its own lock in between, and this is it: back with it.
  if (await isHeld(aside, touched, clock)) await link(aside, lockFile).catch(ignore);
  await rm(aside, { force: true });
}

async function isHeld(lockFile: string, touched: string, clock: Clock): Promise<boolean> {
  const [lockAt, touchedAt] = [await changedAt(lockFile), await changedAt(touched)];
  if (lockAt === undefined) return false;
  const silenceMs = clock.now() - Math.max(lockAt, touchedAt ?? 0);
  const owner = await readOwner(lockFile);
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

async function readOwner(lockFile: string): Promise<v.InferOutput<typeof ownerSchema> | undefined> {
  try {
    return v.parse(ownerSchema, JSON.parse(await readFile(lockFile, 'utf8')));
  } catch {
    return undefined;
  }
}

function isAlive(owner: v.InferOutput<typeof ownerSchema>): boolean {
  const me = self();
  // Nothing is known of the processes of another machine that shares the folder.
  if (owner.host !== me.host) return true;
  if (owner.pid === me.pid) return owner.processStart === me.processStart;
  try {
    return process.kill(owner.pid, 0);
  } catch (error) {
    return fileErrorCode(error) === 'EPERM';
  }
}

function ignore(): void {
  // Somebody made a newer lock already, which is as good.
}
