/** Starts the local docs service with `node:child_process`. */
import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { systemClock } from '../../common/clock';
import { type Disposable, toDisposable } from '../../common/disposable';
import { plainTranslate, type Translate } from '../../common/errors';
import type { Log } from '../../common/ports';
import { LANGUAGE_VARIABLE } from '../../common/processLanguage';
import { parsedJson } from '../../common/text/strings';
import type { Writer } from '../../docs/writers/writer';
import { parsedAs } from '../../shared/schemas';
import { newAssistantKey } from './keys';
import { type ToHost, toHostSchema, type ToService } from './parentChannel';
import type { LocalDocs } from './servedDocs';
import type { LocalService } from './server';

/**
 * Milliseconds until a service that doesn't listen counts as failed. Even a slow machine needs less,
 * because indexing starts later.
 */
const START_TIMEOUT_MS = 30_000;
/** Milliseconds after which a service that was asked to end is killed. It ends itself after 2 s. */
const END_TIMEOUT_MS = 3000;

const lineSchema = v.variant('event', [
  v.object({
    event: v.literal('listening'),
    url: v.string(),
    domain: v.string(),
    adminKey: v.string(),
  }),
  v.object({
    event: v.literal('indexed'),
    pages: v.number(),
    sizeBytes: v.optional(v.number()),
  }),
  v.object({ event: v.literal('changed'), pages: v.number() }),
  v.object({ event: v.literal('listed'), packages: v.number() }),
  v.object({
    event: v.literal('progress'),
    pages: v.number(),
    total: v.optional(v.number()),
    sizeBytes: v.optional(v.number()),
  }),
  v.object({
    event: v.literal('refreshed'),
    pages: v.number(),
    sizeBytes: v.number(),
    fetchedAt: v.number(),
    notes: v.fallback(v.array(v.string()), []),
  }),
  v.object({ event: v.literal('error'), message: v.string() }),
]);

/** Matches the log line of a request on stderr. These lines are logged as debug, because there are many. */
const requestLine = /^[A-Z]+ \/\S* \d{3} \d+ ms$/;
const troubleLine = /^(?:warning: |error: |FATAL ERROR|\w*Error\b)/;

type ServiceLine = v.InferOutput<typeof lineSchema>;

/** Pages that were read or fetched so far. */
type DocsProgress = Omit<Extract<ServiceLine, { event: 'progress' }>, 'event'>;

/**
 * A complete set of docs: its pages, its size, and when it was fetched, in milliseconds since the epoch.
 * `notes` are sentences about limits that were reached.
 */
type DocsRefresh = Omit<Extract<ServiceLine, { event: 'refreshed' }>, 'event'>;

export interface LocalServicePorts {
  /** Absolute path of `dist/localService.js`. */
  readonly script: string;
  /** Language of the service's messages, as a BCP 47 tag. If absent, the environment decides. */
  readonly language?: string;
  /** Translates the reasons why the process failed. They are in English if this is absent. */
  readonly translate?: Translate;
  /** Absolute path of the folder for exports. All windows share it. If absent, exports are temporary. */
  readonly stateFolder?: string;
  /** Milliseconds between two pieces of a reply's text. The service's own default if absent. */
  readonly paceMs?: number | undefined;
  readonly log: Log;
  /** Called when the service ends by itself, with its last error, or with its exit code if it reported none. */
  readonly onDidCrash: (reason: string) => void;
  /** Called after the first reading, with the number of pages and the size of their files. */
  readonly onDidIndex: (pages: number, sizeBytes?: number) => void;
  /** Called with the number of installed packages, once they are listed. Their pages are read afterwards. */
  readonly onDidList?: (packages: number) => void;
  /** Called while pages are read or fetched. */
  readonly onDidProgress?: (progress: DocsProgress) => void;
  /** Called each time that changed pages are indexed after the first reading. */
  readonly onDidChangePages?: (pages: number) => void;
  /** Called each time that a complete set of docs has been read or fetched. */
  readonly onDidRefresh?: (refresh: DocsRefresh) => void;
  /** Called with the message of each error, even if the service continues after it. */
  readonly onDidFail?: (message: string) => void;
  /** Called with each message of the service's process. */
  readonly onMessage?: (message: ToHost) => void;
  /** Returns the writer of the replies. The service receives it before the first question. */
  readonly writer?: () => Promise<Writer>;
}

