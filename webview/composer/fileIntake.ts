/** From files that were dropped or pasted to the host. Loaded when the first of them comes. */
import { fileType } from '../src/shared/fileType';
import { MAX_FILE_BYTES, MAX_FILES, MAX_FILES_BYTES } from '../src/shared/protocol';
import { readableSize } from '../src/shared/readableSize';
import type { AttachmentView } from '../src/shared/uiMessage';
import { fill, type ViewStrings } from '../src/shared/viewStrings';
import { visibleText } from './dom';
import { RequestError } from './endpoint';
import type { ViewActions } from './viewActions';

interface FileIntakePorts {
  readonly strings: ViewStrings;
  readonly actions: Pick<ViewActions, 'addAttachment'>;
  /** Those that wait for the next question already. */
  readonly present: () => readonly AttachmentView[];
}

/**
 * Hands files to the host, one after the other, without holding the view up. The host checks all
 * of this again; here it is only for a quick answer.
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
   * Takes files after those that came before them.
   * @returns a sentence about each that the view or the host left out, in order; those about files
   *   that came just before, and that nobody can have read yet, among them.
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
      const name = visibleText(file.name);
      if (file.size > MAX_FILE_BYTES) {
        refuse(strings.fileTooLarge, name, ...[file.size, MAX_FILE_BYTES].map(readableSize));
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
      refuse(strings.filesTooLarge, readableSize(MAX_FILES_BYTES), tooLarge.join(', '));
    }
  }

  /** @returns whether the host has it now. */
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
      const sentence = error.info?.message ?? strings.actionFailed;
      if (error.reason !== 'disposed') this.#refusals.add(sentence);
      return false;
    }
  }
}

async function readFile(
  file: File,
  strings: ViewStrings,
): Promise<{ content: string } | { refusal: string }> {
  const name = visibleText(file.name);
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes.length === 0) return { refusal: fill(strings.fileEmpty, name) };
    if (fileType(file.name, bytes) === undefined) {
      return { refusal: fill(strings.fileKindRefused, name) };
    }
    return { content: await base64Of(file) };
  } catch {
    // A folder, or a file that was removed meanwhile.
    return { refusal: fill(strings.fileUnreadable, name) };
  }
}

/** By the browser's own reader, which works beside the page's thread. */
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
