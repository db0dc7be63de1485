/** The contract of the exports as the workbench uses them. See `StaticExports` for what does it. */
import type { Translate } from '../common/errors';
import type { Event } from '../common/event';
import type { RequestTimeouts } from '../common/guardedRequest';
import type { Clock, Fetch, Log, NewId } from '../common/ports';
import type { BundleLink, LinkSource } from './bundle';
import type { ExportErrorInfo } from './exportErrors';
import type { Claims, DownloadedArchive, ExportRecord, ExportRecordStore } from './exportRecord';

/** Where a job is started. */
export interface ExportTarget {
  /** As in {@link ExportRecord.apiUrl}. */
  readonly apiUrl: string;
  readonly exportDomain: string;
}

/** Opens an export API for one request. */
export interface ExportEndpoints {
  /**
   * @param apiUrl as in {@link ExportRecord.apiUrl}.
   * @returns the base address, and the admin key that was saved for its origin.
   * @throws {ExportError} `no-admin-key`, `local-service-stopped`, `workspace-not-trusted`.
   * @throws {DocsAssistantError} `secret-store-failed`.
   */
  open(apiUrl: string): Promise<{ readonly url: string; readonly adminKey: string }>;
}

/** What this window does about a job. */
export type WatchState =
  | { readonly name: 'idle' }
  | { readonly name: 'watching' }
  /** Waits trouble out; `until` (ms since the epoch) is when it asks again. */
  | { readonly name: 'waiting'; readonly error: ExportErrorInfo; readonly until: number }
  /** Nothing changed since `since`; it is still asked about, more seldom. */
  | { readonly name: 'stalled'; readonly since: number };

/** An export as it is shown. */
export interface ExportView {
  readonly record: ExportRecord;
  readonly watch: WatchState;
  /** 0 to 100, where the service told something that is surely a share of the whole. */
  readonly percent?: number;
  /** Pages in all, where the service told. */
  readonly totalPages?: number;
  /** The newest link, for as long as this window lives. May have expired. */
  readonly link?: BundleLink;
}

/** The exports of this installation, and what this window does about them. */
export interface Exports {
  /** Newest first. */
  readonly list: readonly ExportView[];
  /** Fires with the id of what was added, changed or removed. */
  readonly onDidChange: Event<string>;
  /** Fires in one window of all, once per job that completed, failed or can be watched no longer. */
  readonly onDidEnd: Event<ExportView>;
  /** Reads the records and goes on watching the jobs that run. Safe to call again. */
  restore(): Promise<void>;
  /** Starts a job and watches it. The signal gives up the wait for the answer (`start-unclear`). */
  start(target: ExportTarget, signal: AbortSignal): Promise<ExportView>;
  /** Watches again what was stopped or ended with an error that can be mended. */
  watch(id: string): Promise<void>;
  /** Stops asking about the job, which goes on at the service. */
  stopWatching(id: string): void;
  /** Takes it off the list. Files on disk stay. */
  forget(id: string): Promise<void>;
  /** The link at hand if it is good for a while, else a fresh one. */
  bundleLink(id: string, signal: AbortSignal): Promise<BundleLink>;
  linkSource(id: string): LinkSource;
  /** Notes what came of the bundle on this machine. */
  noteFiles(
    id: string,
    files: { readonly archive?: DownloadedArchive; readonly siteFolder?: string },
  ): Promise<void>;
}

/** What {@link StaticExports} works with. */
export interface ExportsPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** As `Math.random`: from 0 up to, but not with, 1. Spreads the requests of many windows. */
  readonly random: () => number;
  readonly records: ExportRecordStore;
  readonly claims: Claims;
  readonly endpoints: ExportEndpoints;
  /** Read anew for each request. */
  readonly timeouts: () => RequestTimeouts;
  /** Kept out of every sentence of a service, beside the key of the request itself. */
  readonly secrets: () => readonly string[];
  /** English unless given. */
  readonly translate?: Translate;
}
