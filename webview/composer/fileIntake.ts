/** Sends files that were dropped or pasted to the host. */
import { fileType } from '../../src/shared/fileType';
import { MAX_FILE_BYTES, MAX_FILES, MAX_FILES_BYTES } from '../../src/shared/limits';
import { sizeText } from '../../src/shared/units';
import type { AttachmentView } from '../../src/shared/uiMessage';
import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { visibleLine } from '../dom';
import { RequestError } from '../endpoint';
import type { ViewActions } from '../viewActions';

interface FileIntakePorts {
  readonly strings: ViewStrings;
  readonly actions: Pick<ViewActions, 'addAttachment'>;
  /** Returns the files that already wait for the next question. */
  readonly present: () => readonly AttachmentView[];
}

/**
 * Sends files to the host one after the other, without blocking the view. The host checks
 * everything again. The checks here only give a quick answer.
 */
export class FileIntake {
  readonly #ports: FileIntakePorts;
  #refusals = new Set<string>();
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(ports: FileIntakePorts) {
    this.#ports = ports;
  }

  /**
   * Sends files after the ones that came before.
   * @returns a sentence for each file that the view or the host refused, in order. It includes
   *   files that came just before, whose refusals nobody can have read yet.
   */
  async take(files: readonly File[]): Promise<readonly string[]> {
    if (this.#waiting === 0) this.#refusals = new Set();
    this.#waiting++;
    const taken = this.#last.then(() => this.#takeNext(files));
    this.#last = taken.catch(() => undefined);
    try {
      await taken;
    } finally {
      this.#waiting--;
    }
    return [...this.#refusals];
  }

  async #takeNext(files: readonly File[]): Promise<void> {
    const { strings, present } = this.#ports;
    const refuse = (sentence: string, ...values: (string | number)[]): void => {
      this.#refusals.add(fill(sentence, ...values));
    };
    const tooMany: string[] = [];
    const tooLarge: string[] = [];
    let count = present().length;
    let totalBytes = present().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const file of files) {
      const name = visibleLine(file.name);
      if (file.size > MAX_FILE_BYTES) {
        refuse(strings.fileTooLarge, name, ...[file.size, MAX_FILE_BYTES].map(sizeText));
      } else if (count >= MAX_FILES) {
        tooMany.push(name);
      } else if (totalBytes + file.size > MAX_FILES_BYTES) {
        tooLarge.push(name);
      } else if (await this.#add(file)) {
        count++;
        totalBytes += file.size;
      }
    }
    if (tooMany.length > 0) refuse(strings.tooManyFiles, MAX_FILES, tooMany.join(', '));
    if (tooLarge.length > 0) {
      refuse(strings.filesTooLarge, sizeText(MAX_FILES_BYTES), tooLarge.join(', '));
    }
  }

  /** @returns whether the host has the file now. */
  async #add(file: File): Promise<boolean> {
    const { strings, actions } = this.#ports;
    const read = await readFile(file, strings);
    if ('refusal' in read) {
      this.#refusals.add(read.refusal);
      return false;
    }
    try {
      await actions.addAttachment(file.name.slice(-500), read.content);
      return true;
    } catch (error: unknown) {
      if (!(error instanceof RequestError)) throw error;
      this.#refusals.add(error.info?.message ?? strings.actionFailed);
      return false;
    }
  }
}

async function readFile(
  file: File,
  strings: ViewStrings,
): Promise<{ content: string } | { refusal: string }> {
  const name = visibleLine(file.name);
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes.length === 0) return { refusal: fill(strings.fileEmpty, name) };
    if (fileType(file.name, bytes) === undefined) {
      return { refusal: fill(strings.fileKindRefused, name) };
    }
    return { content: await base64Of(file) };
  } catch {
    // It is a folder, or it was removed meanwhile.
    return { refusal: fill(strings.fileUnreadable, name) };
  }
}

/** Returns the content as base64. The browser's own reader works outside the page's thread. */
function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => reject(new Error('unreadable file'));
    reader.readAsDataURL(file);
  });
}
