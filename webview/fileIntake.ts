/** From files that were dropped or pasted to the host. Loaded when the first of them comes. */
import { fileType } from '../src/shared/fileType';
import { MAX_FILE_BYTES, MAX_FILES, MAX_FILES_BYTES } from '../src/shared/protocol';
import { readableSize } from '../src/shared/readableSize';
import type { AttachmentView } from '../src/shared/uiMessage';
import { fill, type ViewStrings } from '../src/shared/viewStrings';
import { visibleText } from './dom';
import type { ViewActions } from './viewActions';

interface FileIntakePorts {
  readonly strings: ViewStrings;
  readonly actions: Pick<ViewActions, 'addAttachment'>;
  /** Those that wait for the next question already. */
  readonly present: readonly AttachmentView[];
}

/**
 * Hands files to the host, one after the other, without holding the view up. The host checks all
 * of this again; here it is only for a quick answer.
 *
 * @returns sentences about what was left out, apart from what the host refused.
 */
export async function takeFiles(
  files: readonly File[],
  { strings, actions, present }: FileIntakePorts,
): Promise<readonly string[]> {
  const refusals: string[] = [];
  const tooMany: string[] = [];
  const tooLarge: string[] = [];
  let count = present.length;
  let totalBytes = present.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  for (const file of files) {
    const name = visibleText(file.name);
    if (file.size > MAX_FILE_BYTES) {
      const sizes = [file.size, MAX_FILE_BYTES].map(readableSize);
      refusals.push(fill(strings.fileTooLarge, name, ...sizes));
    } else if (count >= MAX_FILES) {
      tooMany.push(name);
    } else if (totalBytes + file.size > MAX_FILES_BYTES) {
      tooLarge.push(name);
    } else {
      const read = await readFile(file, strings);
      if ('refusal' in read) refusals.push(read.refusal);
      else if (await actions.addAttachment(file.name.slice(-500), read.mediaType, read.content)) {
        count++;
        totalBytes += file.size;
      }
    }
  }
  if (tooMany.length > 0) refusals.push(fill(strings.tooManyFiles, MAX_FILES, tooMany.join(', ')));
  if (tooLarge.length > 0) {
    const limit = readableSize(MAX_FILES_BYTES);
    refusals.push(fill(strings.filesTooLarge, limit, tooLarge.join(', ')));
  }
  return refusals;
}

async function readFile(
  file: File,
  strings: ViewStrings,
): Promise<{ mediaType: string; content: string } | { refusal: string }> {
  const name = visibleText(file.name);
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes.length === 0) return { refusal: fill(strings.fileEmpty, name) };
    const mediaType = fileType(file.name, bytes);
    if (mediaType === undefined) return { refusal: fill(strings.fileKindRefused, name) };
    return { mediaType, content: await base64Of(file) };
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
