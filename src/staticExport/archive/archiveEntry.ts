/** One entry, as a reader of archives gives it. Names are as archived, and not yet trusted. */
export interface ArchiveEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Bytes of the file; to be read, once, before the next entry is asked for. */
  readonly content: AsyncIterable<Buffer>;
}

/** The content of a folder. */
export const noContent: AsyncIterable<Buffer> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};
