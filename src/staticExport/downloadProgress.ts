import type { Clock } from '../common/ports';

/** How far a download is. */
export interface DownloadProgress {
  /** Bytes of the archive that have arrived, of earlier tries included. */
  readonly receivedBytes: number;
  /** Size of the archive, once the store or the link told it. */
  readonly totalBytes?: number;
  /** Smoothed over the last seconds; 0 while nothing arrives. */
  readonly bytesPerSecond: number;
  /** `waiting`: the connection broke, and it is tried again soon. `renewing`: the link expired. */
  readonly state: 'receiving' | 'waiting' | 'renewing';
}

const REPORT_MS = 100;
const RATE_WINDOW_MS = 5000;

/** Tells of a download as often as it is worth looking at, with a rate that does not flicker. */
export class ProgressMeter {
  readonly #clock: Clock;
  readonly #onProgress: (progress: DownloadProgress) => void;
  #progress: DownloadProgress = { receivedBytes: 0, bytesPerSecond: 0, state: 'receiving' };
  #reportedAt = -Infinity;
  /** Where the download was at each report of the last seconds, since bytes began to arrive. */
  #samples: { readonly at: number; readonly bytes: number }[] = [];

  constructor(clock: Clock, onProgress: (progress: DownloadProgress) => void) {
    this.#clock = clock;
    this.#onProgress = onProgress;
  }

  /** Bytes begin to arrive behind those that are there; the rate is counted from here. */
  start(receivedBytes: number, totalBytes: number | undefined): void {
    this.#samples = [{ at: this.#clock.now(), bytes: receivedBytes }];
    const size = totalBytes === undefined ? {} : { totalBytes };
    this.#report({ receivedBytes, ...size, bytesPerSecond: 0, state: 'receiving' });
  }

  /** More bytes are there. */
  received(receivedBytes: number): void {
    const now = this.#clock.now();
    if (now - this.#reportedAt < REPORT_MS) return;
    this.#samples.push({ at: now, bytes: receivedBytes });
    // The oldest stays until the second is old enough itself: the window is never empty.
    while ((this.#samples[1]?.at ?? now) < now - RATE_WINDOW_MS) this.#samples.shift();
    const [oldest] = this.#samples;
    const ms = now - (oldest?.at ?? now);
    const bytesPerSecond = ms > 0 ? ((receivedBytes - (oldest?.bytes ?? 0)) * 1000) / ms : 0;
    this.#report({ ...this.#progress, receivedBytes, bytesPerSecond });
  }

  /** Nothing arrives for now. */
  pause(receivedBytes: number, state: 'waiting' | 'renewing'): void {
    this.#report({ ...this.#progress, receivedBytes, bytesPerSecond: 0, state });
  }

  /** The last bytes are there. */
  finish(receivedBytes: number): void {
    this.#report({ ...this.#progress, receivedBytes, totalBytes: receivedBytes });
  }

  #report(progress: DownloadProgress): void {
    this.#progress = progress;
    this.#reportedAt = this.#clock.now();
    this.#onProgress(progress);
  }
}
