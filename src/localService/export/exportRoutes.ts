import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import type { Log } from '../../common/ports';
import { errorCode } from '../docsFolder';
import { limitBody, requireJson } from '../jsonBody';
import { bundlePath } from './bundleRoutes';
import type { BundleStore } from './bundleStore';
import { adminKeyProblem } from './exportKey';
import type { JobRecord } from './exportJobFiles';
import type { ExportJobs } from './exportJobs';
import type { SignedLinks } from './signedLinks';

export interface ExportRoutesPorts {
  readonly jobs: ExportJobs;
  readonly bundles: BundleStore;
  readonly links: SignedLinks;
  readonly adminKey: string;
  /** Real path of the docs folder. */
  readonly root: string;
  /** Identifier of the site; it and `<domain>.localhost` are what can be exported. */
  readonly domain: string;
  /** Address of the service, without a slash at its end. */
  readonly origin: () => string;
  readonly log: Log;
}

const JOBS = '/v1/static-export/jobs';
const JOB = `${JOBS}/:jobId`;
const JOB_BUNDLE = `${JOB}/bundle`;

const startSchema = v.object({ domain: v.string() });

/**
 * The static export endpoints (platform-api.md § Start static export job and the two after it), with
 * the codes and fields of field-notes.md § Static export. They have no rate limits.
 */
export function exportRoutes(ports: ExportRoutesPorts): Hono<{ Bindings: HttpBindings }> {
  const { jobs, bundles, links, domain } = ports;
  const siteHost = localSiteHost(domain);
  const routes = new Hono<{ Bindings: HttpBindings }>();

  const requireAdminKey: MiddlewareHandler = async (c, next) => {
    const problem = adminKeyProblem(c.req.header('authorization'), ports.adminKey);
    if (problem !== undefined) {
      return c.json({ error: problem }, 401, { 'WWW-Authenticate': 'Bearer' });
    }
    await next();
    return undefined;
  };

  routes.post(JOBS, requireAdminKey, requireJson, limitBody, async (c) => {
    let body: unknown;
    try {
      body = JSON.parse(await c.req.text());
    } catch {
      return c.json({ error: 'The request body is not valid JSON.' }, 400);
    }
    const parsed = v.safeParse(startSchema, body);
    if (!parsed.success) {
      return c.json(
        { error: `Name the site to export, such as {"domain": "${domain}"}, as a string.` },
        400,
      );
    }
    const problem = domainProblem(parsed.output.domain, domain, siteHost);
    if (problem !== undefined) return c.json({ error: problem }, 400);
    const { jobId } = await jobs.start(ports.root, siteHost);
    return c.json({ jobId }, 202);
  });
  routes.all(JOBS, (c) => notAllowed(c, 'Exports are started with POST.', 'POST'));

  routes.get(JOB, requireAdminKey, async (c) => {
    const job = await jobs.find(c.req.param('jobId'));
    return job ? c.json(statusOf(job)) : unknownJob(c);
  });
  routes.all(JOB, (c) => notAllowed(c, 'The status of a job is read with GET.', 'GET, HEAD'));

  routes.post(JOB_BUNDLE, requireAdminKey, async (c) => {
    const job = await jobs.find(c.req.param('jobId'));
    if (!job) return unknownJob(c);
    const { jobId, status } = job;
    if (status === 'failed') {
      return c.json(
        { error: `The job failed, so there is no bundle: ${job.error ?? 'start a new export.'}` },
        409,
      );
    }
    if (status !== 'completed') {
      return c.json(
        { error: `The job is ${status}. Ask for the bundle when its status is completed.` },
        409,
      );
    }
    let sizeBytes;
    try {
      ({ sizeBytes } = await bundles.pack(jobId));
    } catch (error) {
      ports.log.error(`The bundle of the job ${jobId} cannot be packed`, error);
      return c.json(
        {
          error: `The bundle cannot be packed (${errorCode(error)}). Make room in the state folder or start a new export, then ask again.`,
        },
        500,
      );
    }
    const { url, expiresAt } = links.sign(ports.origin(), bundlePath(jobId));
    const expires = new Date(expiresAt).toISOString();
    return c.json({ bundleUrl: url, expiresAt: expires, jobId, sizeBytes });
  });
  routes.all(JOB_BUNDLE, (c) => notAllowed(c, 'Bundles are generated with POST.', 'POST'));
  return routes;
}

/** platform-api.md § Static export job: `progress` and `pageCount` are there once it runs. */
function statusOf(job: JobRecord): object {
  const { status, progress, pageCount, createdAt, updatedAt, error } = job;
  return {
    status,
    ...(progress === undefined ? {} : { progress }),
    ...(pageCount === undefined ? {} : { pageCount }),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    ...(error === undefined ? {} : { error }),
  };
}

/** What keeps a `domain` from being exported; it wants a bare host name. */
/** The host of a site that this service exports, as its canonical links name it. */
export function localSiteHost(domain: string): string {
  return `${domain}.localhost`;
}

function domainProblem(given: string, domain: string, siteHost: string): string | undefined {
  const served = `this service exports "${domain}", also named "${siteHost}"`;
  const name = given.toLowerCase();
  if (name === domain.toLowerCase() || name === siteHost.toLowerCase()) return undefined;
  if (name.trim() === '') return `The domain is empty: ${served}.`;
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(name)) {
    return `Give the domain without its scheme, as a bare host name: ${served}.`;
  }
  if (/[/\\?#]/.test(name)) {
    return `Give the domain without slash and path, as a bare host name: ${served}.`;
  }
  return `There is no such site here: ${served}.`;
}

function unknownJob(c: Context): Response {
  return c.json({ error: 'This service knows no such job. Start a new export.' }, 404);
}

function notAllowed(c: Context, sentence: string, methods: string): Response {
  return c.json({ error: sentence }, 405, { Allow: methods });
}