/** A local docs service that is listening, with the keys that this start created. */
export type RunningService = Pick<LocalService, 'url' | 'domain' | 'key' | 'adminKey'>;

/**
 * Runs the local docs service as a child process, so that indexing never blocks the extension host.
 * Each start creates new keys, which stay in memory only. The assistant key is passed in the
 * environment because other users can see arguments. The service creates the admin key and prints
 * it on its stdout, which is a pipe to this process.
 */
export class LocalServiceProcess implements Disposable {
  readonly #ports: LocalServicePorts;
  #child: ChildProcess | undefined;

  constructor(ports: LocalServicePorts) {
    this.#ports = ports;
  }

  /**
   * Starts the service, after stopping one that runs.
   * @returns the URL and keys of the service once it listens. It may still be indexing pages.
   * @throws Error with the service's own message if it does not start, or the signal's reason if
   * it aborts.
   */
  async start(docs: LocalDocs, signal: AbortSignal): Promise<RunningService> {
    this.stop();
    signal.throwIfAborted();
    const key = newAssistantKey();
    const { script, stateFolder, paceMs, language } = this.#ports;
    const { NODE_OPTIONS: _, DOCS_ASSISTANT_ADMIN_KEY: __, ...env } = process.env;
    const options = [
      ...['--port', '0'],
      ...(stateFolder === undefined ? [] : ['--state', stateFolder]),
      ...(paceMs === undefined ? [] : ['--pace', String(paceMs)]),
    ];
    const child = fork(script, [...docsArguments(docs), ...options], {
      env: {
        ...env,
        // In desktop VS Code the executable is Electron, which acts as Node only with this variable.
        ELECTRON_RUN_AS_NODE: '1',
        // Company gateways and docs sites have certificates that only the system knows. Node before
        // 22.19 ignores this variable.
        NODE_USE_SYSTEM_CA: '1',
        DOCS_ASSISTANT_KEY: key,
        [LANGUAGE_VARIABLE]: language ?? env[LANGUAGE_VARIABLE],
      },
      // The extension host may run under a debugger whose port a child must not claim.
      execArgv: [],
      silent: true,
    });
    this.#child = child;
    child.on('message', (value) => {
      const message = v.safeParse(toHostSchema, value);
      if (message.success) this.#ports.onMessage?.(message.output);
    });
    const listening = await this.#whenListening(child, signal).catch((error: unknown) => {
      if (this.#child === child) this.#child = undefined;
      end(child);
      throw error;
    });
    const writer = await this.#ports.writer?.();
    if (writer && child.connected) child.send({ type: 'answer-with', writer } satisfies ToService);
    const { url, domain, adminKey } = listening;
    return { url, domain, key, adminKey };
  }

  get isRunning(): boolean {
    return this.#child?.connected === true;
  }

  /**
   * Sends a message to the service, if it runs.
   * @param onSent called when the message is on its way, before any request that is sent afterwards.
   */
  send(message: ToService, onSent = (): void => undefined): void {
    // A message that can't be sent was for a service that ends.
    if (this.#child?.connected) this.#child.send(message, onSent);
    else onSent();
  }

  stop(): void {
    const child = this.#child;
    this.#child = undefined;
    if (child) end(child);
  }

  dispose(): void {
    this.stop();
  }

  /** Logs an event of a service. Reports it only if no other service has replaced this one. */
  #tell(event: Exclude<ServiceLine, { event: 'listening' }>, isCurrent: boolean): void {
    const { log, onDidIndex, onDidList, onDidProgress } = this.#ports;
    const { onDidChangePages, onDidRefresh, onDidFail } = this.#ports;
    switch (event.event) {
      case 'indexed':
        log.info(`Local docs service read ${event.pages} pages`);
        if (isCurrent) onDidIndex(event.pages, event.sizeBytes);
        break;
      case 'listed':
        log.info(`Local docs service found ${event.packages} packages`);
        if (isCurrent) onDidList?.(event.packages);
        break;
      case 'progress':
        if (isCurrent) onDidProgress?.(event);
        break;
      case 'changed':
        if (isCurrent) onDidChangePages?.(event.pages);
        break;
      case 'refreshed':
        log.info(`Local docs service has ${event.pages} pages (${event.sizeBytes} bytes)`);
        for (const note of event.notes) log.warn(`Local docs service: ${note}`);
        if (isCurrent) onDidRefresh?.(event);
        break;
      case 'error':
        log.warn(`Local docs service: ${event.message}`);
        if (isCurrent) onDidFail?.(event.message);
    }
  }

  #whenListening(
    child: ChildProcess,
    signal: AbortSignal,
  ): Promise<{ url: string; domain: string; adminKey: string }> {
    const { log, onDidCrash, translate: t = plainTranslate } = this.#ports;
    return new Promise((resolve, reject) => {
      let lastWords = '';
      let isListening = false;
      const fail = (error: unknown): void => {
        waiting.dispose();
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const stop = (): void => fail(signal.reason);
      const timer = new AbortController();
      systemClock.delay(START_TIMEOUT_MS, timer.signal).then(
        () => fail(new Error(t('it did not start in {0} s', START_TIMEOUT_MS / 1000))),
        () => undefined,
      );
      signal.addEventListener('abort', stop, { once: true });
      const waiting = toDisposable(() => {
        timer.abort();
        signal.removeEventListener('abort', stop);
      });

      readLines(child.stdout, (line) => {
        const event = parseLine(line);
        if (event?.event === 'listening') {
          isListening = true;
          waiting.dispose();
          log.info(`Local docs service listens at ${event.url}`);
          resolve(event);
        } else if (event) {
          if (event.event === 'error') lastWords = event.message;
          this.#tell(event, this.#child === child);
        }
      });
      readLines(child.stderr, (line) => {
        const text = `Local docs service: ${line}`;
        if (requestLine.test(line)) log.debug(text);
        else if (!troubleLine.test(line)) log.info(text);
        else {
          if (!line.startsWith('warning: ')) lastWords = line;
          log.warn(text);
        }
      });
      child.on('error', fail);
      // At its exit, the last words may not have been read yet.
      child.on('close', (code, exitSignal) => {
        const reason = lastWords === '' ? t('exit code {0}', code ?? exitSignal ?? '?') : lastWords;
        fail(new Error(reason));
        if (this.#child !== child) return;
        this.#child = undefined;
        if (isListening) onDidCrash(reason);
      });
    });
  }
}

/** Asks a service to end, and kills it if it doesn't, because a blocked process ignores the request. */
function end(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  systemClock.delay(END_TIMEOUT_MS, ended.signal).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
}

/** Returns the command line's arguments that name the docs. */
function docsArguments(docs: LocalDocs): string[] {
  switch (docs.kind) {
    case 'folder':
      return ['--docs', docs.folder];
    case 'bundle':
      return ['--bundle', docs.folder];
    case 'site':
      return ['--site', docs.url, '--cache', docs.folder];
    case 'installed':
      return [
        ...(docs.beside ? docsArguments(docs.beside) : []),
        ...['--installed', docs.folder],
        ...(docs.root === undefined ? [] : ['--root', docs.root]),
      ];
  }
}

function readLines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  if (stream) createInterface({ input: stream }).on('line', onLine);
}

function parseLine(line: string): ServiceLine | undefined {
  return parsedAs(lineSchema, parsedJson(line));
}
