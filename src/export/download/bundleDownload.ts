/** Downloads a bundle to disk, complete or not at all, however often the connection breaks. */
import path from 'node:path';
import { systemErrorCode } from '../../common/errorCode';
import { ReportedError } from '../../common/errors';
import type { GuardedRequest, RequestTimeouts } from '../../common/http/guardedRequest';
import { hostOf } from '../../common/http/responseErrors';
import type { Clock, Fetch, Log } from '../../common/ports';
import { isDeviceName } from '../../common/text/deviceNames';
import { archiveStart } from '../archive/archiveFile';
import { TAR_BLOCK_BYTES } from '../archive/tarHeaders';
import { ExportError, isTransient, type ExportErrorCode } from '../exportErrors';
import type { DownloadedArchive } from '../job/record';
import { isExpired, type BundleLink, type LinkSource } from './bundleLink';
import { PartFile, type OpenFile } from './partFile';
import {
  ifRangeFor,
  isSameArchive,
  requestArchive,
  type StoreReply,
  type ArchiveValidators,
} from './storeRequest';

export interface DownloadOptions {
  readonly link: LinkSource;
  /** Absolute path of the downloaded file. */
  readonly target: string;
  /** Whether an existing file can be replaced. */
  readonly overwrite: boolean;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeouts: RequestTimeouts;
  /** Cancels the download and removes everything, unless `keepsPart` is set. */
  readonly signal: AbortSignal;
  /** Whether a canceled download can be continued by the next one. */
  readonly keepsPart?: boolean;
  /** Reports progress about ten times a second while bytes arrive, at each change of state, and at the end. */
  onProgress(progress: DownloadProgress): void;
  /** Random number from 0 to 1, which varies the waits. */
  readonly random: () => number;
  /** Absolute path of the built `hashWorker.ts`. Without it, the file is hashed at its end. */
  readonly hashScript?: string;
  readonly openFile?: OpenFile;
  /** Maximum size of an archive whose server gives no size. */
  readonly maxUnannouncedBytes?: number;
}

/**
 * Downloads a bundle into a hidden part file next to `target`, which is renamed when it is complete.
 *
 * After a broken or silent connection the download continues with `Range` and `If-Range`. It waits
 * after a 5xx or 429, and ends after six tries in a row without a new byte. A link that has expired or
 * that the server refuses is renewed once, and again after any progress. If the archive has changed,
 * the download starts over, at most three times. The part file stays if the next call can continue
 * it, and is removed otherwise.
 *
 * @throws {ExportError} before a request: `already-exists`, `download-under-way`, `not-writable`;
 * after that also `link-refused`, `link-expired`, `store-refused`, `download-broken`,
 * `export-rate-limited`, `bundle-changed`, `bundle-size-wrong`, `not-an-archive`, `disk-full`; and
 * what renewing throws.
 * @throws {DocsAssistantError} `insecure-connection`, `proxy-refused`.
 * @throws the signal's reason.
 */
export async function downloadBundle(options: DownloadOptions): Promise<DownloadedArchive> {
  const { signal, log, keepsPart = false } = options;
  signal.throwIfAborted();
  const part = await PartFile.claim(options);
  const download = new Download(options, part);
  try {
    return await download.run();
  } catch (error) {
    const isWanted = !signal.aborted || keepsPart;
    const isKept = isWanted && download.canBeResumed && !isFinal(error);
    // The error of the download matters, so an error of the cleanup is only logged.
    await (isKept ? part.keep() : part.discard()).catch((left: unknown) => {
      log.warn(`A part file could not be cleaned up: ${systemErrorCode(left) ?? 'unknown'}`);
    });
    throw error;
  }
}

/** Codes of failures after which the downloaded bytes are of no use. */
const finalCodes: readonly ExportErrorCode[] = [
  'bundle-changed',
  'bundle-size-wrong',
  'not-an-archive',
  'disk-full',
];

function isFinal(error: unknown): boolean {
  return error instanceof ExportError && finalCodes.includes(error.code);
}

const MAX_TRIES_WITHOUT_A_BYTE = 6;
const MAX_RESTARTS = 3;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

/** A longer wait that the server asks for is reported to the user instead. */
const MAX_TOLD_WAIT_MS = 5 * 60 * 1000;

/** A link that expires within this time is renewed before it is used. */
const EXPIRY_MARGIN_MS = 5000;

/** Default limit without a known size. The largest bundles have a few gigabytes (field-notes.md § Static export). */
const MAX_UNANNOUNCED_BYTES = 64 * 1024 ** 3;

