import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Clock, Log, NewId } from '../../common/ports';
import { bundleRoutes } from './bundleRoutes';
import { BundleStore } from './bundleStore';
import { ExportJobFiles } from './exportJobFiles';
import { ExportJobs } from './exportJobs';
import { exportRoutes, type ExportRoutesPorts } from './exportRoutes';
import { claimOwner } from './serviceOwner';
import { renderSite } from './siteRenderer';
import { linkSecret, newSecret, SignedLinks } from './signedLinks';

export interface LocalExportsOptions extends Pick<
  ExportRoutesPorts,
  'adminKey' | 'root' | 'domain' | 'origin'
> {
  /**
   * Where jobs and bundles are kept; a temporary folder, removed at the end, if absent. Several
   * services may share it, over whichever docs: each answers for all of its jobs.
   */
  readonly stateFolder: string | undefined;
  readonly linkLifetimeMs: number;
  readonly paceMs: number;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** Static exports of the local docs service. */
export interface LocalExports {
  readonly routes: Hono<{ Bindings: HttpBindings }>;
  stop(): Promise<void>;
}

/** Goes on with the jobs that were under way. @throws when the state folder cannot be used. */
export async function openExports(options: LocalExportsOptions): Promise<LocalExports> {
  const { clock, log, newId, stateFolder } = options;
  const owner = claimOwner();
  // A temporary folder is made with its first file: most services never export.
  const state = stateFolder ?? path.join(tmpdir(), `docs-assistant-exports-${owner.id}`);
  const files = new ExportJobFiles(state, { log, ownerId: owner.id });
  if (stateFolder !== undefined) await files.prepare();
  const secret = stateFolder === undefined ? newSecret() : await linkSecret(state, owner.id);
  const links = new SignedLinks(secret, { clock, lifetimeMs: options.linkLifetimeMs });
  const bundles = new BundleStore(files, log);
  const jobs = new ExportJobs({
    files,
    render: renderSite,
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
    stop: async () => {
      await Promise.all([jobs.stop(), bundles.stop()]);
      owner.release();
      if (stateFolder === undefined) await rm(state, { recursive: true, force: true });
    },
  };
}
