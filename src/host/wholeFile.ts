/** Writes files that are there whole or not at all, also after a kill or a power failure. Uses `node:fs`. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeError } from '../export/exportErrors';

/**
 * Replaces a file in one step.
 * @throws {ExportError} `disk-full`, `not-writable`
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const part = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.part`);
  try {
    const handle = await open(part, 'wx', 0o600);
    try {
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