/** Result of one request for the archive that did not throw. */
type Outcome =
  | { readonly name: 'complete' }
  /** Another try after a wait may succeed. */
  | {
      readonly name: 'broken';
      readonly error?: unknown;
      readonly status?: number;
      readonly waitMs?: number;
    }
  /** Another try with a new link may succeed. Otherwise this is the error. */
  | { readonly name: 'refused'; readonly error: ExportError }
  /** The download has to start over. */
  | { readonly name: 'start-over'; readonly because: RestartReason };

/** Reason to start over. `no-resume`: the server can't send the rest of certainly the same archive. */
type RestartReason = 'changed' | 'no-resume';

type Body = Extract<StoreReply, { name: 'body' }>;

class Download {
  readonly #options: DownloadOptions;
  readonly #part: PartFile;
  readonly #meter: ProgressMeter;
  /** Link in use. Undefined if a new one is needed. */
  #link: BundleLink | undefined;
  /** Whether a new link has not delivered a byte yet. */
  #isLinkUnproven = false;
  /** Validators of the archive in the part file. */
  #known: ArchiveValidators | undefined;
  #restarts = 0;
  #triesWithoutAByte = 0;

  constructor(options: DownloadOptions, part: PartFile) {
    this.#options = options;
    this.#part = part;
    this.#meter = new ProgressMeter(options.clock, (progress) => options.onProgress(progress));
    const { current } = options.link;
    // This machine's clock may be wrong, so from here on only the server's response counts.
    const isUsable = current && !isExpired(current, options.clock.now(), EXPIRY_MARGIN_MS);
    this.#link = isUsable ? current : undefined;
  }

  /** Whether a later call can continue the part file. */
  get canBeResumed(): boolean {
    const { etag, lastModified } = this.#known ?? {};
    return this.#part.sizeBytes > 0 && (etag ?? lastModified) !== undefined;
  }

