/** Stores the vectors of sections on disk. Uses `node:fs` and `node:crypto`. */
import { createHash } from 'node:crypto';
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOrName, systemErrorCode } from '../../common/errorCode';
import { makeFolder } from '../../common/onDisk';
import type { Log } from '../../common/ports';

/** A vector of bytes, with its Euclidean norm. */
export interface Vector {
  readonly bytes: Int8Array;
  readonly norm: number;
}

/** Maximum dimensions of a vector. Known models have 256 to 4,096. */
const MAX_DIMENSIONS = 8192;
/** Maximum bytes of the vectors of one set of docs. 100,000 sections with 768 dimensions need 80 MB. */
const MAX_BYTES = 256 * 1024 * 1024;

const MAGIC = 0x44_41_56_31;
const HEADER_BYTES = 8;
const HASH_BYTES = 16;
const CHECK_BYTES = 4;

/**
 * Returns numbers as a vector of bytes, or undefined if they are no vector. Bytes need a quarter of the memory of
 * 32-bit numbers, and the ranking by similarity stays the same.
 */
export function toVector(numbers: readonly number[]): Vector | undefined {
  let largest = 0;
  for (const number of numbers) {
    if (!Number.isFinite(number)) return undefined;
    largest = Math.max(largest, Math.abs(number));
  }
  if (largest === 0 || numbers.length > MAX_DIMENSIONS) return undefined;
  return vectorOf(Int8Array.from(numbers, (number) => Math.round((number / largest) * 127)));
}

function vectorOf(bytes: Int8Array): Vector {
  return { bytes, norm: Math.sqrt(product(bytes, bytes)) };
}

/** Returns the cosine of the angle between two vectors, from -1 to 1. */
export function cosineSimilarity(one: Vector, other: Vector): number {
  return product(one.bytes, other.bytes) / (one.norm * other.norm || 1);
}

function product(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let place = 0; place < one.length; place++) sum += (one[place] ?? 0) * (other[place] ?? 0);
  return sum;
}

/** Returns the key of a text's vector. */
export function contentHash(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * HASH_BYTES);
}

/**
 * The vectors of one set of docs, by the hash of their text. New vectors are appended to a file. Vectors that
 * can't be read from the file are made again. Two windows can write to the same file.
 */
export class VectorStore {
  readonly #file: string | undefined;
  readonly #log: Log;
  readonly #vectors = new Map<string, Vector>();
  #dimensions = 0;
  #mustRewrite = false;

  /** @param file absolute path. If undefined, the vectors are only in memory. */
  constructor(file: string | undefined, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  get size(): number {
    return this.#vectors.size;
  }

  /** Number of dimensions of the vectors, or 0 if there are none. */
  get dimensions(): number {
    return this.#vectors.size === 0 ? 0 : this.#dimensions;
  }

  /** Whether no more vectors fit into the limit. */
  get isFull(): boolean {
    return (this.#vectors.size + 1) * this.#dimensions > MAX_BYTES;
  }

  get(hash: string): Vector | undefined {
    return this.#vectors.get(hash);
  }

  /** Reads the file, if there is one. */
  async load(): Promise<void> {
    if (this.#file === undefined) return;
    let content: Buffer;
    try {
      content = await readFile(this.#file);
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') this.#warn('read', error);
      return;
    }
    this.#mustRewrite = !this.#read(content);
    if (this.#mustRewrite)
      this.#log.info('Some vectors of sections are damaged. They are made again.');
  }

  /**
   * Adds vectors of the same model. If their number of dimensions differs from the stored vectors, the model has
   * changed, and the stored vectors are removed.
   */
  async add(vectors: ReadonlyMap<string, Vector>): Promise<void> {
    const [first] = vectors.values();
    if (!first) return;
    if (first.bytes.length !== this.#dimensions) {
      this.#mustRewrite ||= this.#dimensions > 0;
      this.#vectors.clear();
      this.#dimensions = first.bytes.length;
    }
    const isNewFile = this.#vectors.size === 0;
    const added: (readonly [string, Vector])[] = [];
    for (const [hash, vector] of vectors) {
      if (vector.bytes.length !== this.#dimensions || this.isFull) continue;
      this.#vectors.set(hash, vector);
      added.push([hash, vector]);
    }
    if (this.#file === undefined) return;
    try {
      if (isNewFile || this.#mustRewrite) await this.#rewrite(this.#file);
      else await appendFile(this.#file, Buffer.concat(added.map(recordOf)));
    } catch (error) {
      this.#warn('write', error);
    }
  }

  /** Removes all vectors. The next `add` replaces the file. */
  clear(): void {
    this.#vectors.clear();
    this.#mustRewrite = true;
  }

  /** Removes the vectors that no section uses, if more than half of all vectors are unused. */
  async keepOnly(used: ReadonlySet<string>): Promise<void> {
    if (this.#vectors.size <= 2 * used.size + 100) return;
    for (const hash of this.#vectors.keys()) if (!used.has(hash)) this.#vectors.delete(hash);
    if (this.#file === undefined) return;
    await this.#rewrite(this.#file).catch((error: unknown) => this.#warn('write', error));
  }

  /** @returns whether everything could be read. */
  #read(content: Buffer): boolean {
    if (content.length < HEADER_BYTES || content.readUInt32LE(0) !== MAGIC) return false;
    const dimensions = content.readUInt32LE(4);
    if (dimensions === 0 || dimensions > MAX_DIMENSIONS) return false;
    this.#dimensions = dimensions;
    const recordBytes = HASH_BYTES + dimensions + CHECK_BYTES;
    let at = HEADER_BYTES;
    for (; at + recordBytes <= content.length && !this.isFull; at += recordBytes) {
      const checked = content.subarray(at, at + HASH_BYTES + dimensions);
      if (checkOf(checked) !== content.readUInt32LE(at + HASH_BYTES + dimensions)) return false;
      const hash = checked.subarray(0, HASH_BYTES).toString('hex');
      // The bytes are copied, because a view would keep the whole file in memory.
      this.#vectors.set(
        hash,
        vectorOf(Int8Array.from(new Int8Array(checked.subarray(HASH_BYTES)))),
      );
    }
    return at === content.length;
  }

  async #rewrite(file: string): Promise<void> {
    await makeFolder(path.dirname(file));
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(MAGIC, 0);
    header.writeUInt32LE(this.#dimensions, 4);
    const draft = `${file}.${process.pid}.part`;
    await writeFile(draft, Buffer.concat([header, ...[...this.#vectors].map(recordOf)]));
    await rename(draft, file);
    this.#mustRewrite = false;
  }

  #warn(action: string, error: unknown): void {
    this.#log.warn(`Can't ${action} the vectors of sections (${errorCodeOrName(error)})`);
  }
}

function recordOf([hash, { bytes }]: readonly [string, Vector]): Buffer {
  const body = Buffer.concat([
    Buffer.from(hash, 'hex'),
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  ]);
  const check = Buffer.alloc(CHECK_BYTES);
  check.writeUInt32LE(checkOf(body));
  return Buffer.concat([body, check]);
}

function checkOf(bytes: Uint8Array): number {
  let sum = 0x81_1c_9d_c5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01_00_01_93);
  return sum >>> 0;
}
