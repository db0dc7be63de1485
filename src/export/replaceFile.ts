/** Replaces files in one step, with the right permissions, also after a kill or a power failure. Uses `node:fs`. */
import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ExportError, writeError } from './exportErrors';

const ONLY_FOR_THE_USER = 0o600;
const PERMISSIONS = 0o777;
const WRITABLE = 0o222;

/**
 * Writes a file that only the user can read, such as one with a presigned link. An existing file is
 * replaced together with its permissions.
 * @throws {ExportError} `disk-full`, `not-writable`, also for a device or a pipe: a file would take its
 * place.
 */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await checkPlaceOfFile(file);
  await replaceFile(file, text, ONLY_FOR_THE_USER);
}

/**
 * Resolves if a path has a file or nothing.
 * @throws {ExportError} `not-writable` for a folder, a device or a pipe.
 */
export async function checkPlaceOfFile(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (!there || there.isFile()) return;
  const causeCode = there.isDirectory() ? 'EISDIR' : 'EINVAL';
  throw new ExportError('not-writable', { path: file, causeCode });
}

/**
 * Replaces an existing file in one step and keeps its permissions. A symbolic link stays, and the file
 * that it leads to is replaced.
 * @throws {ExportError} `disk-full`, `not-writable`, also for a file that is read-only: its folder
 * alone would allow to replace it.
 */
export async function replaceKeepingMode(file: string, text: string): Promise<void> {
  try {
    const target = await realpath(file);
    const { mode } = await stat(target);
    if ((mode & WRITABLE) === 0) {
      throw new ExportError('not-writable', { path: file, causeCode: 'EACCES' });
    }
    await replaceFile(target, text, mode & PERMISSIONS);
  } catch (error) {
    throw writeError(error, file);
  }
}

async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const part = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.part`);
  try {
    const handle = await open(part, 'wx', mode);
    try {
      // The umask may have removed permissions from the new file.
      await handle.chmod(mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw writeError(error, file);
  }
}
