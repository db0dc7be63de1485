#!/usr/bin/env node
/** The program `docs-assistant-service`: runs the service of a company and manages its keys. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { systemClock } from '../../common/clock';
import { systemErrorCode } from '../../common/errorCode';
import { type Log, silentLog } from '../../common/ports';
import { openBackend, openStores } from './backend';
import { startCompanyService, StartError } from './companyService';
import { KEYS_FOLDER } from './fileStores';
import { jsonLog } from './jsonLog';
import { createKey, KeyError } from './keys';
import { databaseProblem } from './postgres/databaseProblem';
import { domainSchema } from './sites/manifestSchema';
import { followManifest, manifestErrorLines, readManifestFile } from './sites/manifest';
import { type KeyRecord, StoreDown, type Stores } from './stores';

/** Version of this program, as `esbuild.mjs` defines it. */
declare const SERVICE_VERSION: string;

/** Milliseconds after which a process that was asked to end ends, whatever still runs. */
const EXIT_DEADLINE_MS = 30_000;

/** Longest life of a key in days, about a century. */
const MAX_DAYS = 36_500;

interface ServeOptions {
  readonly config: string;
  readonly data: string;
  readonly host: string;
  readonly port: number;
}

const NOT_FOR_GROUPS = 'It opens no site and no version with groups. People sign in to ask those.';

/** An error that the operator can fix. Its message is all that is printed. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

type BackendPorts = Parameters<typeof openBackend>[0];

function backendPorts(data: string, log: Log): BackendPorts {
  const { DATABASE_URL, DATABASE_REPLICA_URL } = process.env;
  return {
    folder: path.resolve(data),
    databaseUrl: givenText(DATABASE_URL),
    replicaUrl: givenText(DATABASE_REPLICA_URL),
    clock: systemClock,
    log,
  };
}

/** Returns the value of a variable. Containers set one that has no value to a blank text. */
function givenText(value: string | undefined): string | undefined {
  return value?.trim() === '' ? undefined : value;
}

/**
 * Waits for work with the stores.
 * @throws {UsageError} if the folder of `data` or the database can't be used.
 */
async function withData<Result>(data: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const { folder, databaseUrl } = backendPorts(data, silentLog);
    const isOfFolder =
      databaseUrl === undefined ||
      (error instanceof Error && 'syscall' in error && error.syscall === 'mkdir');
    const problem = isOfFolder ? folderProblem(folder, error) : databaseProblem(error);
    throw problem === undefined ? error : new UsageError(problem);
  }
}

function folderProblem(folder: string, error: unknown): string | undefined {
  const code = systemErrorCode(error);
  if (code === undefined) return undefined;
  if (['EEXIST', 'ENOTDIR'].includes(code)) {
    return `The folder of --data can't be used: ${folder} is a file or is in one.`;
  }
  return `The folder of --data can't be used (${code}): ${folder}. The user of the service must be able to write to it and to its files.`;
}

async function serve({ config, data, host, port }: ServeOptions): Promise<void> {
  // A log that nobody reads, or whose disk is full, is no reason to answer nobody.
  process.stdout.on('error', () => undefined);
  const log = jsonLog((line) => void process.stdout.write(line), systemClock);
  const manifestFile = path.resolve(config);
  const read = await readManifestFile(manifestFile);
  if (!read.ok) throw new UsageError(manifestErrorLines(config, read.errors));
  let stop = (): Promise<void> => Promise.resolve();
  const ending = new AbortController();
  const end = (): void => {
    if (ending.signal.aborted) return;
    ending.abort();
    setTimeout(() => process.exit(0), EXIT_DEADLINE_MS).unref();
    log.info('Stopping');
    void stop().then(() => process.exit(0));
  };
  // Before the start, because a first process of a container isn't ended by signals that it doesn't handle.
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  const backend = await withData(data, openBackend(backendPorts(data, log)));
  const starting = startCompanyService({
    manifest: read.manifest,
    manifestFolder: path.dirname(manifestFile),
    dataFolder: path.resolve(data),
    backend,
    host,
    port,
    clock: systemClock,
    fetch: (url, init) => globalThis.fetch(url, init),
    log,
    onEnded: (request) => log.request(request),
    env: process.env,
    version: SERVICE_VERSION,
  });
  const service = await withData(data, starting);
  stop = () => service.stop();
  log.info(`Listening on ${service.url}`);
  await followManifest(
    manifestFile,
    { clock: systemClock, log },
    (changed) => service.apply(changed),
    ending.signal,
  );
}

/** Returns a function that reads the number of an option. */
function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}

/** Adds a site of the option that lists them. The program that creates keys doesn't know the manifest. */
function siteDomain(text: string, before: readonly string[] = []): readonly string[] {
  if (v.is(domainSchema, text)) return [...before, text];
  throw new InvalidArgumentError(
    'It must be the domain of a site, such as payments-api. Put a space between several.',
  );
}

