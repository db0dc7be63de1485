/**
 * The format of a file of read pages: a mark, the length and the hash of the head, the head as JSON, and a
 * body with the words and the JSON of the pages. A file is complete when it appears and never changes.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { ReadPage } from '../search/pageWords';
import type { Vocabulary } from '../search/vocabulary';

/** Ending of the names of complete files. */
export const SEGMENT_ENDING = '.pages';
/** Ending of the names of files that are being written, or were when their process ended. */
export const PART_ENDING = '.part';

const MAGIC = 0x44_41_50_31;
const HASH_BYTES = 32;
const START_BYTES = 8 + HASH_BYTES;
const NUMBER_BYTES = 4;
const ONLY_FOR_THE_USER = 0o600;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const headSchema = v.object({
  bodyBytes: count,
  /** SHA-256 of the body in hexadecimal. */
  bodyHash: v.string(),
  /** Pages as key, number of words, and bytes of JSON, in the order of the body. */
  pages: v.array(v.tuple([v.string(), count, count])),
});

type Head = v.InferOutput<typeof headSchema>;

/** A page of a file, without the page itself. */
interface Place {
  readonly wordsAt: number;
  readonly words: number;
  readonly jsonAt: number;
  readonly jsonBytes: number;
}

/** A file that isn't what {@link writeSegment} wrote. */
export class DamagedSegment extends Error {
  override readonly name = 'DamagedSegment';
}

interface Body {
  readonly bytes: Buffer;
  /** Numbers of this file's words, for all pages. */
  readonly numbers: Int32Array;
  /** Numbers of the index's words, by the numbers of this file. */
  readonly known: Int32Array;
}

/** A file of read pages. Its head stays in memory, and its body until all of its pages have been taken. */
export class KeptSegment {
  readonly file: string;
  readonly bytes: number;
  readonly #places = new Map<string, Place>();
  readonly #head: Head;
  readonly #bodyAt: number;
  readonly #vocabularyAt: number;
  #body: Body | undefined;
  #left: number;

  /** @throws {DamagedSegment} if the pages of the head don't fill the body. */
  constructor(file: string, head: Head, bodyAt: number) {
    this.file = file;
    this.bytes = bodyAt + head.bodyBytes;
    this.#head = head;
    this.#bodyAt = bodyAt;
    this.#left = head.pages.length;
    let wordsAt = 0;
    let jsonAt = 0;
    for (const [, words] of head.pages) jsonAt += words * NUMBER_BYTES;
    for (const [key, words, jsonBytes] of head.pages) {
      this.#places.set(key, { wordsAt, words, jsonAt, jsonBytes });
      wordsAt += words;
      jsonAt += jsonBytes;
    }
    this.#vocabularyAt = jsonAt;
    if (jsonAt > head.bodyBytes) throw new DamagedSegment('The pages are longer than the file');
  }

  /** Keys of the pages. */
  get keys(): IterableIterator<string> {
    return this.#places.keys();
  }

