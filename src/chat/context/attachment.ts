import { fileType } from '../../shared/fileType';

/** Reason why a file's content can't be attached. `PendingQuestion` checks sizes and counts. */
type AttachmentRefusal = 'empty' | 'kind';

interface ReadAttachment {
  /** Media type by the file's content, whatever type the sender claims. */
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** `data:` address with the content in base64. */
  readonly url: string;
}

/**
 * Reads a file that is sent with a question.
 * @param filename used only to tell the kind of a text file.
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
 * Decodes base64 from the webview, which isn't trusted. Returns undefined for anything that isn't
 * base64 to the last character, because Node would read a part of it.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}

/** Returns the bytes and media type of a `data:` URL, or undefined for anything else. */
export function dataOfUrl(url: string): { mediaType: string; bytes: Uint8Array } | undefined {
  const match = /^data:([^,;]*)((?:;[^,;]*)*),(.*)$/is.exec(url);
  if (!match) return undefined;
  const [, mediaType = '', parameters = '', body = ''] = match;
  try {
    const bytes = /;base64$/i.test(parameters)
      ? Buffer.from(decodeURIComponent(body), 'base64')
      : Buffer.from(decodeURIComponent(body), 'utf8');
    return { mediaType: mediaType === '' ? 'text/plain' : mediaType, bytes };
  } catch {
    return undefined;
  }
}
