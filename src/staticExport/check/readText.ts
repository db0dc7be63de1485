/** Reads a file of the bundle as text. Uses `node:fs`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../errorCode';
import type { ReportNote } from './reportTypes';
import type { SiteFile } from './siteFiles';

/** No page of a docs site is larger; search indexes are, and hold no links. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;

export interface ReadText {
  readonly file: SiteFile;
  /** Without byte order mark. Absent where it was not read. */
  readonly text?: string;
  readonly note?: ReportNote;
}

/** UTF-8, or UTF-16 by its byte order mark. Never throws: a note says what is wrong. */
export async function readText(root: string, file: SiteFile): Promise<ReadText> {
  if (file.sizeBytes > MAX_TEXT_BYTES) {
    return { file, note: { code: 'too-large', file: file.path, count: file.sizeBytes } };
  }
  try {
    const bytes = await readFile(path.join(root, file.path));
    if (bytes[0] === 0xff && bytes[1] === 0xfe) {
      return { file, text: new TextDecoder('utf-16le').decode(bytes) };
    }
    const text = bytes.toString('utf8');
    const isUtf8 = !text.includes('\ufffd') || bytes.includes('\ufffd');
    return {
      file,
      text: text.startsWith('\ufeff') ? text.slice(1) : text,
      ...(isUtf8 ? {} : { note: { code: 'not-utf8', file: file.path } }),
    };
  } catch (error) {
    const note = { code: 'unreadable-file', file: file.path, detail: codeOf(error) } as const;
    return { file, note };
  }
}
