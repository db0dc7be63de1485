/** Interface of the exports for commands and views. `StaticExports` implements it. */
import type { Event } from '../../common/event';
import type { BundleLink, LinkSource } from '../download/bundleLink';
import type { ExportErrorInfo } from '../exportErrors';
import type { BundlePlaces, ExportRecord } from './record';
import type { NewResult, ResultKind } from './results';

/** Options of a job that not every service takes (see `ExportRecord.leftOut`). */
export interface StartOptions {
  /** Label of the version, which the service keeps with the job. */
  readonly label?: string;
  /** Paths such as `/guides`. Only the pages at and below them are exported. */
  readonly paths?: readonly string[];
}

/** Site to export, and the API that exports it. */
export interface ExportTarget extends StartOptions {
  /** See {@link ExportRecord.apiUrl}. */
  readonly apiUrl: string;
  readonly exportDomain: string;
}

/** An export API and the admin key that was saved for its origin. */
export interface ExportEndpoint {
  /** Base URL in the form of `parseBaseUrl`. */
  readonly url: string;
  /** Key that is sent only in `Authorization`, and only to that origin. */
  readonly adminKey: string;
}

/** Opens an export API for one request. */
export interface ExportEndpoints {
  /**
   * Opens an export API.
   * @param apiUrl see {@link ExportRecord.apiUrl}.
   * @returns the base URL and the admin key that was saved for its origin.
   * @throws {ExportError} `no-admin-key`, `local-service-stopped`, `workspace-not-trusted`.
   * @throws {DocsAssistantError} `secret-store-failed`.
   */
  open(apiUrl: string): Promise<ExportEndpoint>;
}

/** State of this window's watch over a job. */
export type WatchState =
  | { readonly name: 'idle' }
  | { readonly name: 'watching' }
  /** Waits after a temporary failure. `until` (ms since the epoch) is the time of the next request. */
  | { readonly name: 'waiting'; readonly error: ExportErrorInfo; readonly until: number }
  /** The job has not changed since `since`, so requests are less frequent. */
  | { readonly name: 'stalled'; readonly since: number };

/** An export as the views show it. */
export interface ExportView {
  readonly record: ExportRecord;
  readonly watch: WatchState;
  /** Percent, 0 to 100. Absent unless the service's number is certainly a share of the whole. */
  readonly percent?: number;
  /** Total number of pages, if the service gave one. */
  readonly totalPages?: number;
  /** Newest link of this window. It may have expired. */
  readonly link?: BundleLink;
}

/** The exports of this installation and their watches in this window. */
export interface Exports {
  /** Exports, newest first. */
  readonly list: readonly ExportView[];
  /** Fires with the ID of an export that was added, changed or removed. */
  readonly onDidChange: Event<string>;
  /** Fires in only one window, once per job that completed, failed or can't be tracked anymore. */
  readonly onDidEnd: Event<ExportView>;
  /** Reads the records and watches the running jobs. Can be called again. */
  restore(): Promise<void>;
  /** Starts a job and watches it. The signal ends the wait for the response (`start-unclear`). */
  start(target: ExportTarget, signal: AbortSignal): Promise<ExportView>;
  /** Watches a job again after the watch was stopped or ended with an error. */
  watch(id: string): Promise<void>;
  /** Stops watching the job, which keeps running at the service. */
  stopWatching(id: string): void;
  /** Removes an export from the list. Files on disk stay. */
  forget(id: string): Promise<void>;
  /** Returns the current link if it remains valid for a while, or a new one. */
  bundleLink(id: string, signal: AbortSignal): Promise<BundleLink>;
  linkSource(id: string): LinkSource;
  /** Saves where the bundle is on this machine. */
  noteFiles(id: string, files: BundlePlaces): Promise<void>;
  /**
   * Saves a result with each export that the bundle belongs to, in place of the earlier one of its
   * kind. A bundle of no export keeps no result.
   * @param bundle absolute path of an archive or of the root of an unpacked site.
   */
  noteResult<Kind extends ResultKind>(
    bundle: string,
    kind: Kind,
    result: NewResult<Kind>,
  ): Promise<void>;
}

/** Returns the export with an ID, or undefined if there is none, as menus and trees can be out of date. */
export function findExport(
  { list }: Pick<Exports, 'list'>,
  id: string | undefined,
): ExportView | undefined {
  return list.find(({ record }) => record.id === id);
}
