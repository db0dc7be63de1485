import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Pack } from 'tar';

/** Bytes of one file that are in memory at a time. */
const READ_BYTES = 256 * 1024;
const FILE_MODE = 0o644;

/** What an archive came to. */
export interface PackedArchive {
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Packs the files below a folder into one `.tar.gz`, as a stream. The same files give the same bytes,
 * whenever and by whomever they were written.
 * @param target is overwritten, and half written where this throws.
 */
export async function packFolder(
  folder: string,
  target: string,
  signal: AbortSignal,
): Promise<PackedArchive> {
  const files = await filesBelow(folder);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await pipeline(
    tarOf(folder, files, signal),
    createGzip(),
    async function* (archive: AsyncIterable<Buffer>) {
      for await (const chunk of archive) {
        hash.update(chunk);
        sizeBytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(target, { mode: 0o600 }),
  );
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** Relative, with forward slashes, in an order that does not depend on the file system. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}

async function* tarOf(
  cwd: string,
  files: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let isWanted = true;
  const pack = new Pack({
    cwd,
    portable: true,
    mtime: new Date(0),
    maxReadSize: READ_BYTES,
    filter: () => isWanted,
    onWriteEntry: (entry) => {
      // Whatever the umask of who wrote it.
      if (entry.stat) entry.stat.mode = FILE_MODE;
    },
  });
  // Heard between two chunks as well, where the iterator does not listen.
  pack.on('error', () => undefined);
  // Told file by file: given a list, the library takes names that begin with @ for archives.
  for (const file of files) pack.add(file);
  pack.end();
  try {
    for await (const chunk of pack) {
      signal.throwIfAborted();
      yield chunk;
    }
  } finally {
    // It closes the files that it has open only when it gets to their ends.
    isWanted = false;
    pack.resume();
  }
}
