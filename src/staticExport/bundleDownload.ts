import type { Clock, Fetch, Log } from '../common/ports';
import type { RequestTimeouts } from '../common/guardedRequest';
import type { LinkSource } from './bundle';
import type { DownloadedArchive } from './exportRecord';

/** How far a download is. */
export interface DownloadProgress {
  /** Bytes of the archive that are on disk. */
  readonly receivedBytes: number;
  /** Size of the archive, once the store or the link told it. */
  readonly totalBytes?: number;
  /** Smoothed over the last seconds; 0 while nothing arrives. */
  readonly bytesPerSecond: number;
  /** `waiting`: the connection broke, and it is tried again soon. `renewing`: the link expired. */
  readonly state: 'receiving' | 'waiting' | 'renewing';
}

export interface DownloadOptions {
  readonly link: LinkSource;
  /** Absolute path of the file that the archive becomes. */
  readonly target: string;
  /** Whether a file of that name may be replaced. */
  readonly overwrite: boolean;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeouts: RequestTimeouts;
  /** Ends the download; nothing of it is left behind. */
  readonly signal: AbortSignal;
  /** Called about ten times a second while bytes arrive, at each change of state, and at the end. */
  onProgress(progress: DownloadProgress): void;
}

export function downloadBundle(_options: DownloadOptions): Promise<DownloadedArchive> {
  throw new Error('Not written yet');
}

/** A good name for the bundle of a site, in the folder: `docs.example.com-2026-11-21.tar.gz`. */
export function pathForDownload(_folder: string, _exportDomain: string, _date: Date): string {
  throw new Error('Not written yet');
}
