/** The bundle of an export's job: its link, and its download. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { joined } from '../../common/text/strings';
import { isIntactArchive } from '../../export/archive/unpack';
import { downloadText } from '../../export/commands/texts';
import { downloadBundle } from '../../export/download/bundleDownload';
import type { BundleLink } from '../../export/download/bundleLink';
import { newBundleLink } from '../../export/job/jobFlow';
import type { JobEvent } from '../../export/job/jobState';
import { errorOfRecord, type DownloadedArchive } from '../../export/job/record';
import { durationText, sizeText } from '../../shared/units';
import { shownPath } from '../places';
import { type ExportSession, patiently } from './exportSession';
import type { KeptJob } from './keptJobs';

/**
 * Generates a link to the bundle of a completed job.
 * @throws {ExportError} `job-failed` for a job that is known to have failed: the service would only say that it
 * hasn't completed yet.
 */
export async function makeLink(
  session: ExportSession,
  job: KeptJob,
  signal = session.signal,
): Promise<BundleLink> {
  const failure = job.record.outcome === 'failed' ? errorOfRecord(job.record) : undefined;
  if (failure) throw failure;
  const apply = (event: JobEvent): Promise<KeptJob> => session.jobs.apply(job, event);
  return patiently(session, () => newBundleLink(session, job.record, apply, signal));
}

/** A downloaded bundle. The link is absent if the file had been downloaded before. */
interface Download {
  readonly archive: DownloadedArchive;
  readonly link?: BundleLink;
}

/**
 * Downloads the bundle of a completed job. A download that was interrupted or killed continues
 * where it stopped, and a complete one is not repeated, unless the archive is damaged.
 * @param output absolute path of the archive. An existing file is replaced when the download is
 * complete.
 */
export async function downloadTo(
  session: ExportSession,
  job: KeptJob,
  output: string,
): Promise<Download> {
  const { clock, context, fetch, jobs, log, random, reporter, signal, timeouts } = session;
  const { t } = context;
  const known = job.record.archive;
  if (known?.path === output && (await isUnchanged(known))) {
    if (await isIntactArchive(output, signal)) {
      tellDownloaded(session, known);
      return { archive: known };
    }
    const name = shownPath(output, context.cwd);
    reporter.warn(undefined, t('{0} is damaged. Downloading it again.', name));
  }
  let link = await makeLink(session, job);
  const archive = await patiently(session, () =>
    downloadBundle({
      target: output,
      overwrite: true,
      keepsPart: true,
      fetch,
      clock,
      log,
      random,
      timeouts,
      signal,
      hashScript: path.join(context.distFolder, 'hashArchive.js'),
      link: {
        get current() {
          return link;
        },
        renew: async (stop) => (link = await makeLink(session, job, stop)),
      },
      onProgress: (progress) => {
        const { message, percent } = downloadText(progress, t);
        const { bytesPerSecond, receivedBytes, state, totalBytes } = progress;
        const leftMs =
          totalBytes === undefined || bytesPerSecond <= 0
            ? undefined
            : ((totalBytes - receivedBytes) / bytesPerSecond) * 1000;
        reporter.progress(
          `download:${state}`,
          { event: 'downloading', ...progress },
          joined([
            t('Downloading: {0}', message),
            percent === undefined ? undefined : t('{0} %', Math.floor(percent)),
            leftMs === undefined ? undefined : t('{0} left', durationText(leftMs + 999, t)),
          ]),
          { isBrief: state !== 'waiting' },
        );
      },
    }),
  ).catch((error: unknown) => {
    if (signal.aborted) {
      const sentence = t('The downloaded part is kept. Run the same command again to continue.');
      reporter.warn(undefined, sentence);
    }
    throw error;
  });
  await jobs.apply(job, { name: 'files-noted', archive });
  tellDownloaded(session, archive);
  return { archive, link };
}

function tellDownloaded(
  { context: { cwd, t }, reporter }: ExportSession,
  { path, sizeBytes, sha256 }: DownloadedArchive,
): void {
  reporter.tell(
    { event: 'downloaded', file: path, sizeBytes, sha256 },
    t('Downloaded {0} ({1}, SHA-256 {2}).', shownPath(path, cwd), sizeText(sizeBytes), sha256),
  );
}

/** Returns whether the file is still the archive that was downloaded. */
async function isUnchanged({ path, sizeBytes, sha256 }: DownloadedArchive): Promise<boolean> {
  try {
    if ((await stat(path)).size !== sizeBytes) return false;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex') === sha256;
  } catch {
    return false;
  }
}
