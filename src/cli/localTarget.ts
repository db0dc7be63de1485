/** Opens docs on this machine in this process, and reads all of them. */
import path from 'node:path';
import tls from 'node:tls';
import { messageOf } from '../common/errorCode';
import { systemClock, untilAborted } from '../common/clock';
import type { Log } from '../common/ports';
import { type DocsEngine, openDocs } from '../docs/engine';
import { ReadingReport } from '../docs/readingReport';
import { SiteError, siteErrorText } from '../docs/sources/site/siteErrors';
import { ReplyWriter } from '../docs/writers/replyWriter';
import { endpointWriter, type FlagValues } from '../service/server/serviceOptions';
import type { LocalDocs } from '../service/server/servedDocs';
import { CliError, exitCodes, type CliContext } from './context';
import { findDocs, type FoundDocs, sourceOf } from './localDocs';
import { cacheFolder } from './places';

/** Ports of {@link openLocalTarget}. `signal` cancels the start. */
export type TargetPorts = Pick<CliContext, 'cwd' | 'env' | 'signal' | 't'> & {
  readonly log: Log;
  /** Called with short sentences until all docs are ready. */
  readonly onProgress: (sentence: string) => void;
  /** Called with a sentence that the user should see, such as that the cached pages are old. */
  readonly onNotice?: (sentence: string) => void;
  /** Whether later changes of a folder's files are read, for a command that asks for long. */
  readonly isFollowed?: boolean;
};

interface LocalTarget {
  readonly docs: { readonly label: string; readonly engine: DocsEngine };
  /** Whether a model writes the replies. */
  readonly hasWriter: boolean;
  readonly close: () => Promise<void>;
}

/** Part of `node:tls`. Node before 22.19 lacks the last two functions. */
interface CertificateStore {
  readonly rootCertificates: readonly string[];
  getCACertificates?(from: 'default' | 'system'): readonly string[];
  setDefaultCACertificates?(certificates: readonly string[]): void;
}

/**
 * Makes this process trust the certificates of the system, too. Company gateways and docs sites have some that
 * only the system knows.
 */
export function trustSystem(store: CertificateStore): void {
  if (!store.getCACertificates || !store.setDefaultCACertificates) return;
  const [known, system] = [store.getCACertificates('default'), store.getCACertificates('system')];
  store.setDefaultCACertificates([...new Set([...known, ...system])]);
}

/**
 * Returns what writes the replies, if the options name an endpoint with models.
 * @throws {DocsError} for options that can't be used.
 */
export function writerOf(
  values: FlagValues,
  { env, log, t }: Pick<TargetPorts, 'env' | 'log' | 't'>,
): ReplyWriter | undefined {
  const endpoint = endpointWriter(values, env, t);
  if (!endpoint) return undefined;
  trustSystem(tls);
  const writer = new ReplyWriter({ fetch: (...args) => globalThis.fetch(...args), log });
  writer.answerWith(endpoint);
  return writer;
}

/**
 * Opens what `--docs` names. All of it has been read when this resolves.
 * @param values options of the model, under the names that `endpointWriter` knows.
 * @throws {CliError} with the exit code of the command.
 */
export async function openLocalTarget(
  named: string,
  values: FlagValues,
  ports: TargetPorts,
): Promise<LocalTarget> {
  const { env, log, t } = ports;
  const found = await findDocs(named, ports);
  const { docs } = found;
  if (docs.kind === 'site') trustSystem(tls);
  const writer = writerOf(values, ports);
  const reading = new ReadingReport({
    clock: systemClock,
    translate: t,
    report: ({ message }) => ports.onProgress(t('{0}: {1}', docs.label, message)),
  });
  // The folder of an unpacked archive has another name each time.
  const inCache = (name: string): string | undefined =>
    found.isTemporary ? undefined : path.join(cacheFolder(env), name);
  let failure: string | undefined;
  let engine: DocsEngine | undefined;
  const close = async (): Promise<void> => {
    await engine?.close();
    await found.close();
  };
  try {
    engine = await openDocs(sourceOf(docs), {
      addresses: found.addresses,
      log,
      translate: t,
      writer,
      vectorsFolder: inCache('vectors'),
      indexFolder: inCache('index'),
      isFollowed: ports.isFollowed ?? false,
      onProgress: (progress) => reading.progress(progress),
      onRefreshFailed: (message) => (failure = message),
    });
    ports.onProgress(t('{0}: {1}', docs.label, t('reading pages…')));
    engine.start();
    await readAll(engine, docs, reading, ports);
    if (found.oldSince !== undefined) {
      await fetchAgain(engine, found, reading, ports, () => failure);
    }
    const hasWriter = writer?.model !== undefined;
    return { docs: { label: docs.label, engine }, hasWriter, close };
  } catch (error) {
    await close();
    const exitCode = docs.kind === 'site' ? exitCodes.service : exitCodes.notFound;
    const sentence = t('{0} can’t be read: {1}', docs.label, reasonOf(error, ports));
    throw new CliError(exitCode, sentence, { cause: error });
  }
}

/** @throws if the docs can't be read, or have no pages. A folder that is followed can get some. */
async function readAll(
  engine: DocsEngine,
  { kind, label }: LocalDocs,
  reading: ReadingReport,
  { isFollowed, signal, t }: TargetPorts,
): Promise<void> {
  const indexed = untilAborted(engine.whenIndexed(), signal);
  const { pages } = await (kind === 'site' ? reading.whileFetching(indexed) : indexed);
  const canGetPages = kind === 'folder' && isFollowed === true;
  if (pages === 0 && !canGetPages)
    throw new Error(
      t(
        '{0} has no readable pages. Choose a folder of Markdown, MDX or HTML, such as the site that is built from your docs.',
        label,
      ),
    );
}

function reasonOf(error: unknown, { t }: TargetPorts): string {
  if (error instanceof SiteError) return siteErrorText(error, t);
  return messageOf(error);
}

/** Fetches a site again because its kept pages are old. If that fails, the kept pages are used. */
async function fetchAgain(
  engine: DocsEngine,
  { docs: { label }, oldSince = 0 }: FoundDocs,
  reading: ReadingReport,
  { onNotice, onProgress, signal, t }: TargetPorts,
  failureOf: () => string | undefined,
): Promise<void> {
  onProgress(t('Fetching {0} again', label));
  await reading.whileFetching(untilAborted(engine.refresh(), signal));
  const failure = failureOf();
  if (failure === undefined) return;
  const day = new Date(oldSince).toISOString().slice(0, 10);
  onNotice?.(t('{0} couldn’t be fetched again: {1}', label, failure));
  onNotice?.(t('The reply uses the pages fetched on {0}.', day));
}