  get pageCount(): number {
    return this.#places.size;
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  /**
   * Reads a page, with words as numbers of a vocabulary.
   * @throws {DamagedSegment}, or an error of the file system.
   */
  async read(key: string, vocabulary: Vocabulary): Promise<ReadPage | undefined> {
    const place = this.#places.get(key);
    if (!place) return undefined;
    const body = (this.#body ??= await this.#readBody(vocabulary));
    const { wordsAt, words, jsonAt, jsonBytes } = place;
    // A parser of our own wrote this text, and its hash says that nobody has changed it since.
    const written = JSON.parse(body.bytes.toString('utf8', jsonAt, jsonAt + jsonBytes)) as Omit<
      ReadPage,
      'words'
    > & { readonly counts: readonly number[] };
    const numbers = body.numbers.subarray(wordsAt, wordsAt + words);
    this.#left--;
    if (this.#left <= 0) this.release();
    return {
      page: written.page,
      language: written.language,
      words: {
        numbers: numbers.map((number) => body.known[number] ?? 0),
        counts: written.counts,
      },
    };
  }

  /** Gives the memory of the body back. */
  release(): void {
    this.#body = undefined;
  }

  async #readBody(vocabulary: Vocabulary): Promise<Body> {
    const file = await open(this.file);
    try {
      const bytes = await readAt(file, this.#bodyAt, this.#head.bodyBytes);
      if (hashOf(bytes) !== this.#head.bodyHash) throw new DamagedSegment('The pages are damaged');
      const words = bytes.toString('utf8', this.#vocabularyAt).split('\n');
      const total = this.#head.pages.reduce((sum, [, more]) => sum + more, 0);
      return {
        bytes,
        numbers: new Int32Array(bytes.buffer, bytes.byteOffset, total),
        known: Int32Array.from(words, (word) => vocabulary.add(word)),
      };
    } finally {
      await file.close();
    }
  }
}

/**
 * Reads the head of a file.
 * @throws {DamagedSegment}, or an error of the file system.
 */
export async function openSegment(name: string): Promise<KeptSegment> {
  const file = await open(name);
  try {
    const { size } = await file.stat();
    if (size < START_BYTES) throw new DamagedSegment('The file is too short');
    const start = await readAt(file, 0, START_BYTES);
    const headBytes = start.readUInt32LE(4);
    // A wrong length must not become the size of an allocation.
    if (start.readUInt32LE(0) !== MAGIC || headBytes > size - START_BYTES)
      throw new DamagedSegment('The file has another format');
    const written = await readAt(file, START_BYTES, headBytes);
    if (hashOf(written) !== start.toString('hex', 8))
      throw new DamagedSegment('The head is damaged');
    const head = v.parse(headSchema, JSON.parse(written.toString('utf8')));
    if (START_BYTES + headBytes + head.bodyBytes !== size)
      throw new DamagedSegment('The file has another length');
    return new KeptSegment(name, head, START_BYTES + headBytes);
  } catch (error) {
    if (error instanceof SyntaxError || v.isValiError(error))
      throw new DamagedSegment('The head is damaged', { cause: error });
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Writes pages to a new file in a folder. Under its name, the file is complete: it is written under another
 * one and renamed. After a power failure, its content can be lost, which its hashes tell.
 * @param pause gives other work a turn, if it is time.
 */
export async function writeSegment(
  folder: string,
  pages: ReadonlyMap<string, ReadPage>,
  vocabulary: Vocabulary,
  pause: () => Promise<void>,
): Promise<KeptSegment> {
  const local = new Map<number, number>();
  const numbers: Buffer[] = [];
  const texts: Buffer[] = [];
  const places: Head['pages'] = [];
  for (const [key, { page, language, words }] of pages) {
    const own = words.numbers.map((word) => {
      const known = local.get(word) ?? local.size;
      local.set(word, known);
      return known;
    });
    const text = Buffer.from(JSON.stringify({ page, language, counts: words.counts }));
    numbers.push(Buffer.from(own.buffer));
    texts.push(text);
    places.push([key, own.length, text.length]);
    await pause();
  }
  const words = Array.from(local.keys(), (word) => vocabulary.wordOf(word));
  const bodyParts = [...numbers, ...texts, Buffer.from(words.join('\n'))];
  const bodyHash = createHash('sha256');
  let bodyBytes = 0;
  for (const part of bodyParts) {
    bodyHash.update(part);
    bodyBytes += part.length;
    await pause();
  }
  const head: Head = { bodyBytes, bodyHash: bodyHash.digest('hex'), pages: places };
  const written = Buffer.from(JSON.stringify(head));
  const start = Buffer.alloc(START_BYTES);
  start.writeUInt32LE(MAGIC, 0);
  start.writeUInt32LE(written.length, 4);
  start.write(hashOf(written), 8, 'hex');
  const name = path.join(folder, randomUUID());
  const part = name + PART_ENDING;
  try {
    const file = await open(part, 'wx', ONLY_FOR_THE_USER);
    try {
      await file.writeFile(Buffer.concat([start, written]));
      await pause();
      // Page by page, it would be hundreds of writes.
      await file.writeFile(Buffer.concat(bodyParts));
    } finally {
      await file.close();
    }
    await rename(part, name + SEGMENT_ENDING);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
  return new KeptSegment(name + SEGMENT_ENDING, head, START_BYTES + written.length);
}

/** Reads bytes into memory of their own, so that numbers in them begin at a multiple of their size. */
async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled);
    if (bytesRead === 0) throw new DamagedSegment('The file is too short');
    filled += bytesRead;
  }
  return bytes;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
