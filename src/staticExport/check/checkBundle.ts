import type { Clock } from '../../common/ports';
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
  onProgress(progress: CheckProgress): void;
  /** For `durationMs`. */
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Checks a bundle: whether everything in it leads somewhere, and what it gets from other hosts.
 *
 * @throws {ExportError} `file-gone` if the root is no folder.
 */
export function checkBundle(options: CheckOptions): Promise<BundleReport> {
  options.signal.throwIfAborted();
  return Promise.reject(new Error('not there yet'));
}
