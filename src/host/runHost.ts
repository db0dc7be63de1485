/** Runs a host: its server, its deployment and its counts, until it is asked to end. */
import path from 'node:path';
import { Deployment, type DeploymentOptions } from './deployment';
import { problemOf } from './hostProblem';
import { startHostServer, type HostServerOptions } from './hostServer';
import { ReaderCounts } from './readerCounts';
import { VersionFolder } from './versionFolder';

/** Pause between two saves of the counts. */
const SAVE_MS = 30_000;

interface RunOptions
  extends
    Pick<
      DeploymentOptions,
      'files' | 'basePath' | 'keep' | 'clock' | 'prepare' | 'tell' | 'lookMs'
    >,
    Pick<HostServerOptions, 'service' | 'tokenFile' | 'logsRequests'> {
  /** Absolute path of the only folder that is written. */
  readonly dataFolder: string;
  readonly address: string;
  /** Port to listen on. 0 takes any free port. */
  readonly port: number;
  readonly counts: boolean;
  /** Time for running requests when the host ends. */
  readonly stopMs: number;
  /** Calls the listener each time the host is asked to fetch the bundle again. */
  readonly onRefresh: (listener: () => void) => void;
  readonly signal: AbortSignal;
}

/** Serves until the signal aborts. @throws the system's error if it can't listen. */
export async function runHost(options: RunOptions): Promise<void> {
  const { clock, dataFolder, onRefresh, signal, stopMs, tell } = options;
  const folder = new VersionFolder(dataFolder);
  const deployment = new Deployment({
    files: options.files,
    folder,
    basePath: options.basePath,
    keep: options.keep,
    clock,
    prepare: options.prepare,
    tell,
    lookMs: options.lookMs,
  });
  const counts = options.counts
    ? new ReaderCounts({ folder: path.join(dataFolder, 'counts'), clock })
    : undefined;
  await counts?.open();
  const server = await startHostServer(
    {
      deployment,
      counts,
      tokenFile: options.tokenFile,
      service: options.service,
      clock,
      logsRequests: options.logsRequests,
      tell,
    },
    options,
  );
  tell({ event: 'listening', url: server.url });
  onRefresh(() => deployment.refresh());
  const saving = counts ? keepSaving(counts, options) : Promise.resolve();
  try {
    await deployment.run(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    tell({ event: 'stopping' });
    await server.stop(stopMs);
    await saving;
    await save(counts, options);
    tell({ event: 'stopped' });
  }
}

async function keepSaving(counts: ReaderCounts, options: RunOptions): Promise<void> {
  const { clock, signal } = options;
  while (!signal.aborted) {
    await clock.delay(SAVE_MS, signal).catch(() => undefined);
    await save(counts, options);
  }
}

/** Saves the counts. A full disk must not end the host, so it is only told. */
async function save(
  counts: ReaderCounts | undefined,
  { tell }: Pick<RunOptions, 'tell'>,
): Promise<void> {
  try {
    await counts?.save();
  } catch (error) {
    const { code } = problemOf(error);
    tell({ event: 'warning', message: `The counts can’t be saved (${code})` });
  }
}
