/** `docs-assistant serve`: runs the local docs service in this process. */
import { Console } from 'node:console';
import path from 'node:path';
import { messageOf } from '../../common/errorCode';
import type { Translate } from '../../common/errors';
import {
  checkLines,
  runLinkCheck,
  runLocalService,
  type ServiceEvent,
} from '../../service/server/runService';
import type { ServedSource } from '../../service/server/servedEngine';
import { type FlagValues, keyIn, parseServiceSettings } from '../../service/server/serviceOptions';
import { numberText, pageCountText, sizeText } from '../../shared/units';
import type { BundleFolderPorts } from '../bundle/bundleFolder';
import { CliError, exitCodes, Interrupted, type CliContext } from '../context';
import { findDocs, sourceOf } from '../localDocs';
import { StatusLine } from '../terminal/statusLine';
import type { ReadingProgress } from '../../docs/sources/pageSource';

/** Exit code of `--check` for docs that can't be checked. */
const CHECK_FAILED = 2;

/** Serves the docs until the command is interrupted. @returns the exit code. */
export async function runServe(values: FlagValues, context: CliContext): Promise<number> {
  const { env, signal, stderr, stdout, t } = context;
  // Libraries must not print between the lines on stdout.
  globalThis.console = new Console(process.stderr, process.stderr);
  const installed = values['installed'];
  const named =
    values['docs'] ?? (installed === undefined ? env['DOCS_ASSISTANT_DOCS'] : undefined);
  if (installed !== undefined && named !== undefined) {
    throw new CliError(exitCodes.usage, t('Choose one: --docs or --installed.'));
  }
  const isJson = values['json'] === true;
  const status = new StatusLine(stderr, env);
  const log = (line: string): void => {
    status.clear();
    stderr.line(line);
  };
  const settings = parseServiceSettings(values, env, log, t);
  const { source, label, close } = await servedDocs(named, installed, {
    ...context,
    log: settings.log,
    onProgress: (sentence) => status.show(sentence),
  });
  try {
    if (settings.isCheck) {
      try {
        const checked = await runLinkCheck(settings, source);
        if (isJson) stdout.json({ event: 'checked', pages: checked.pages, ...checked.links });
        else for (const line of checkLines(checked)) stdout.line(line);
        return checked.exitCode;
      } catch (error) {
        log(messageOf(error));
        return CHECK_FAILED;
      }
    }
    const report = (event: ServiceEvent): void => {
      if (event.event === 'progress') {
        if (!isJson) status.show(progressText(event, t));
      } else status.clear();
      const told = withoutGivenKeys(event, env);
      if (isJson) stdout.json(told);
      else for (const line of eventLines(told, label, t)) stdout.line(line);
    };
    await runLocalService(settings, source, report, signal);
    return signal.reason instanceof Interrupted ? signal.reason.exitCode : exitCodes.ok;
  } finally {
    status.clear();
    await close();
  }
}

/** Finds the docs that the options name. @throws {CliError} if they name none that can be served. */
async function servedDocs(
  named: FlagValues[string],
  installed: FlagValues[string],
  ports: BundleFolderPorts,
): Promise<{
  readonly source: ServedSource;
  readonly label: string;
  readonly close: () => Promise<void>;
}> {
  const { cwd, t } = ports;
  if (installed !== undefined) {
    const folder = path.resolve(cwd, typeof installed === 'string' ? installed : '.');
    const label = t('Packages of {0}', path.basename(folder));
    return {
      source: { kind: 'installed', folder },
      label,
      close: () => Promise.resolve(),
    };
  }
  if (typeof named !== 'string' || named === '') {
    throw new CliError(exitCodes.notSetUp, t('Choose the docs with --docs.'));
  }
  const { docs, close } = await findDocs(named, ports);
  return { source: sourceOf(docs), label: docs.label, close };
}

function progressText({ pages, total }: ReadingProgress, t: Translate): string {
  return total === undefined || total < pages
    ? t('Reading pages: {0}…', pages)
    : t('Reading pages: {0} of {1}…', pages, total);
}

/** An event without keys that came from the environment. */
type ToldEvent =
  | Exclude<ServiceEvent, { readonly event: 'listening' }>
  | (Omit<Extract<ServiceEvent, { readonly event: 'listening' }>, 'key' | 'adminKey'> & {
      readonly key?: string;
      readonly adminKey?: string;
    });

/** Returns the event without keys from the environment. The person who set them knows them. */
function withoutGivenKeys(event: ServiceEvent, env: CliContext['env']): ToldEvent {
  if (event.event !== 'listening') return event;
  const { key, adminKey, ...told } = event;
  return {
    ...told,
    key: keyIn(env, 'DOCS_ASSISTANT_KEY') === undefined ? key : undefined,
    adminKey: keyIn(env, 'DOCS_ASSISTANT_ADMIN_KEY') === undefined ? adminKey : undefined,
  };
}

/** Returns an event as lines for a person. */
function eventLines(event: ToldEvent, label: string, t: Translate): string[] {
  switch (event.event) {
    case 'listening':
      return [
        t('Serving {0} at {1}', label, event.url),
        `  ${t('Base URL:')}       ${event.url}`,
        `  ${t('Site:')}           ${event.domain}`,
        `  ${t('Assistant key:')}  ${event.key ?? 'DOCS_ASSISTANT_KEY'}`,
        `  ${t('Admin key:')}      ${event.adminKey ?? 'DOCS_ASSISTANT_ADMIN_KEY'}`,
        t('Press Ctrl+C to stop.'),
      ];
    case 'listed':
      return [t('Installed packages: {0}', event.packages)];
    case 'indexed':
      return [
        [
          pageCountText(event.pages, t),
          event.sections === 1 ? t('1 section') : t('{0} sections', numberText(event.sections)),
          sizeText(event.sizeBytes),
        ].join(', '),
      ];
    case 'refreshed':
      return [
        t('Fetched {0}: {1}', label, pageCountText(event.pages, t)),
        ...event.notes.map((note) => `  ${note}`),
      ];
    case 'error':
      return [event.message];
    case 'progress':
    case 'changed':
      return [];
  }
}
