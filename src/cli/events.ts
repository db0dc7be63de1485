/**
 * The events that the commands `export`, `bundle`, `packages` and `values` print with `--json`, one on a line.
 * docs/command-line.md documents them. `version` is raised when a field changes its meaning or is
 * removed. New events and fields can be added at any time.
 */
import type { BundleReport } from '../export/check/reportTypes';
import type { CompareProgress } from '../export/compare/compareInWorker';
import type { BundleComparison } from '../export/compare/comparison';
import type { UntaggedPage } from '../enhance/pageTag';
import type { DownloadProgress } from '../export/download/bundleDownload';
import type { PackageComparison } from '../docs/packages/comparison';

export const EVENT_VERSION = 1;

/** Fields that every event about a job has. */
export interface OfJob {
  readonly job: string;
  /** Unknown for a job that was started elsewhere and is only named by its ID. */
  readonly domain: string | undefined;
}

/** Event of a command. Times are printed in ISO 8601. */
export type CommandEvent =
  /** A job was started. `leftOut` names the options that the service doesn't take. */
  | (OfJob & {
      readonly event: 'started';
      readonly apiUrl: string;
      readonly label?: string | undefined;
      readonly paths?: readonly string[] | undefined;
      readonly leftOut?: readonly ('label' | 'paths')[] | undefined;
    })
  /** The command goes on with a job that an earlier command has started. */
  | (OfJob & { readonly event: 'taken-up'; readonly apiUrl: string; readonly startedAt: Date })
  /** The job runs. Only what the service tells is there, and the average rate of its pages. */
  | (OfJob & {
      readonly event: 'progress';
      readonly status?: string | undefined;
      readonly pages?: number | undefined;
      readonly totalPages?: number | undefined;
      readonly percent?: number | undefined;
      readonly pagesPerSecond?: number | undefined;
    })
  /** A request failed for now, and is sent again at `until`. */
  | {
      readonly event: 'waiting';
      readonly code: string;
      readonly message: string;
      readonly until: Date;
    }
  /** The job has not changed for a long time. It is asked about less often. */
  | (OfJob & { readonly event: 'stalled'; readonly since: Date })
  | (OfJob & { readonly event: 'completed'; readonly pages?: number | undefined })
  /** A presigned link was made. `url` is there only if the command line asks for it. */
  | (OfJob & {
      readonly event: 'link';
      readonly expiresAt?: Date | undefined;
      readonly sizeBytes?: number | undefined;
      readonly file?: string | undefined;
      readonly url?: string | undefined;
    })
  | ({ readonly event: 'downloading' } & DownloadProgress)
  | {
      readonly event: 'downloaded';
      readonly file: string;
      readonly sizeBytes: number;
      readonly sha256: string;
    }
  | { readonly event: 'unpacking'; readonly files: number; readonly totalFiles: number }
  | {
      readonly event: 'unpacked';
      readonly folder: string;
      readonly siteRoot: string;
      readonly files: number;
      readonly sizeBytes: number;
    }
  | { readonly event: 'checking'; readonly pages: number; readonly totalPages: number }
  /** The bundle was checked. `failed` names the kinds of `--fail-on` that were found. */
  | {
      readonly event: 'checked';
      readonly failed: readonly string[];
      readonly report: BundleReport;
    }
  | { readonly event: 'reading'; readonly pages: number; readonly totalPages: number }
  /** The configuration of a server was written. `policy` is its Content-Security-Policy. */
  | {
      readonly event: 'hosting';
      readonly server: string;
      readonly folder: string;
      readonly files: readonly string[];
      readonly policy: string;
      readonly notes: readonly string[];
    }
  | { readonly event: 'enhancing'; readonly pages: number; readonly totalPages: number }
  /** A site got search and answers. `untagged` are pages that can't have the box. */
  | {
      readonly event: 'enhanced';
      readonly folder: string;
      readonly pages: number;
      readonly sections: number;
      readonly hidden: number;
      readonly tagged: number;
      readonly untagged: readonly UntaggedPage[];
      readonly files: number;
      readonly sizeBytes: number;
    }
  /** Search and answers were taken out of a site. */
  | { readonly event: 'restored'; readonly folder: string; readonly pages: number }
  | ({ readonly event: 'comparing'; readonly percent: number } & CompareProgress)
  /** Two bundles were compared. `failed` names the kinds of `--fail-on` that were found. */
  | {
      readonly event: 'compared';
      readonly failed: readonly string[];
      readonly comparison: BundleComparison;
    }
  /** Two versions of a package were compared. `failed` names the kinds of `--fail-on` that were found. */
  | {
      readonly event: 'packages-compared';
      readonly failed: readonly string[];
      readonly comparison: PackageComparison;
    }
  | { readonly event: 'listening'; readonly url: string }
  /** A values file has the link of a bundle. `changed` is false if it had it before. */
  | {
      readonly event: 'values';
      readonly file: string;
      /** File of the Secret or the ExternalSecret. Absent with a plain link. */
      readonly manifest?: string;
      readonly changed: boolean;
      readonly expiresAt?: Date | undefined;
    }
  /** A CI workflow was written. */
  | { readonly event: 'workflow'; readonly file: string }
  /** The command ended before the job, which goes on. `command` takes it up again. */
  | (OfJob & { readonly event: 'detached'; readonly command: string })
  /** The command failed, with the exit code that it ends with. It is the last event. */
  | {
      readonly event: 'error';
      readonly code: string;
      readonly exitCode: number;
      readonly message: string;
      readonly retryAt?: Date | undefined;
    };
