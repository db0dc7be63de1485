/** Writes files whole or not at all, readable for this user only. Uses `node:fs`. */
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../../common/errorCode';
import type { Clock, NewId } from '../../common/ports';

export interface WholeFilePorts {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Start of the name of an unfinished file. A cleanup removes old ones. */
export const TEMPORARY_PREFIX = '.part-';

/** Codes with which Windows refuses to rename a file while a virus scanner reads it. */
const BUSY_CODES = new Set(['EPERM', 'EACCES', 'EBUSY']);
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 10;

/** Returns the result of a file operation, or undefined if the file is gone. */
export async function ifThere<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces the file with the content in one step and syncs it to disk. Creates the folder if
 * needed.
 */
export async function writeWholeFile(
  file: string,
  content: string,
  { clock, newId }: WholeFilePorts,
): Promise<void> {
  const folder = path.dirname(file);
  const temporary = path.join(folder, `${TEMPORARY_PREFIX}${newId()}`);
  try {
    const handle = await openNew(temporary);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await whenNotBusy(clock, () => rename(temporary, file));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Removes a file. Does nothing if the file is gone. */
export async function removeFile(file: string, { clock }: Pick<WholeFilePorts, 'clock'>) {
  await whenNotBusy(clock, () => rm(file, { force: true, recursive: true }));
}

/** Creates an empty file whose name is its content. */
export async function touchFile(file: string): Promise<void> {
  const handle = await openNew(file);
  await handle.close();
  await syncFolder(path.dirname(file));
}

export async function whenNotBusy<T>(clock: Clock, operation: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !BUSY_CODES.has(systemErrorCode(error) ?? '')) throw error;
      await clock.delay(FIRST_WAIT_MS * 2 ** (attempt - 1));
    }
  }
}

async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    return open(file, 'wx', 0o600);
  }
}

/** Syncs a folder, so that a new name in it survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows can't sync folders. The file itself is already synced.
  }
}
