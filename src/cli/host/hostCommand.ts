/** `docs-assistant host`: serves the site of a deployment until the process is asked to end. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { errorCodeOrName } from '../../common/errorCode';
import type { Translate } from '../../common/errors';
import { redact } from '../../common/http/redact';
import { silentLog } from '../../common/ports';
import { decodedPath } from '../../export/hosting/siteAddresses';
import { surveyInWorker } from '../../export/hosting/surveyInWorker';
import { eventText, HOST_EVENT_VERSION, type HostEvent } from '../../host/hostEvents';
import { runHost } from '../../host/runHost';
import { parseUrl } from '../../shared/links';
import { CliError, exitCodes, type CliContext } from '../context';

/** Options of the command, as the parser of arguments returns them. */
export interface HostOptions {
  readonly values: readonly string[];
  readonly data: string;
  readonly linkFile?: string;
  readonly port?: string;
  readonly address?: string;
  readonly basePath?: string;
  readonly redirects?: string;
  readonly enhance?: boolean;
  readonly service?: string;
  readonly teamTokenFile?: string;
  readonly counts: boolean;
  readonly keep?: string;
  readonly logRequests?: boolean;
  readonly json?: boolean;
}

/** Longest wait of a download for the next bytes. */
const timeouts = { headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 };

/** Time for running requests after a signal, within the 30 seconds that Kubernetes gives a container by default. */
const STOP_MS = 20_000;

/** Serves the site. @returns the exit code. A stop by a signal is the normal end. */
export async function runHostCommand(options: HostOptions, context: CliContext): Promise<number> {
  const { cwd, distFolder, signal, stdout, t } = context;
  const fileOf = (name: string): string => path.resolve(cwd, name);
  const optionalFile = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : fileOf(name);
  const port = numberOf('--port', options.port ?? '8080', 65_535, t);
  const keep = numberOf('--keep', options.keep ?? '2', 20, t);
  const address = options.address ?? '127.0.0.1';
  const refresh = new EventTarget();
  context.becomeServer?.(() => refresh.dispatchEvent(new Event('refresh')), STOP_MS + 5000);
  const tell = (event: HostEvent): void => {
    const time = new Date();
    if (options.json === true) stdout.json({ version: HOST_EVENT_VERSION, time, ...event });
    else stdout.line(`${time.toISOString()} ${eventText(event)}`);
  };
  const warn = (message: string): void => tell({ event: 'warning', message: redact(message) });
  try {
    await runHost({
      files: {
        values: options.values.map(fileOf),
        link: optionalFile(options.linkFile),
        redirects: optionalFile(options.redirects),
      },
      dataFolder: fileOf(options.data),
      address,
      port,
      basePath: basePathOf(options.basePath, t),
      service: serviceOf(options.service, t),
      tokenFile: optionalFile(options.teamTokenFile),
      counts: options.counts,
      keep,
      logsRequests: options.logRequests === true,
      stopMs: STOP_MS,
      clock: systemClock,
      onRefresh: (listener) => refresh.addEventListener('refresh', listener),
      tell,
      prepare: {
        fetch: (url, init) => globalThis.fetch(url, init),
        clock: systemClock,
        log: {
          ...silentLog,
          warn,
          error: (message, cause) => warn(`${message} (${errorCodeOrName(cause)})`),
        },
        newId: randomUUID,
        random: Math.random,
        timeouts,
        hashScript: path.join(distFolder, 'hashArchive.js'),
        survey: (root, stop) =>
          surveyInWorker({
            script: path.join(distFolder, 'surveySite.js'),
            root,
            redirects: [],
            signal: stop,
            onProgress: () => undefined,
          }),
        enhance:
          options.enhance === true
            ? (root, stop) => addSearchAndAnswers(root, distFolder, stop)
            : undefined,
      },
      signal,
    });
    return exitCodes.ok;
  } catch (error) {
    const code = errorCodeOrName(error);
    if (!/^E[A-Z]+$/.test(code)) throw error;
    throw new CliError(
      exitCodes.service,
      t("Can't listen on {0}, port {1} ({2}).", address, port, code),
      { cause: error },
    );
  }
}

async function addSearchAndAnswers(
  root: string,
  distFolder: string,
  signal: AbortSignal,
): Promise<void> {
  const { enhanceSite } = await import('../../enhance/enhanceSite');
  await enhanceSite({
    root,
    signal,
    onProgress: () => undefined,
    scripts: path.join(distFolder, 'site'),
    clock: systemClock,
    log: silentLog,
  });
}

function numberOf(name: string, text: string, max: number, t: Translate): number {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number <= max) return number;
  throw new CliError(exitCodes.usage, t('{0} takes a number up to {1}.', name, max));
}

function basePathOf(text: string | undefined, t: Translate): string | undefined {
  if (text === undefined) return undefined;
  const path = decodedPath(`/${text}`.replace(/\/+/g, '/').replace(/\/$/, ''));
  if (path !== undefined) return path;
  throw new CliError(exitCodes.usage, t('--base-path takes a path, such as /docs.'));
}

function serviceOf(text: string | undefined, t: Translate): string | undefined {
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  const isPlain =
    url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url && isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '');
  throw new CliError(
    exitCodes.usage,
    t('--service takes the URL of a docs service, such as http://127.0.0.1:4100.'),
  );
}
