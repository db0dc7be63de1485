/** Uses `node:fs`: only the file system can say who of several windows was the first. */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock, Log } from '../../common/ports';
import type { Claims } from '../../staticExport/exportRecord';
import { fileErrorCode } from '../../staticExport/fileErrors';

/** What was claimed longer ago than this is nobody's concern any more. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

interface ClaimPorts {
  /** Absolute path; made when it is needed. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Claims as files that only one process can create. */
export class FileClaims implements Claims {
  readonly #ports: ClaimPorts;
  #pruned: Promise<void> | undefined;

  constructor(ports: ClaimPorts) {
    this.#ports = ports;
  }

  async claim(name: string): Promise<boolean> {
    const { folder, log } = this.#ports;
    const file = path.join(folder, createHash('sha256').update(name).digest('hex'));
    try {
      await mkdir(folder, { recursive: true });
      this.#pruned ??= this.#prune();
      await this.#pruned;
      await (await open(file, 'wx')).close();
      return true;
    } catch (error) {
      if (fileErrorCode(error) === 'EEXIST') return false;
      // Two windows that both tell of an end are better than none that does.
      log.warn(
        `A claim could not be written (${fileErrorCode(error) ?? 'unknown'}), so it is granted`,
      );
      return true;
    }
  }

  async #prune(): Promise<void> {
    const { folder, clock, log } = this.#ports;
    try {
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name);
        // Other windows remove them too.
        const stats = await stat(file).catch(() => undefined);
        if (stats && clock.now() - stats.mtimeMs > MAX_AGE_MS) await rm(file, { force: true });
      }
    } catch (error) {
      log.warn(`Old claims could not be removed (${fileErrorCode(error) ?? 'unknown'})`);
    }
  }
}
