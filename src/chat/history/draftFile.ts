/** Stores the draft of a workspace in a file. Uses `node:fs`. */
import { readFile, stat } from 'node:fs/promises';
import type { Log } from '../../common/ports';
import { parsedJson } from '../../common/text/strings';
import { MAX_FILES_BYTES } from '../../shared/limits';
import {
  parseStoredDraft,
  storedDraft,
  type Draft,
  type DraftStore,
} from '../conversation/pendingQuestion';
import { ifThere, removeFile, writeWholeFile, type WholeFilePorts } from './wholeFile';

/** Largest draft in bytes: the files in base64, and as much again for selections. */
const MAX_DRAFT_BYTES = Math.ceil((MAX_FILES_BYTES / 3) * 4) * 2;

interface DraftFilePorts extends WholeFilePorts {
  /** Absolute path. The folder is created when it is needed. */
  readonly file: string;
  readonly log: Log;
}

/** One draft on disk. An unreadable draft counts as empty and is logged. */
export class DraftFile implements DraftStore {
  readonly #ports: DraftFilePorts;

  constructor(ports: DraftFilePorts) {
    this.#ports = ports;
  }

  async read(): Promise<Draft | undefined> {
    const { file, log } = this.#ports;
    try {
      const stats = await ifThere(stat(file));
      if (!stats) return undefined;
      const content = stats.size > MAX_DRAFT_BYTES ? '' : await readFile(file, 'utf8');
      const draft = parseStoredDraft(parsedJson(content));
      if (!draft) log.warn('What waited for the next question could not be read');
      return draft;
    } catch (error) {
      log.error('What waited for the next question could not be read', error);
      return undefined;
    }
  }

  /** @throws the error of the file system. */
  async write(draft: Draft | undefined): Promise<void> {
    const { file } = this.#ports;
    if (draft) await writeWholeFile(file, JSON.stringify(storedDraft(draft)), this.#ports);
    else await removeFile(file, this.#ports);
  }
}
