/** A PostgreSQL server of its own for tests, on a socket in a temporary folder. */
import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { MIN_POSTGRES, postgresPrograms } from '../../tooling/postgresPrograms.mjs';

const run = promisify(execFile);
/** Account that runs the server if the tests run as root, which PostgreSQL refuses. */
const ACCOUNT = 'postgres';

export interface PostgresServer {
  /** Makes a database and returns its URL. */
  newDatabase(): Promise<string>;
  start(): Promise<void>;
  /** Stops at once, as if the machine had gone. */
  stop(): Promise<void>;
  /**
   * Starts a replica that shows each change so many milliseconds after it was made. The URL of its databases is that of
   * the server with another socket.
   */
  startReplica(delayMs: number): Promise<PostgresReplica>;
  /** Stops and removes everything. */
  remove(): Promise<void>;
}

export interface PostgresReplica {
  /** Returns the URL of a database of the server at the replica. */
  urlOf(url: string): string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops and removes everything. */
  remove(): Promise<void>;
}

/**
 * Starts a server.
 * @returns undefined, after a line on stderr, if PostgreSQL isn't installed.
 */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const bin = postgresPrograms();
  if (bin === undefined) {
    process.stderr.write(
      `SKIPPED: PostgreSQL ${MIN_POSTGRES} or later is not installed (apt-get install postgresql)\n`,
    );
    return undefined;
  }
  const own = await newFolder();
  const { folder } = own;
  const args = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  await runAs(own, path.join(bin, 'initdb'), ['-D', own.data, ...args]);
  await appendFile(path.join(own.data, 'postgresql.conf'), settingsOf(folder));
  const control = controlOf(own, bin);
  const urlOf = (database: string): string =>
    `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;
  await control('start');
  let count = 0;
  return {
    newDatabase: async () => {
      const name = `test${++count}`;
      const client = new Client({ connectionString: urlOf('postgres') });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return urlOf(name);
    },
    start: () => control('start'),
    stop: () => control('-m', 'immediate', 'stop'),
    startReplica: (delayMs) => startReplica(bin, folder, delayMs),
    remove: () => remove(own, control),
  };
}

async function startReplica(
  bin: string,
  primary: string,
  delayMs: number,
): Promise<PostgresReplica> {
  const own = await newFolder();
  // `-R` writes the file that makes a standby of the copy, and the connection to the primary.
  const from = ['-h', primary, '-U', 'postgres', '-c', 'fast', '-X', 'stream', '-R', '--no-sync'];
  await runAs(own, path.join(bin, 'pg_basebackup'), ['-D', own.data, ...from]);
  await appendFile(
    path.join(own.data, 'postgresql.conf'),
    `${settingsOf(own.folder)}recovery_min_apply_delay = ${delayMs}\n`,
  );
  const control = controlOf(own, bin);
  await control('start');
  return {
    urlOf: (url) => url.replace(encodeURIComponent(primary), encodeURIComponent(own.folder)),
    start: () => control('start'),
    stop: () => control('-m', 'immediate', 'stop'),
    remove: () => remove(own, control),
  };
}

/** A folder of a server, and that of its data. */
interface OwnFolder {
  readonly folder: string;
  readonly data: string;
}

async function newFolder(): Promise<OwnFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-pg-'));
  if (isRoot()) await run('chown', [ACCOUNT, folder]);
  await chmod(folder, 0o755);
  return { folder, data: path.join(folder, 'data') };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

async function runAs({ folder }: OwnFolder, file: string, args: readonly string[]): Promise<void> {
  const [command, all] = isRoot()
    ? ['runuser', ['-u', ACCOUNT, '--', file, ...args]]
    : [file, [...args]];
  await run(command, all, { cwd: folder });
}

function settingsOf(folder: string): string {
  return `listen_addresses = ''\nunix_socket_directories = '${folder}'\nfsync = off\nmax_connections = 100\n`;
}

type Control = (...args: readonly string[]) => Promise<void>;

function controlOf(own: OwnFolder, bin: string): Control {
  const { data, folder } = own;
  const always = ['-D', data, '-w', '-s', '-l', path.join(folder, 'log')];
  return (...args) => runAs(own, path.join(bin, 'pg_ctl'), [...always, ...args]);
}

async function remove({ folder }: OwnFolder, control: Control): Promise<void> {
  await control('-m', 'immediate', 'stop').catch(() => undefined);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
