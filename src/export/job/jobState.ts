/**
 * The state of a job, which is its record, and how events change it (platform-api.md § States and
 * transitions). It has no clock and no network, so that a table of tests can cover every path.
 */
import { withoutUndefined } from '../../common/withoutUndefined';
import { bundleAddress, type BundleLink } from '../download/bundleLink';
import type { JobAnswer } from './answers';
import type { StartedJob } from './client';
import type { ExportTarget } from './exports';
import { percentOf } from './jobProgress';
import type { BundlePlaces, ExportRecord } from './record';
import type { ResultKind } from './results';

/** Event of a job. `at` is in milliseconds since the epoch. */
export type JobEvent =
  | { readonly name: 'answered'; readonly answer: JobAnswer; readonly at: number }
  /** Requests can't continue. The event has a code and the service's own message. */
  | {
      readonly name: 'refused';
      readonly errorCode: string;
      readonly errorMessage?: string;
      readonly at: number;
    }
  | { readonly name: 'watched-again' }
  /** *Generate export bundle* reported that the job is not completed (faults.md B5). */
  | { readonly name: 'bundle-refused' }
  | { readonly name: 'bundle-linked'; readonly link: BundleLink }
  | ({ readonly name: 'files-noted' } & BundlePlaces)
  /** A result about the bundle with this digest. */
  | {
      readonly name: 'result-noted';
      readonly kind: ResultKind;
      readonly result: { readonly at: number; readonly sha256?: string };
    };

/** Returns the record of a job that has just been started. */
export function newRecord(
  id: string,
  { apiUrl, exportDomain, label, paths }: ExportTarget,
  { jobId, leftOut }: StartedJob,
  startedAt: number,
): ExportRecord {
  return withoutUndefined({
    schemaVersion: 1 as const,
    id,
    apiUrl,
    exportDomain,
    jobId,
    label,
    paths: paths?.length === 0 ? undefined : paths,
    leftOut: leftOut.length === 0 ? undefined : leftOut,
    startedAt,
    outcome: 'running' as const,
  });
}

/** Returns whether the service itself has ended the job. */
export function hasEnded({ outcome }: ExportRecord): boolean {
  return outcome === 'completed' || outcome === 'failed';
}

/**
 * Returns the record after an event, or the record itself if the event changes nothing. Responses
 * can't change a job that has ended, because a response of an earlier request may arrive late, and
 * another window or command may have stored the end. A job that couldn't be tracked takes what the
 * service says now.
 */
export function nextRecord(record: ExportRecord, event: JobEvent): ExportRecord {
  switch (event.name) {
    case 'answered':
      return hasEnded(record) ? record : afterAnswer(record, event.answer, event.at);
    case 'refused': {
      const { at: endedAt, errorCode, errorMessage } = event;
      return hasEnded(record)
        ? record
        : changed(record, { outcome: 'unwatchable', endedAt, errorCode, errorMessage });
    }
    case 'watched-again':
      return record.outcome === 'unwatchable'
        ? changed(record, { ...runs, watchRound: (record.watchRound ?? 0) + 1 })
        : record;
    case 'bundle-refused':
      return record.outcome === 'completed' || record.outcome === 'unwatchable'
        ? changed(record, runs)
        : record;
    case 'bundle-linked':
      return afterLink(record, event.link);
    case 'files-noted': {
      const { archive = record.archive, siteFolder } = event;
      return siteFolder === undefined
        ? changed(record, { archive })
        : changed(record, { archive, siteFolder, siteSha256: archive?.sha256 });
    }
    case 'result-noted': {
      const { kind, result } = event;
      const results = { ...record.results, [kind]: withoutUndefined(result) };
      return { ...record, results };
    }
    default:
      return event satisfies never;
  }
}

/** Fields of a job that runs. The values of an earlier end are removed. */
const runs = {
  outcome: 'running',
  endedAt: undefined,
  errorCode: undefined,
  errorMessage: undefined,
} as const;

function changed(record: ExportRecord, change: Partial<ExportRecord>): ExportRecord {
  return withoutUndefined({ ...record, ...change });
}

function afterAnswer(record: ExportRecord, answer: JobAnswer, at: number): ExportRecord {
  const { outcome, status, serviceMessage: errorMessage } = answer;
  // The service counts pages only while the job runs, so the last count is kept.
  const pages = answer.pages ?? record.pages;
  switch (outcome) {
    case 'completed':
      return changed(record, { ...runs, outcome, status, pages, endedAt: at });
    case 'failed': {
      const error = { errorCode: 'job-failed', errorMessage };
      return changed(record, { ...error, outcome, status, pages, endedAt: at });
    }
    case 'running': {
      const percent = percentOf(answer);
      const peak = record.peakPercent;
      // Another window may have shown a higher percent.
      const peakPercent = percent === undefined ? peak : Math.max(percent, peak ?? 0);
      return changed(record, { ...runs, status, pages, peakPercent });
    }
    default:
      return outcome satisfies never;
  }
}

/**
 * Returns the percent to show after an answer of a running job. The bar never goes below its peak, and
 * is absent unless the service's number is certainly a share of the whole.
 */
export function shownPercent(record: ExportRecord, answer: JobAnswer): number | undefined {
  return percentOf(answer) === undefined ? undefined : record.peakPercent;
}

/** Maximum number of bundle URLs in a record. */
const MAX_BUNDLE_ADDRESSES = 10;

/** Keeps what may be stored of a link: its URL without the query, and its expiry. */
function afterLink(record: ExportRecord, { url, expiresAt }: BundleLink): ExportRecord {
  const address = bundleAddress(url);
  const others = (record.bundleAddresses ?? []).filter((other) => other !== address);
  const bundleAddresses = [address, ...others].slice(0, MAX_BUNDLE_ADDRESSES);
  return changed(record, { bundleAddresses, linkExpiresAt: expiresAt });
}
