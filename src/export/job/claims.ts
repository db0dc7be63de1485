/** Uses `node:fs`, because only the file system can tell which of several windows was first. */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../../common/errorCode';
import type { Clock, Log } from '../../common/ports';
import type { Claims } from './record';

/** Age after which a claim is removed. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

interface ClaimPorts {
  /** Absolute path of the folder. It is created when needed. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Claims stored as files, each of which only one process can create. */
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
      if (systemErrorCode(error) === 'EEXIST') return false;
      // Two notifications about the same end are better than none.
      log.warn(
        `A claim could not be written (${systemErrorCode(error) ?? 'unknown'}), so it is granted`,
      );
      return true;
    }
  }

  async #prune(): Promise<void> {
    const { folder, clock, log } = this.#ports;
    try {
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name);
        // Another window may have removed the file.
        const stats = await stat(file).catch(() => undefined);
        if (stats && clock.now() - stats.mtimeMs > MAX_AGE_MS) await rm(file, { force: true });
      }
    } catch (error) {
      log.warn(`Old claims could not be removed (${systemErrorCode(error) ?? 'unknown'})`);
    }
  }
}
