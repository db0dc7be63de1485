import { fileType } from '../shared/fileType';

/** Why a file's content cannot be attached. Sizes and counts are limited where files are kept. */
export type AttachmentRefusal = 'empty' | 'kind';

export interface ReadAttachment {
  /** By the content, whatever the sender called it. */
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** `data:` address with the content in base64. */
  readonly url: string;
}

/**
 * A file as it travels with a question, by what its content says.
 * @param filename decides only which kind of text a text is.
 */
export function readAttachment(
  filename: string,
  content: Uint8Array,
): ReadAttachment | AttachmentRefusal {
  if (content.length === 0) return 'empty';
  const mediaType = fileType(filename, content);
  if (mediaType === undefined) return 'kind';
  const { buffer, byteOffset, length } = content;
  const base64 = Buffer.from(buffer, byteOffset, length).toString('base64');
  return { mediaType, sizeBytes: length, url: `data:${mediaType};base64,${base64}` };
}

/**
 * The bytes of what the webview sent, which is anyone's: undefined for what is not base64 to the
 * last character, of which Node would silently read a part.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}

/** A name that none of the others has: `notes.md`, `notes (2).md`, `notes (3).md`. */
export function freeName(filename: string, taken: readonly string[]): string {
  const dot = filename.lastIndexOf('.');
  const [stem, extension] =
    dot > 0 ? [filename.slice(0, dot), filename.slice(dot)] : [filename, ''];
  let name = filename;
  for (let number = 2; taken.includes(name); number++) name = `${stem} (${number})${extension}`;
  return name;
}
