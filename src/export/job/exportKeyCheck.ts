import { GuardedRequest } from '../../common/http/guardedRequest';
import type { NewId } from '../../common/ports';
import { ExportError } from '../exportErrors';
import { ExportClient, type ExportClientPorts } from './client';
import type { ExportEndpoint } from './exports';

/**
 * Checks an admin key without starting a job. It asks for the status of a job that doesn't exist,
 * with the key and, if the API doesn't know the job, without.
 *
 * @returns `unclear` if the API says the same without a key, as one at a wrong URL does.
 * @throws the errors of {@link ExportClient.jobStatus}, except `unknown-job`.
 * @see platform-api.md § Get static export job status
 */
export async function checkExportKey(
  endpoint: ExportEndpoint,
  ports: ExportClientPorts & { readonly newId: NewId },
  signal: AbortSignal,
): Promise<'accepted' | 'unclear'> {
  const jobId = `setup-check-${ports.newId()}`;
  try {
    await new ExportClient(ports).jobStatus(endpoint, jobId, signal);
    return 'unclear';
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== 'unknown-job') throw error;
  }
  const url = `${endpoint.url}/v1/static-export/jobs/${jobId}`;
  const guarded = new GuardedRequest({ ...ports, url, signal, settings: ports.timeouts() });
  try {
    const { status } = await guarded.send({ method: 'GET', redirect: 'manual' });
    return status === 401 || status === 403 ? 'accepted' : 'unclear';
  } finally {
    guarded.close();
  }
}
