/** A PostgreSQL server of its own for tests, on a socket in a temporary folder. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);
/** First version that the service supports. */
const MIN_VERSION = 15;
/** Account that runs the server if the tests run as root, which PostgreSQL refuses. */
const ACCOUNT = 'postgres';

export interface PostgresServer {
  /** Makes a database and returns its URL. */
  newDatabase(): Promise<string>;
  start(): Promise<void>;
  /** Stops at once, as if the machine had gone. */
  stop(): Promise<void>;
  /** Stops and removes everything. */
  remove(): Promise<void>;
}

/** Returns the folder of the programs of PostgreSQL, or undefined if it isn't installed in a supported version. */
function programs(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
  const newest = Math.max(...versions.filter((version) => version >= MIN_VERSION));
  const folders = [`${root}/${newest}/bin`, ...(process.env['PATH'] ?? '').split(path.delimiter)];
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')));
}

/**
 * Starts a server.
 * @returns undefined, after a line on stderr, if PostgreSQL isn't installed.
 */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const bin = programs();
  if (bin === undefined) {
    process.stderr.write(
      'SKIPPED: PostgreSQL 15 or later is not installed (apt-get install postgresql)\n',
    );
    return undefined;
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-pg-'));
  const isRoot = process.getuid?.() === 0;
  const as = async (program: string, args: readonly string[]): Promise<void> => {
    const file = path.join(bin, program);
    const [command, all] = isRoot
      ? ['runuser', ['-u', ACCOUNT, '--', file, ...args]]
      : [file, [...args]];
    await run(command, all, { cwd: folder });
  };
  if (isRoot) await run('chown', [ACCOUNT, folder]);
  await chmod(folder, 0o755);
  const data = path.join(folder, 'data');
  await as('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
  await appendFile(
    path.join(data, 'postgresql.conf'),
    `listen_addresses = ''\nunix_socket_directories = '${folder}'\nfsync = off\nmax_connections = 100\n`,
  );
  const control = (...args: string[]): Promise<void> =>
    as('pg_ctl', ['-D', data, '-w', '-s', '-l', path.join(folder, 'log'), ...args]);
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
    remove: async () => {
      await control('-m', 'immediate', 'stop').catch(() => undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
