/** Compressed contents of files, kept in memory up to a limit. Uses `node:fs` and `node:zlib`. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type ContentEncoding = 'br' | 'gzip';

/** Sizes between which compression is worth it, in bytes. */
const MIN_BYTES = 1024;
const MAX_BYTES = 32 * 1024 * 1024;

/** Maximum bytes of all contents in memory, and of one. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const MAX_CONTENT_BYTES = 8 * 1024 * 1024;

/** Quality at which brotli is about as fast as gzip, and smaller. */
const BROTLI_QUALITY = 5;

const compressors = {
  br: (content: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content: Buffer): Promise<Buffer> => promisify(gzip)(content),
} as const;

export class CompressedFiles {
  /** Contents by digest and encoding, those that were used last at the end. */
  readonly #kept = new Map<string, Buffer>();
  readonly #running = new Map<string, Promise<Buffer>>();
  #keptBytes = 0;

  /**
   * Returns the compressed content of a file.
   * @param digest digest of the content. Files with the same digest share the result.
   */
  async get(file: string, digest: string, encoding: ContentEncoding): Promise<Buffer> {
    const key = `${encoding} ${digest}`;
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    // Requests for the same file wait for one compression.
    const running =
      this.#running.get(key) ??
      this.#compress(key, file, encoding).finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  async #compress(key: string, file: string, encoding: ContentEncoding): Promise<Buffer> {
    const content = await compressors[encoding](await readFile(file));
    if (content.length > MAX_CONTENT_BYTES) return content;
    this.#kept.set(key, content);
    this.#keptBytes += content.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= MAX_KEPT_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
    return content;
  }
}

/** Returns whether a file of this size is compressed. */
export function isWorthCompressing(sizeBytes: number): boolean {
  return sizeBytes >= MIN_BYTES && sizeBytes <= MAX_BYTES;
}

/** Returns the best encoding that `Accept-Encoding` allows, or undefined for none (RFC 9110 § 12.5.3). */
export function acceptedEncoding(header: string | undefined): ContentEncoding | undefined {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',', 20)) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name, Number(weight));
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const [br, gz] = [weightOf('br'), weightOf('gzip')];
  if (!(br > 0) && !(gz > 0)) return undefined;
  return br >= gz || !(gz > 0) ? 'br' : 'gzip';
}
