/** Runs the survey of a site outside the caller's thread. */
import { ownResult } from '../../common/workerTask';
import { ExportError } from '../exportErrors';
import { pageProgressSchema, runInWorker } from '../workerTask';
import type { HostingSite } from './hostingSite';
import type { SurveyOptions } from './surveySite';

/**
 * Surveys a site in a worker thread, which ends when the survey is complete or the signal aborts.
 *
 * @param options.script absolute path of the built `surveyWorker.ts`.
 * @throws {ExportError} `file-gone`, `no-pages` for a folder without pages, or `check-failed`.
 */
export async function surveyInWorker(
  options: SurveyOptions & { readonly script: string },
): Promise<HostingSite> {
  const { script, root, redirects, signal, onProgress } = options;
  const site = await runInWorker({
    script,
    signal,
    onProgress,
    progressSchema: pageProgressSchema,
    data: { root, redirects },
    resultSchema: ownResult<HostingSite>(),
    failure: { code: 'check-failed', path: root },
  });
  if (site.pages === 0) throw new ExportError('no-pages', { path: root });
  return site;
}