  async run(): Promise<DownloadedArchive> {
    const { signal, log, target } = this.#options;
    this.#known = await this.#part.open();
    if (this.#part.sizeBytes > 0) log.info(`A download goes on at byte ${this.#part.sizeBytes}`);
    for (;;) {
      const outcome = await this.#attempt();
      signal.throwIfAborted();
      switch (outcome.name) {
        case 'complete': {
          const { sizeBytes } = this.#part;
          const sha256 = await this.#part.finish(signal);
          this.#meter.finish(sizeBytes);
          return { path: target, sizeBytes, sha256 };
        }
        case 'broken':
          await this.#wait(outcome);
          break;
        case 'refused':
          if (this.#isLinkUnproven) throw outcome.error;
          this.#link = undefined;
          break;
        case 'start-over':
          await this.#startOver(outcome.because);
      }
    }
  }

  async #attempt(): Promise<Outcome> {
    try {
      const link = (this.#link ??= await this.#renew());
      const ifRange = this.#known && ifRangeFor(this.#known, link.url);
      const from = this.#part.sizeBytes;
      if (from > 0 && ifRange === undefined) return { name: 'start-over', because: 'no-resume' };
      const reply = await requestArchive({ ...this.#options, url: link.url, from, ifRange });
      switch (reply.name) {
        case 'body':
          try {
            return await this.#take(reply, link);
          } finally {
            reply.request.close();
          }
        case 'busy':
          return { ...reply, name: 'broken' };
        case 'out-of-range':
          return { name: 'start-over', because: 'changed' };
        case 'refused':
          return { name: 'refused', error: this.#refusal(reply, link) };
      }
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      const { retryAt } = error.details;
      const waitMs = retryAt === undefined ? 0 : retryAt - this.#options.clock.now();
      return { name: 'broken', error, waitMs };
    }
  }

  async #renew(): Promise<BundleLink> {
    const { link, log, signal } = this.#options;
    this.#meter.pause(this.#part.sizeBytes, 'renewing');
    log.info('The bundle link has expired or was refused. Getting a new one');
    const fresh = await link.renew(signal);
    this.#isLinkUnproven = true;
    return fresh;
  }

  async #take(body: Body, link: BundleLink): Promise<Outcome> {
    const { totalBytes } = body.validators;
    if (totalBytes !== undefined && (link.sizeBytes ?? totalBytes) !== totalBytes) {
      // The archive may be newer than the link. A new link has its size.
      return { name: 'refused', error: new ExportError('bundle-size-wrong') };
    }
    const isSame = this.#known !== undefined && isSameArchive(this.#known, body.validators);
    if (body.from > 0) {
      return isSame ? this.#receive(body, link, []) : { name: 'start-over', because: 'changed' };
    }
    const head = await readHead(body.request);
    if (archiveStart(Buffer.concat(head)) === undefined) {
      // In the middle of a download, a proxy or a sign-in page has responded instead.
      if (this.#part.sizeBytes > 0) return { name: 'broken', status: 200 };
      const entry = path.basename(this.#options.target);
      throw new ExportError('not-an-archive', { entry, host: hostOf(link.url) });
    }
    if (this.#part.sizeBytes > 0) await this.#startOver(isSame ? 'no-resume' : 'changed');
    await this.#begin(body);
    return this.#receive(body, link, head);
  }

  /** Saves the archive's validators before its first byte. */
  async #begin({ validators, isEncoded }: Body): Promise<void> {
    const { address, totalBytes } = validators;
    // Ranges count encoded bytes, so a decoded file can't be continued.
    this.#known = isEncoded ? { address } : validators;
    await this.#part.note(this.#known);
    await this.#part.assertRoom(totalBytes ?? 0);
  }

  async #receive(body: Body, link: BundleLink, head: readonly Uint8Array[]): Promise<Outcome> {
    const { totalBytes } = body.validators;
    const announced = totalBytes ?? (body.isEncoded ? undefined : link.sizeBytes);
    const limit = announced ?? this.#options.maxUnannouncedBytes ?? MAX_UNANNOUNCED_BYTES;
    this.#meter.start(this.#part.sizeBytes, announced);
    for (const bytes of head) await this.#append(bytes, limit);
    for (;;) {
      const bytes = await body.request.read().catch((error: unknown) => {
        // All bytes have arrived, so the end of the connection doesn't matter.
        if (this.#part.sizeBytes === totalBytes) return undefined;
        throw error;
      });
      if (!bytes) break;
      await this.#append(bytes, limit);
    }
    const { sizeBytes } = this.#part;
    if (totalBytes !== undefined && sizeBytes < totalBytes) return { name: 'broken' };
    if (sizeBytes !== (announced ?? sizeBytes)) throw new ExportError('bundle-size-wrong');
    return { name: 'complete' };
  }

  async #append(bytes: Uint8Array, limit: number): Promise<void> {
    if (this.#part.sizeBytes + bytes.length > limit) throw new ExportError('bundle-size-wrong');
    await this.#part.append(bytes);
    this.#triesWithoutAByte = 0;
    this.#isLinkUnproven = false;
    this.#meter.received(this.#part.sizeBytes);
  }

  async #wait(broken: Extract<Outcome, { name: 'broken' }>): Promise<void> {
    const { clock, log, signal, random } = this.#options;
    const { waitMs: toldMs = 0 } = broken;
    await this.#part.flush();
    if (toldMs > MAX_TOLD_WAIT_MS) {
      const retryAt = clock.now() + toldMs;
      throw new ExportError('export-rate-limited', { ...this.#details(broken), retryAt });
    }
    this.#triesWithoutAByte += 1;
    if (this.#triesWithoutAByte > MAX_TRIES_WITHOUT_A_BYTE) throw this.#brokenError(broken);
    const longest = Math.min(FIRST_WAIT_MS * 2 ** (this.#triesWithoutAByte - 1), MAX_WAIT_MS);
    const waitMs = Math.max(longest * (0.5 + random() / 2), toldMs);
    this.#meter.pause(this.#part.sizeBytes, 'waiting');
    log.debug(
      `A download broke off at byte ${this.#part.sizeBytes}; next try in ${Math.round(waitMs)} ms`,
    );
    await clock.delay(waitMs, signal);
  }

  async #startOver(because: RestartReason): Promise<void> {
    this.#restarts += 1;
    if (this.#restarts > MAX_RESTARTS) {
      throw because === 'changed' ? new ExportError('bundle-changed') : this.#brokenError({});
    }
    this.#options.log.info(
      because === 'changed'
        ? 'The archive changed at the store: the download starts over'
        : 'The store cannot go on with the archive: the download starts over',
    );
    await this.#part.startOver();
    this.#known = undefined;
  }

  #brokenError(broken: { readonly error?: unknown; readonly status?: number }): unknown {
    // Without a link the error came from the export API.
    if (this.#link === undefined && broken.error !== undefined) return broken.error;
    return new ExportError('download-broken', this.#details(broken));
  }

  #refusal(reply: Extract<StoreReply, { name: 'refused' }>, link: BundleLink): ExportError {
    const { status, code } = reply;
    const isOver = reply.isExpired || isExpired(link, this.#options.clock.now());
    return new ExportError(isOver ? 'link-expired' : 'store-refused', {
      host: hostOf(link.url),
      status,
      causeCode: code,
    });
  }

  #details({ error, status }: { readonly error?: unknown; readonly status?: number }): {
    host: string | undefined;
    status: number | undefined;
    causeCode: string | undefined;
    cause: unknown;
  } {
    return {
      host: this.#link && hostOf(this.#link.url),
      status,
      causeCode: error instanceof ReportedError ? error.details.causeCode : undefined,
      cause: error,
    };
  }
}

/** Codes of failures that another try of a download would meet again. */
const lastingCodes = new Set(['bad-answer', 'insecure-connection', 'proxy-refused']);

/** Returns whether another try may succeed after a failure of the network or a service. */
function isPassing(error: unknown): error is ReportedError {
  return isTransient(error) && !lastingCodes.has(error.code);
}

/** Returns the first chunks of a body, enough to recognize an archive, or all of them. */
async function readHead(request: GuardedRequest): Promise<Uint8Array[]> {
  const head: Uint8Array[] = [];
  let length = 0;
  while (length < TAR_BLOCK_BYTES) {
    const bytes = await request.read();
    if (!bytes) break;
    head.push(bytes);
    length += bytes.length;
  }
  return head;
}

/**
 * Returns a path such as `docs.example.com-2026-11-21.tar.gz` in a folder. The name is valid on every
 * system. The day is that of the local time zone.
 */
export function pathForDownload(folder: string, exportDomain: string, date: Date): string {
  const plain = exportDomain.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '');
  const site = plain.slice(0, 100) || 'site';
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  const name = `${site}-${day}.tar.gz`;
  return path.join(folder, isDeviceName(name) ? `site-${name}` : name);
}

export interface DownloadProgress {
  /** Bytes of the archive that have arrived, including those of earlier tries. */
  readonly receivedBytes: number;
  /** Size of the archive, once it is known. */
  readonly totalBytes?: number;
  /** Average over the last seconds. 0 while nothing arrives. */
  readonly bytesPerSecond: number;
  /** State. `waiting`: before another try. `renewing`: while getting a new link. */
  readonly state: 'receiving' | 'waiting' | 'renewing';
}

const REPORT_MS = 100;
const RATE_WINDOW_MS = 5000;

/** Reports the progress of a download at a readable pace, with a smooth rate. */
export class ProgressMeter {
  readonly #clock: Clock;
  readonly #onProgress: (progress: DownloadProgress) => void;
  #progress: DownloadProgress = { receivedBytes: 0, bytesPerSecond: 0, state: 'receiving' };
  #reportedAt = -Infinity;
  /** Received bytes at each report of the last seconds. */
  #samples: { readonly at: number; readonly bytes: number }[] = [];

  constructor(clock: Clock, onProgress: (progress: DownloadProgress) => void) {
    this.#clock = clock;
    this.#onProgress = onProgress;
  }

  /** Starts counting the rate at the given number of bytes. */
  start(receivedBytes: number, totalBytes: number | undefined): void {
    this.#samples = [{ at: this.#clock.now(), bytes: receivedBytes }];
    this.#report({ receivedBytes, totalBytes, bytesPerSecond: 0, state: 'receiving' });
  }

  /** Reports more bytes, if the last report is old enough. */
  received(receivedBytes: number): void {
    const now = this.#clock.now();
    if (now - this.#reportedAt < REPORT_MS) return;
    this.#samples.push({ at: now, bytes: receivedBytes });
    // The oldest sample stays until the second is old enough, so that the window is never empty.
    while ((this.#samples[1]?.at ?? now) < now - RATE_WINDOW_MS) this.#samples.shift();
    const [oldest] = this.#samples;
    const ms = now - (oldest?.at ?? now);
    const bytesPerSecond = ms > 0 ? ((receivedBytes - (oldest?.bytes ?? 0)) * 1000) / ms : 0;
    this.#report({ ...this.#progress, receivedBytes, bytesPerSecond });
  }

  /** Reports a pause of the download. */
  pause(receivedBytes: number, state: 'waiting' | 'renewing'): void {
    this.#report({ ...this.#progress, receivedBytes, bytesPerSecond: 0, state });
  }

  /** Reports the complete download. */
  finish(receivedBytes: number): void {
    this.#report({ ...this.#progress, receivedBytes, totalBytes: receivedBytes });
  }

  #report(progress: DownloadProgress): void {
    this.#progress = progress;
    this.#reportedAt = this.#clock.now();
    this.#onProgress(progress);
  }
}
