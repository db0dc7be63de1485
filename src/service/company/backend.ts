/** Opens the stores of a service, and the docs that its processes share: in a folder, or in PostgreSQL. */
import { makeFolder } from '../../common/onDisk';
import type { Clock, Log } from '../../common/ports';
import { openFileStores } from './fileStores';
import type { ManifestSite } from './sites/manifestSchema';
import { Database } from './postgres/database';
import { ownSourceOf } from './postgres/ownSource';
import { postgresStores } from './postgres/postgresStores';
import { SharedDocs } from './postgres/sharedDocs';
import type { SiteLoader } from './sites/siteLoader';
import type { SiteSources } from './sites/siteSources';
import type { Stores } from './stores';

export interface Backend {
  readonly stores: Stores;
  /** Returns the loader of a site whose docs processes share. Absent if each process has its own docs. */
  readonly sharedLoaderOf?: (entry: ManifestSite, own: SiteSources) => SiteLoader;
  close(): Promise<void>;
}

interface BackendPorts {
  /** Absolute path of the folder for data. */
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  readonly replicaUrl: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the stores alone, for commands. The tables of a database are brought up to date. */
export async function openStores(ports: BackendPorts): Promise<Stores> {
  const { folder, databaseUrl, clock } = ports;
  if (databaseUrl !== undefined)
    return postgresStores(await openDatabase(ports, databaseUrl), clock);
  await makeFolder(folder, 0o700);
  return openFileStores(folder, clock);
}

/** Opens everything for a process that serves. */
export async function openBackend(ports: BackendPorts): Promise<Backend> {
  const { databaseUrl, clock, log } = ports;
  if (databaseUrl === undefined) {
    const stores = await openStores(ports);
    return { stores, close: () => stores.close() };
  }
  const database = await openDatabase(ports, databaseUrl);
  const stores = postgresStores(database, clock);
  const shared = new SharedDocs({ database, databaseUrl, clock, log });
  await shared.start();
  return {
    stores,
    sharedLoaderOf: (entry, own) =>
      shared.loaderOf(entry.domain, ownSourceOf(entry, own, { clock, log })),
    close: async () => {
      await shared.stop();
      await stores.close();
    },
  };
}

async function openDatabase(ports: BackendPorts, databaseUrl: string): Promise<Database> {
  const database = new Database(databaseUrl, ports.replicaUrl, ports.log, ports.clock);
  try {
    await database.migrate();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