function keyLine(record: KeyRecord): string {
  const { id, kind, name, sites, requestsPerHour, createdAt, expiresAt } = record;
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const until = expiresAt === undefined ? '' : `, expires ${day(expiresAt)}`;
  const where = kind === 'admin' ? '' : `  ${sites?.join(', ') ?? 'all open sites'}`;
  const limit = requestsPerHour === undefined ? '' : `, ${requestsPerHour} requests an hour`;
  return `${id}  ${kind.padEnd(9)}  ${name}${where}  created ${day(createdAt)}${until}${limit}`;
}

interface CreateOptions {
  readonly admin?: boolean;
  readonly name: string;
  readonly site?: readonly string[];
  readonly requestsPerHour?: number;
  readonly days?: number;
}

async function withStores(data: string, work: (stores: Stores) => Promise<void>): Promise<void> {
  const worked = async (): Promise<void> => {
    const stores = await openStores(backendPorts(data, silentLog));
    try {
      await work(stores);
    } finally {
      await stores.close();
    }
  };
  await withData(data, worked());
}

/**
 * Works on the keys that a service has, and makes no folder for them.
 * @throws {UsageError} if there is none.
 */
async function withKeys(data: string, work: (stores: Stores) => Promise<void>): Promise<void> {
  const { folder, databaseUrl } = backendPorts(data, silentLog);
  const isMissing = await stat(path.join(folder, KEYS_FOLDER)).then(
    () => false,
    (error: unknown) => systemErrorCode(error) === 'ENOENT',
  );
  if (isMissing && databaseUrl === undefined) {
    throw new UsageError(`${folder} has no keys. Give --data the folder of the service.`);
  }
  await withStores(data, work);
}

function program(): Command {
  const main = new Command('docs-assistant-service')
    .description('Answers questions from the docs of a company, over HTTP and MCP.')
    .version(SERVICE_VERSION)
    .requiredOption('--config <file>', 'manifest of the sites', 'service.yaml')
    .option('--data <folder>', 'folder for keys, threads and copies of docs', 'service-data')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--port <number>',
      'port to listen on (0 for any free port)',
      wholeNumber(0, 65_535),
      8080,
    )
    .action(serve);
  const keys = main.command('keys').description('Creates, lists and revokes keys.');
  const dataOf = (): string => String(main.opts()['data']);
  keys
    .command('create')
    .description('Prints a new key. It is shown once.')
    .addOption(
      new Option(
        '--admin',
        'an admin key, which must stay secret, instead of an assistant key',
      ).conflicts(['site', 'requestsPerHour']),
    )
    .option('--name <text>', 'who or what uses the key', 'default')
    .option(
      '--site <domain...>',
      'sites of an assistant key (all open sites by default)',
      siteDomain,
    )
    .option(
      '--requests-per-hour <number>',
      'limit of an assistant key',
      wholeNumber(1, 999_999_999),
    )
    .option(
      '--days <number>',
      'days until the key expires (never by default)',
      wholeNumber(1, MAX_DAYS),
    )
    .action(({ admin = false, name, site, requestsPerHour, days }: CreateOptions) =>
      withStores(dataOf(), async (stores) => {
        const kind = admin ? 'admin' : 'assistant';
        const wanted = { kind, name, sites: site, requestsPerHour, days } as const;
        const { key, record } = await createKey(stores.keys, wanted, systemClock.now());
        print(key);
        const opens = admin ? '' : `${NOT_FOR_GROUPS}\n`;
        process.stderr.write(
          `${keyLine(record)}\n${opens}This is the only time that the key is shown.\n`,
        );
      }),
    );
  keys
    .command('list')
    .description('Lists the keys, without their text.')
    .action(() =>
      withKeys(dataOf(), async (stores) => {
        for (const record of await stores.keys.list()) print(keyLine(record));
      }),
    );
  keys
    .command('revoke <id>')
    .description('Revokes a key. It works for up to five seconds more.')
    .action((id: string) =>
      withKeys(dataOf(), async (stores) => {
        // People paste the key in place of its ID, and terminals and CI systems keep what is printed.
        if (!/^[0-9a-f]{10}$/.test(id)) {
          throw new UsageError('Give the ID of a key, which "keys list" shows.');
        }
        if (!(await stores.keys.remove(id))) throw new UsageError(`There is no key ${id}.`);
        print(`Revoked ${id}.`);
      }),
    );
  return main;
}

async function main(): Promise<void> {
  try {
    await program().parseAsync();
  } catch (error) {
    const isExpected =
      error instanceof UsageError || error instanceof StartError || error instanceof KeyError;
    if (error instanceof StoreDown) process.stderr.write(`The database can't be reached.\n`);
    else process.stderr.write(`${isExpected ? error.message : `Failed: ${String(error)}`}\n`);
    process.exit(1);
  }
}

await main();
