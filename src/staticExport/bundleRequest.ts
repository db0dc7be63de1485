import type { Clock, Log } from '../common/ports';
import type { BundleLink } from './bundle';
import type { ExportClient, ExportEndpoint } from './exportClient';
import { isTransient } from './exportErrors';
import { backOffMs, toldWaitMs } from './pollSchedule';

const RETRIES = 3;
/** A told wait above this is told on instead of slept through (faults.md B8). */
const LONGEST_WAIT_MS = 5 * 60 * 1000;

export interface BundleRequestPorts {
  readonly client: ExportClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/**
 * Generates a bundle's link, and tries up to 3 times more, with pauses, after trouble that passes:
 * the call may be repeated at will.
 *
 * @throws as {@link ExportClient.generateBundle}.
 */
export async function requestBundle(
  { client, clock, random, log }: BundleRequestPorts,
  endpoint: ExportEndpoint,
  jobId: string,
  signal: AbortSignal,
): Promise<BundleLink> {
  for (let failures = 1; ; failures++) {
    try {
      return await client.generateBundle(endpoint, jobId, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (failures > RETRIES || !isTransient(error)) throw error;
      const pauseMs = backOffMs(failures, toldWaitMs(error, clock), random);
      if (pauseMs > LONGEST_WAIT_MS) throw error;
      log.warn(`Asking for the bundle again in ${Math.round(pauseMs)} ms (${codeOf(error)})`);
      await clock.delay(pauseMs, signal);
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
