/** Wires up static export. Uses `node:fs` to remove a temporary state folder. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Clock, Log, NewId } from '../../common/ports';
import { BundleStore, claimOwner, ExportJobFiles } from './exportFiles';
import { ExportJobs, type ExportJobsPorts } from './exportJobs';
import {
  bundleRoutes,
  exportRoutes,
  type ExportRoutesPorts,
  linkSecret,
  newSecret,
  SignedLinks,
} from './exportRoutes';
import { renderSite } from './site/siteRenderer';

export interface LocalExportsOptions extends Pick<
  ExportRoutesPorts,
  'adminProblem' | 'siteOf' | 'domain' | 'origin'
> {
  readonly openPartOf: ExportJobsPorts['openPartOf'];
  /**
   * Folder for jobs and bundles. If undefined, a temporary folder is used and removed when the service stops.
   * Several services can share the folder. Each of them has all jobs of the folder.
   */
  readonly stateFolder: string | undefined;
  readonly linkLifetimeMs: number;
  readonly paceMs: number;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** The static export part of the local docs service. */
export interface LocalExports extends Pick<ExportJobs, 'isReading'> {
  readonly routes: Hono<{ Bindings: HttpBindings }>;
  stop(): Promise<void>;
}

/**
 * Opens the state folder and continues its unfinished jobs.
 * @throws if the state folder can't be used.
 */
export async function openExports(options: LocalExportsOptions): Promise<LocalExports> {
  const { clock, log, newId, stateFolder } = options;
  const owner = claimOwner();
  // The temporary folder is created with its first file because most services never export.
  const state = stateFolder ?? path.join(tmpdir(), `docs-assistant-exports-${owner.id}`);
  const files = new ExportJobFiles(state, { log, ownerId: owner.id });
  if (stateFolder !== undefined) await files.prepare();
  const secret = stateFolder === undefined ? newSecret() : await linkSecret(state, owner.id);
  const links = new SignedLinks(secret, { clock, lifetimeMs: options.linkLifetimeMs });
  const bundles = new BundleStore(files, log);
  const jobs = new ExportJobs({
    files,
    render: renderSite,
    openPartOf: options.openPartOf,
    ownerId: owner.id,
    clock,
    newId,
    log,
    paceMs: options.paceMs,
  });
  if (stateFolder !== undefined) await jobs.resume();
  const routes = new Hono<{ Bindings: HttpBindings }>();
  routes.route('/', exportRoutes({ ...options, jobs, bundles, links }));
  routes.route('/', bundleRoutes({ files, bundles, links, clock, log }));
  return {
    routes,
    isReading: (folder) => jobs.isReading(folder),
    stop: async () => {
      await Promise.all([jobs.stop(), bundles.stop()]);
      owner.release();
      if (stateFolder === undefined) await rm(state, { recursive: true, force: true });
    },
  };
}
