/** Reads and writes configuration files in a folder. Uses `node:fs`. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../../common/errorCode';
import { makeFolder, readUpTo } from '../../common/onDisk';
import { parsedAs } from '../../shared/schemas';
import { ExportError, writeError } from '../exportErrors';
import type { HostingConfiguration } from './hostingFiles';
import { redirectFileSchema, type Redirect } from './redirects';
import { parsedJson } from '../../common/text/strings';

/** A file to write, and its state compared with the folder. */
export interface PlannedFile {
  /** Path relative to the folder, with `/`. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  readonly content: string;
  readonly state: 'new' | 'same' | 'changed';
}

/**
 * Maximum size of a redirects file. 100,000 redirects fit, more than any host accepts.
 */
const MAX_REDIRECTS_BYTES = 20_000_000;

/**
 * Returns the files of configurations with their state. Each of several configurations gets its own folder,
 * because Netlify and Cloudflare have files with the same names.
 */
export async function planFiles(
  folder: string,
  configurations: readonly HostingConfiguration[],
): Promise<PlannedFile[]> {
  const all = configurations.flatMap(({ server, files }) =>
    files.map(({ name, content }) => ({
      name: configurations.length > 1 ? `${server}/${name}` : name,
      content,
    })),
  );
  return Promise.all(
    all.map(async ({ name, content }) => {
      const place = path.join(folder, name);
      const before = await readFile(place, 'utf8').catch((error: unknown) => {
        if (systemErrorCode(error) === 'ENOENT') return undefined;
        throw new ExportError('not-readable', {
          path: place,
          causeCode: systemErrorCode(error),
          cause: error,
        });
      });
      const state = before === undefined ? 'new' : before === content ? 'same' : 'changed';
      return { name, path: place, content, state } as const;
    }),
  );
}

/**
 * Writes planned files, except those that already have the same content.
 *
 * @throws {ExportError} `already-exists` for a new file that exists by now. `not-writable` and `disk-full` with the
 * file or its folder.
 */
export async function writeFiles(files: readonly PlannedFile[]): Promise<void> {
  for (const { path: place, content, state } of files) {
    if (state === 'same') continue;
    try {
      await makeFolder(path.dirname(place));
      // Another program may have created the file in the meantime. It must not be replaced.
      await writeFile(place, content, { flag: state === 'new' ? 'wx' : 'w' });
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') {
        throw new ExportError('already-exists', { path: place, cause: error });
      }
      throw writeError(error, place);
    }
  }
}

/**
 * Reads a file that `bundle diff --redirects` wrote.
 *
 * @returns undefined if the file contains something else.
 * @throws {ExportError} `not-readable`
 */
export async function readRedirects(file: string): Promise<readonly Redirect[] | undefined> {
  try {
    const bytes = await readUpTo(file, MAX_REDIRECTS_BYTES);
    return parsedAs(redirectFileSchema, parsedJson(bytes?.toString('utf8') ?? ''))?.redirects;
  } catch (error) {
    const causeCode = systemErrorCode(error);
    throw new ExportError('not-readable', { path: file, causeCode, cause: error });
  }
}
