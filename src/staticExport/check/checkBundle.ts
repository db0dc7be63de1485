/** Check Bundle. Reads the unpacked bundle through `readText.ts` and `siteFiles.ts`. */
import type { Clock } from '../../common/ports';
import { BundleCheck, isPage } from './bundleCheck';
import { listSiteFiles } from './siteFiles';
import type { BundleReport } from './reportTypes';

/** Pages read so far, of all. */
export interface CheckProgress {
  readonly pages: number;
  readonly totalPages: number;
}

export interface CheckOptions {
  /** Absolute path of the unpacked bundle: the folder that a host would serve. */
  readonly root: string;
  readonly signal: AbortSignal;
  /** Told now and then, and at the end of the pages. */
  readonly onProgress: (progress: CheckProgress) => void;
  /** For `durationMs`. */
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Checks a bundle: whether everything in it leads somewhere, and what it gets from other hosts.
 * What cannot be read becomes a note of the report.
 *
 * @throws {ExportError} `file-gone` if the root is no folder.
 */
export async function checkBundle(options: CheckOptions): Promise<BundleReport> {
  const { root, signal, onProgress, clock } = options;
  const startedAt = clock?.now();
  signal.throwIfAborted();
  const listing = await listSiteFiles(root, signal);
  const check = new BundleCheck({ root, listing, signal, onProgress });
  const { basePath, lists } = await check.run();
  return {
    schemaVersion: 1,
    pages: listing.files.filter(isPage).length,
    files: listing.files.length,
    sizeBytes: listing.files.reduce((sum, file) => sum + file.sizeBytes, 0),
    basePath,
    ...lists,
    ...(clock && startedAt !== undefined ? { durationMs: clock.now() - startedAt } : {}),
  };
}
