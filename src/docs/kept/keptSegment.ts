/**
 * The format of a file of read pages: a mark, the length and the hash of the head, the head as JSON, and a
 * body with the postings of the pages' words, their sections as packed JSON, and the words. A file is complete when
 * it appears and never changes.
 */
import { createHash, randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import type { DocsSet } from '../../common/localDocsApi';
import type { DocsPage } from '../pages/page';
import type { KeptPostings } from '../search/keptPostings';
import { type KeptPage, PAGE_FIELDS, type ReadPage, SECTION_FIELDS } from '../search/pageWords';
import { SectionPostings } from '../search/setIndex';
import type { Vocabulary } from '../search/vocabulary';
import { readPostings, writePostings } from '../search/postingBytes';

/** Ending of the names of complete files. */
export const SEGMENT_ENDING = '.pages';
/** Ending of the names of files that are being written, or were when their process ended. */
export const PART_ENDING = '.part';

const MAGIC = 0x44_41_50_32;
const HASH_BYTES = 32;
const START_BYTES = 8 + HASH_BYTES;
const ONLY_FOR_THE_USER = 0o600;
/** Bytes that are hashed before other work gets a turn. They take a millisecond or two. */
const HASHED_AT_ONCE = 1024 * 1024;

const pack = promisify(deflateRaw);

const size = v.pipe(v.number(), v.integer(), v.minValue(0));

const headSchema = v.object({
  /** SHA-256 of the body in hexadecimal. */
  bodyHash: v.string(),
  /** Bytes of the postings of each word, in the order of the words. */
  postings: v.array(size),
  /** Pages in the order of the body. */
  pages: v.array(
    v.object({
      key: v.string(),
      /** Bytes of the packed JSON of {@link PageBody}. */
      bytes: size,
      language: v.optional(v.string()),
      counts: v.array(size),
      // A parser of our own wrote these facts, and the hash says that nobody has changed them since.
      facts: v.custom<PageFacts>((facts) => typeof facts === 'object' && facts !== null),
    }),
  ),
});

type Head = v.InferOutput<typeof headSchema>;

type PageBody = Pick<DocsPage, 'sections' | 'references'>;
type PageFacts = Omit<DocsPage, keyof PageBody | 'set'>;

/** A file that isn't what {@link writeSegment} wrote. */
export class DamagedSegment extends Error {
  override readonly name = 'DamagedSegment';
}

/** A file of read pages. */
export interface KeptSegment {
  readonly file: string;
  readonly bytes: number;
  /** Keys of the pages. */
  readonly keys: Pick<ReadonlySet<string>, 'has' | 'keys' | 'size'>;
  /** Returns a page, or undefined if the file has no such page or isn't in memory. */
  find(key: string): KeptPage | undefined;
}

/** A file of read pages in memory. */
class OpenSegment implements KeptSegment {
  readonly file: string;
  readonly bytes: number;
  readonly #pages = new Map<string, KeptPage>();

  /**
   * @param set set of the pages, if the engine has several.
   * @throws {DamagedSegment} if the pages of the head don't fill the body.
   */
  constructor(file: string, head: Head, body: Buffer, set: DocsSet | undefined) {
    this.file = file;
    this.bytes = body.length;
    let at = head.postings.reduce((sum, bytes) => sum + bytes, 0);
    const textsAt = at + head.pages.reduce((sum, { bytes }) => sum + bytes, 0);
    if (textsAt > body.length) throw new DamagedSegment('The pages are longer than the file');
    const words = body.toString('utf8', textsAt).split('\n');
    const postings = new SegmentPostings(words, head.postings, body);
    for (const { key, bytes, language, counts, facts } of head.pages) {
      const packed = body.subarray(at, (at += bytes));
      const page = lazyPage(facts, set, packed);
      const firstSection = postings.sectionCount;
      this.#pages.set(key, { page, language, counts, postings, firstSection });
      postings.sectionCount += (counts.length - PAGE_FIELDS) / SECTION_FIELDS;
    }
  }

  get keys(): ReadonlyMap<string, unknown> {
    return this.#pages;
  }

  find(key: string): KeptPage | undefined {
    return this.#pages.get(key);
  }
}

class SegmentPostings implements KeptPostings {
  readonly words: readonly string[];
  sectionCount = 0;
  readonly #body: Buffer;
  /** Begin of each word's postings, and the end of the last one's. */
  readonly #starts: Uint32Array;

  constructor(words: readonly string[], lengths: readonly number[], body: Buffer) {
    this.words = words;
    this.#body = body;
    this.#starts = new Uint32Array(lengths.length + 1);
    let at = 0;
    lengths.forEach((length, word) => (this.#starts[word + 1] = at += length));
  }

  entriesOf(word: number): readonly number[] {
    return readPostings(this.#body.subarray(this.#starts[word], this.#starts[word + 1]));
  }
}

/** Returns a page whose sections are unpacked when they are first needed. */
function lazyPage(facts: PageFacts, set: DocsSet | undefined, packed: Uint8Array): DocsPage {
  let body: PageBody | undefined;
  const read = (): PageBody => {
    // A parser of our own wrote this text, and its hash says that nobody has changed it since.
    body ??= JSON.parse(inflateRawSync(packed).toString('utf8')) as PageBody;
    return body;
  };
  return {
    ...facts,
    set,
    get sections() {
      return read().sections;
    },
    get references() {
      return read().references;
    },
  };
}

/**
 * Reads a file.
 * @param pause gives other work a turn, if it is time.
 * @throws {DamagedSegment}, or an error of the file system.
 */
export async function openSegment(
  name: string,
  set: DocsSet | undefined,
  pause: () => Promise<void>,
): Promise<KeptSegment> {
  const bytes = await readFile(name);
  await pause();
  if (bytes.length < START_BYTES) throw new DamagedSegment('The file is too short');
  const headEnd = START_BYTES + bytes.readUInt32LE(4);
  if (bytes.readUInt32LE(0) !== MAGIC || headEnd > bytes.length)
    throw new DamagedSegment('The file has another format');
  const written = bytes.subarray(START_BYTES, headEnd);
  if (hashOf(written) !== bytes.toString('hex', 8, START_BYTES))
    throw new DamagedSegment('The head is damaged');
  try {
    const head = v.parse(headSchema, JSON.parse(written.toString('utf8')));
    await pause();
    const body = bytes.subarray(headEnd);
    const hash = createHash('sha256');
    for (let at = 0; at < body.length; at += HASHED_AT_ONCE) {
      hash.update(body.subarray(at, at + HASHED_AT_ONCE));
      await pause();
    }
    if (hash.digest('hex') !== head.bodyHash) throw new DamagedSegment('The pages are damaged');
    return new OpenSegment(name, head, body, set);
  } catch (error) {
    if (error instanceof SyntaxError || v.isValiError(error))
      throw new DamagedSegment('The head is damaged', { cause: error });
    throw error;
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
  const packing: Promise<Buffer>[] = [];
  const postings = new SectionPostings();
  for (const { page, words } of pages.values()) {
    const { sections, references } = page;
    packing.push(pack(JSON.stringify({ sections, references }), { level: 1 }));
    postings.add(words);
    await pause();
  }
  const texts = await Promise.all(packing);
  const words: string[] = [];
  const lists: Buffer[] = [];
  for (const [word, entries] of postings.all()) {
    words.push(vocabulary.wordOf(word));
    lists.push(writePostings(entries));
    await pause();
  }
  const bodyParts = [...lists, ...texts, Buffer.from(words.join('\n'))];
  const body = Buffer.concat(bodyParts);
  await pause();
  const head: Head = {
    bodyHash: hashOf(body),
    postings: lists.map(({ length }) => length),
    pages: Array.from(
      pages,
      (
        [
          key,
          {
            page,
            language,
            words: { counts },
          },
        ],
        position,
      ) => {
        const { sections: _sections, references: _references, set: _set, ...facts } = page;
        return { key, bytes: texts[position]?.length ?? 0, language, counts: [...counts], facts };
      },
    ),
  };
  await pause();
  const written = Buffer.from(JSON.stringify(head));
  const start = Buffer.alloc(START_BYTES);
  start.writeUInt32LE(MAGIC, 0);
  start.writeUInt32LE(written.length, 4);
  start.write(hashOf(written), 8, 'hex');
  const file = path.join(folder, randomUUID() + SEGMENT_ENDING);
  await writeWhole(file, [start, written, body]);
  // The pages are in memory already, as they were read.
  const keys = new Set(pages.keys());
  return { file, bytes: body.length, keys, find: () => undefined };
}

/** Writes a file that is complete when it appears under its name. */
export async function writeWhole(name: string, parts: readonly Uint8Array[]): Promise<void> {
  const part = path.join(path.dirname(name), randomUUID() + PART_ENDING);
  try {
    const file = await open(part, 'wx', ONLY_FOR_THE_USER);
    try {
      await file.writeFile(Buffer.concat(parts));
    } finally {
      await file.close();
    }
    await rename(part, name);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
