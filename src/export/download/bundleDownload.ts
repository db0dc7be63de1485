/** Brings a bundle to disk: whole or not at all, however often the way breaks off. */
import path from 'node:path';
import { DocsAssistantError } from '../common/errors';
import type { GuardedRequest, RequestTimeouts } from '../common/guardedRequest';
import type { Clock, Fetch, Log } from '../common/ports';
import { hostOf } from '../common/responseErrors';
import { archiveStart } from './archive/archiveStart';
import { TAR_BLOCK_BYTES } from './archive/tarHeader';
import { isExpired, type BundleLink, type LinkSource } from './bundle';
import { ProgressMeter, type DownloadProgress } from './downloadProgress';
import { ExportError, isTransient, type ExportErrorCode } from './exportErrors';
import type { DownloadedArchive } from './exportRecord';
import { fileErrorCode } from './fileErrors';
import { PartFile, type OpenFile } from './partFile';
import {
  ifRangeFor,
  isSameArchive,
  requestArchive,
  type StoreReply,
  type Validators,
} from './storeRequest';

export type { DownloadProgress } from './downloadProgress';

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
  /** 0 to 1, for the jitter of waits. */
  readonly random?: () => number;
  /** Opens the part file. */
  readonly openFile?: OpenFile;
  /**
   * Absolute path of the built `hashWorker.ts`, which hashes the archive in a thread of its own.
   * Without it, or if it fails, this thread does.
   */
  readonly hashScript?: string;
  /** The most bytes that are taken from a store that does not say how many there are. */
  readonly maxUnannouncedBytes?: number;
}

/**
 * Downloads a bundle into a hidden part file beside `target`, which gets its name when it is whole.
 *
 * A broken or silent connection goes on where it was, with `Range` and `If-Range`; 5xx and 429 are
 * waited out; six tries in a row without a new byte end it. A link that expired, or that the store
 * refuses for any reason, is renewed once, and again after every progress. An archive that changed
 * starts over, three times at most. The part file stays for the next call where that can go on
 * with it, and is removed in all other cases.
 *
 * @throws {ExportError} before a request: `already-exists`, `download-under-way`, `not-writable`;
 * then also `link-refused`, `link-expired`, `store-refused`, `download-broken`,
 * `export-rate-limited`, `bundle-changed`, `bundle-size-wrong`, `not-an-archive`, `disk-full`; and
 * what renewing throws.
 * @throws {DocsAssistantError} `insecure-connection`, `proxy-refused`.
 * @throws the signal's reason.
 */
export async function downloadBundle(options: DownloadOptions): Promise<DownloadedArchive> {
  const { signal, log } = options;
  signal.throwIfAborted();
  const part = await PartFile.claim(options);
  const download = new Download(options, part);
  try {
    return await download.run();
  } catch (error) {
    const isKept = !signal.aborted && download.canBeResumed && !isFinal(error);
    // What ended the download is told, not what then went wrong with its remains.
    await (isKept ? part.keep() : part.discard()).catch((left: unknown) => {
      log.warn(`A part file could not be cleaned up: ${fileErrorCode(left) ?? 'unknown'}`);
    });
    throw error;
  }
}

/** Failures that going on with the same bytes cannot mend, or where they are in the way. */
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

/** A store that asks for a longer wait than this is not waited for: the person is told. */
const MAX_TOLD_WAIT_MS = 5 * 60 * 1000;

/** A link that lasts no longer than this is renewed before it is used. */
const EXPIRY_MARGIN_MS = 5000;

/** The largest bundles have some gigabytes (field-notes.md § Static export). */
const MAX_UNANNOUNCED_BYTES = 64 * 1024 ** 3;

/** How one request for the archive ended, if not with an error. */
type Outcome =
  | { readonly name: 'complete' }
  /** Worth another try after a wait. */
  | {
      readonly name: 'broken';
      readonly error?: unknown;
      readonly status?: number;
      readonly waitMs?: number;
    }
  /** Worth another try with a fresh link; else this is the error. */
  | { readonly name: 'refused'; readonly error: ExportError }
  /** The file is to be fetched from its start. */
  | { readonly name: 'start-over'; readonly because: RestartReason };

/** `no-resume`: the store cannot give the rest of an archive, or not surely of the same one. */
type RestartReason = 'changed' | 'no-resume';

