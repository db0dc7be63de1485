// @ts-check
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { installDebianPackages } from './debianPackages.mjs';

/** First version that the service supports. */
export const MIN_POSTGRES = 15;

/** Returns the folder of the programs of PostgreSQL, or undefined if it isn't installed in a supported version. */
export function postgresPrograms() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
  const newest = Math.max(...versions.filter((version) => version >= MIN_POSTGRES));
  const folders = [`${root}/${newest}/bin`, ...(process.env.PATH ?? '').split(path.delimiter)];
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')));
}

/** Installs PostgreSQL where it is missing and can be installed without asking. Tests that need it are skipped elsewhere. */
export async function ensurePostgres() {
  if (postgresPrograms() !== undefined) return;
  await installDebianPackages(['postgresql'], 'ls /usr/lib/postgresql/*/bin/initdb');
}
