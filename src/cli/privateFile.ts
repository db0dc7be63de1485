/** Writes files in one step, with the right permissions. Uses `node:fs`. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeError } from '../export/exportErrors';

const ONLY_FOR_THE_USER = 0o600;
const PERMISSIONS = 0o777;

/**
 * Writes a file that only the user can read, such as one with a presigned link. An existing file is
 * replaced together with its permissions.
 * @throws {ExportError} `disk-full`, `not-writable`.
 */
export function writePrivateFile(file: string, text: string): Promise<void> {
  return replaceFile(file, text, ONLY_FOR_THE_USER);
}

/**
 * Replaces an existing file in one step and keeps its permissions.
 * @throws {ExportError} `disk-full`, `not-writable`.
 */
export async function replaceKeepingMode(file: string, text: string): Promise<void> {
  const { mode } = await stat(file).catch((error: unknown) => {
    throw writeError(error, file);
  });
  await replaceFile(file, text, mode & PERMISSIONS);
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