type Body = Extract<StoreReply, { name: 'body' }>;

class Download {
  readonly #options: DownloadOptions;
  readonly #part: PartFile;
  readonly #meter: ProgressMeter;
  /** Undefined while a fresh one is due. */
  #link: BundleLink | undefined;
  /** True until a fresh link brought a byte. */
  #isLinkUnproven = false;
  /** Of which archive the part file is. */
  #known: Validators | undefined;
  #restarts = 0;
  #triesWithoutAByte = 0;

  constructor(options: DownloadOptions, part: PartFile) {
    this.#options = options;
    this.#part = part;
    this.#meter = new ProgressMeter(options.clock, (progress) => options.onProgress(progress));
    const { current } = options.link;
    // By this machine's clock, which may be wrong: from here on only the store's word counts.
    const isUsable = current && !isExpired(current, options.clock.now(), EXPIRY_MARGIN_MS);
    this.#link = isUsable ? current : undefined;
  }

  /** True if a later call can go on where this one ended. */
  get canBeResumed(): boolean {
    const { etag, lastModified } = this.#known ?? {};
    return this.#part.sizeBytes > 0 && (etag ?? lastModified) !== undefined;
  }

  async run(): Promise<DownloadedArchive> {
    const { signal, log, target } = this.#options;
    this.#known = await this.#part.open(signal);
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
    log.info('The bundle’s link has expired or is refused: getting a fresh one');
    const fresh = await link.renew(signal);
    this.#isLinkUnproven = true;
    return fresh;
  }

  async #take(body: Body, link: BundleLink): Promise<Outcome> {
    const { totalBytes } = body.validators;
    if (totalBytes !== undefined && (link.sizeBytes ?? totalBytes) !== totalBytes) {
      // The archive may be a newer one than the link: a fresh link knows its size.
      return { name: 'refused', error: new ExportError('bundle-size-wrong') };
    }
    const isSame = this.#known !== undefined && isSameArchive(this.#known, body.validators);
    if (body.from > 0) {
      return isSame ? this.#receive(body, link, []) : { name: 'start-over', because: 'changed' };
    }
    const head = await readHead(body.request);
    if (archiveStart(Buffer.concat(head)) === undefined) {
      // In the middle of a download it is a proxy or a sign-in page that answers for the store.
      if (this.#part.sizeBytes > 0) return { name: 'broken', status: 200 };
      const entry = path.basename(this.#options.target);
      throw new ExportError('not-an-archive', { entry });
    }
    if (this.#part.sizeBytes > 0) await this.#startOver(isSame ? 'no-resume' : 'changed');
    await this.#begin(body);
    return this.#receive(body, link, head);
  }

  /** Notes what the archive is, before its first byte. */
  async #begin({ validators, isEncoded }: Body): Promise<void> {
    const { address, totalBytes } = validators;
    // Ranges count the encoded bytes, so that nothing that was decoded can be gone on with.
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
        // All is there: how the connection ends does not matter any more.
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
    const { clock, log, signal, random = Math.random } = this.#options;
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
    // Without a link it was the export API that could not be reached, and its error says so.
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
      causeCode: error instanceof DocsAssistantError ? error.details.causeCode : undefined,
      cause: error,
    };
  }
}

/** True for a failure of the network or a service that another try may not meet. */
function isPassing(error: unknown): error is DocsAssistantError | ExportError {
  if (error instanceof ExportError) return error.code === 'export-rate-limited';
  if (!(error instanceof DocsAssistantError) || !isTransient(error)) return false;
  return error.code !== 'insecure-connection' && error.code !== 'proxy-refused';
}

/** The first pieces of a body, enough to see what it is, or all there are. */
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

/** Names that Windows keeps for devices, with any ending. */
const reservedNames = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A good name for the bundle of a site, in the folder: `docs.example.com-2026-11-21.tar.gz`, good
 * on every system. The day is the reader's own.
 */
export function pathForDownload(folder: string, exportDomain: string, date: Date): string {
  const plain = exportDomain.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '');
  const site = plain.slice(0, 100) || 'site';
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  const name = `${site}-${day}.tar.gz`;
  return path.join(folder, reservedNames.test(name) ? `site-${name}` : name);
}
