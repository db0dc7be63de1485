/** Defines the routes of static export. Uses `node:fs` for the secret of presigned links. */
import { createHmac, randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import send from 'send';
import * as v from 'valibot';
import { errorCodeOrName } from '../../common/errorCode';
import type { Clock, Log } from '../../common/ports';
import { BUNDLE, type BundleStore, type ExportJobFiles, type JobRecord } from './exportFiles';
import type { ExportJobs } from './exportJobs';
import { unauthorized } from '../server/apiRoutes';
import { isSameSecret } from '../../common/http/sameSecret';
import { jsonBody, limitBody, requireJson } from '../server/requestChecks';

/** Query parameter with the time at which the link expires, in milliseconds since the epoch. */
const EXPIRES = 'X-Expires';
/**
 * Query parameter with the HMAC-SHA256, in hex, of the path, a line feed and the value of
 * `X-Expires`.
 */
const SIGNATURE = 'X-Signature';

const SECRET = 'link-secret';
const secretPattern = /^[0-9a-f]{64}$/;

interface SignedLink {
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Signs and checks presigned links. Everyone who has a link can download the file at its path until the link
 * expires.
 */
export class SignedLinks {
  readonly #secret: string;
  readonly #clock: Clock;
  readonly #lifetimeMs: number;

  constructor(
    secret: string,
    { clock, lifetimeMs }: { readonly clock: Clock; readonly lifetimeMs: number },
  ) {
    this.#secret = secret;
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  sign(origin: string, path: string): SignedLink {
    const expiresAt = this.#clock.now() + this.#lifetimeMs;
    const expires = String(expiresAt);
    const query = new URLSearchParams({
      [EXPIRES]: expires,
      [SIGNATURE]: this.#signature(path, expires),
    });
    return { url: `${origin}${path}?${query.toString()}`, expiresAt };
  }

  check(path: string, query: URLSearchParams): 'valid' | 'unsigned' | 'forged' | 'expired' {
    const expires = query.get(EXPIRES);
    const signature = query.get(SIGNATURE);
    if (expires === null || signature === null) return 'unsigned';
    if (!isSameSecret(signature, this.#signature(path, expires))) return 'forged';
    return this.#clock.now() < Number(expires) ? 'valid' : 'expired';
  }

  #signature(path: string, expires: string): string {
    return createHmac('sha256', this.#secret).update(`${path}\n${expires}`).digest('hex');
  }
}

export function newSecret(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Returns the secret for the links of a state folder. Creates the secret if the folder has none.
 */
export async function linkSecret(stateFolder: string, ownerId: string): Promise<string> {
  const file = path.join(stateFolder, SECRET);
  const kept = await readSecret(file);
  if (kept !== undefined) return kept;
  const part = `${file}.part-${ownerId}`;
  await writeFile(part, newSecret(), { mode: 0o600 });
  await rename(part, file);
  // Another service can write its own secret at the same time, so the content of the file counts.
  const made = await readSecret(file);
  if (made === undefined) throw new Error("Can't save the secret for links.");
  return made;
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    return secretPattern.test(text) ? text : undefined;
  } catch (error) {
    if (errorCodeOrName(error) === 'ENOENT') return undefined;
    throw error;
  }
}

type AppContext = Context<{ Bindings: HttpBindings }>;

const BUNDLES = '/v1/bundles';
const BUNDLE_OF_JOB = `${BUNDLES}/:jobId/${BUNDLE}` as const;

/** Returns the path of a job's bundle at this service, without a signature. */
function bundlePath(jobId: string): string {
  return `${BUNDLES}/${jobId}/${BUNDLE}`;
}

interface BundleRoutesPorts {
  readonly files: ExportJobFiles;
  readonly bundles: BundleStore;
  readonly links: SignedLinks;
  readonly clock: Clock;
  readonly log: Log;
}

/** HTTP statuses and messages of an object store's errors, by code (field-notes.md § Static export). */
const refusals = {
  AccessDenied: [403, 'Access Denied'],
  RequestExpired: [403, 'Request has expired'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided.',
  ],
  InvalidArgument: [
    400,
    'Only one auth mechanism allowed; only the signature in the query or the Authorization header should be specified',
  ],
  NoSuchKey: [404, 'The specified key does not exist.'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
} as const;
type Refusal = keyof typeof refusals;

/**
 * Serves bundles at their presigned links as an object store does, with ranges, conditional requests and
 * errors in XML. Requests need no key, because the signed link gives the permission.
 */
export function bundleRoutes(ports: BundleRoutesPorts): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();

  routes.get(BUNDLE_OF_JOB, async (c) => {
    const refuse = (refusal: Refusal): Response => errorXml(c, ports.clock, refusal);
    if (c.req.header('authorization') !== undefined) return refuse('InvalidArgument');
    const { searchParams } = new URL(c.req.url);
    switch (ports.links.check(c.req.path, searchParams)) {
      case 'unsigned':
        return refuse('AccessDenied');
      case 'forged':
        return refuse('SignatureDoesNotMatch');
      case 'expired':
        return refuse('RequestExpired');
      case 'valid':
        break;
    }
    const jobId = c.req.param('jobId');
    const bundle = await ports.bundles.find(jobId);
    if (!bundle) return refuse('NoSuchKey');
    const failure = await sendFile(c, ports.files.pathOf(jobId, ''), bundle.sha256);
    if (failure === undefined) return RESPONSE_ALREADY_SENT;
    if (failure.refusal === 'InternalError') {
      ports.log.error(`Can't send the bundle of the job ${jobId}`, failure.error);
    }
    const response = refuse(failure.refusal);
    if (failure.refusal === 'InvalidRange') {
      response.headers.set('Content-Range', `bytes */${bundle.sizeBytes}`);
    }
    return response;
  });
  routes.all(BUNDLE_OF_JOB, (c) => {
    const response = errorXml(c, ports.clock, 'MethodNotAllowed');
    response.headers.set('Allow', 'GET, HEAD');
    return response;
  });
  routes.all(`${BUNDLES}/*`, (c) => errorXml(c, ports.clock, 'NoSuchKey'));
  return routes;
}

interface SendFailure {
  readonly refusal: Refusal;
  readonly error: unknown;
}

/**
 * Sends the bundle's file. Resolves with undefined when the file is sent or the connection has closed.
 * Resolves with the failure if nothing was sent.
 */
function sendFile(
  { env: { incoming, outgoing } }: AppContext,
  root: string,
  sha256: string,
): Promise<SendFailure | undefined> {
  // An object store ignores the `Cache-Control` header of a request. With this header, the library would
  // ignore the conditions of the request.
  delete incoming.headers['cache-control'];
  return new Promise((resolve) => {
    outgoing.once('close', () => resolve(undefined));
    send(incoming, `/${BUNDLE}`, { root, cacheControl: false, index: false })
      .on('headers', (response: typeof outgoing) => {
        response.setHeader('Content-Type', 'application/gzip');
        response.setHeader('ETag', `"${sha256}"`);
        response.setHeader('X-Content-Type-Options', 'nosniff');
      })
      .on('error', (error: Error & { readonly status?: number }) => {
        if (outgoing.headersSent) {
          // The rest of the file can't be read. Closing the connection tells the client about it.
          outgoing.destroy();
          return;
        }
        for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
        resolve({ refusal: refusalOf(error.status), error });
      })
      .pipe(outgoing);
  });
}

function refusalOf(status: number | undefined): Refusal {
  if (status === 404) return 'NoSuchKey';
  if (status === 412) return 'PreconditionFailed';
  if (status === 416) return 'InvalidRange';
  return 'InternalError';
}

function errorXml(c: AppContext, clock: Clock, refusal: Refusal): Response {
  const [status, text] = refusals[refusal];
  const code = refusal === 'RequestExpired' ? 'AccessDenied' : refusal;
  const serverTime = new Date(clock.now()).toISOString();
  return c.body(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      `<Error><Code>${code}</Code><Message>${text}</Message><ServerTime>${serverTime}</ServerTime></Error>\n`,
    status,
    { 'Content-Type': 'application/xml' },
  );
}

/** A site that can be exported. */
interface ExportedSite {
  /** Real path of the docs folder. */
  readonly root: string;
  /** Host that canonical links of the exported site name. */
  readonly host: string;
  /** Domain of the site, if the service has several. */
  readonly domain?: string;
}

/** A sentence about a name of no site, or about a site that can't be exported, with the status of the reply. */
interface ExportRefusal {
  readonly problem: string;
  readonly status: 400 | 409;
}

export interface ExportRoutesPorts {
  readonly jobs: ExportJobs;
  readonly bundles: BundleStore;
  readonly links: SignedLinks;
  /** Returns why an `Authorization` header is not that of an admin key, or undefined if it is. */
  readonly adminProblem: (header: string | undefined) => Promise<string | undefined>;
  /** Returns the site that a request names, or why it can't be exported. */
  readonly siteOf: (named: string) => ExportedSite | ExportRefusal;
  /** Identifier of a site, as an example for requests that name none. */
  readonly domain: string;
  /** Returns the base URL of the service, without a slash at its end. */
  readonly origin: () => string;
  readonly log: Log;
}

const JOBS = '/v1/static-export/jobs';
const JOB = `${JOBS}/:jobId`;
const JOB_BUNDLE = `${JOB}/bundle`;

/** Limits of the optional fields of a start request. The job's record stores these fields. */
const MAX_LABEL_LENGTH = 200;
const MAX_PATHS = 1000;
const MAX_PATH_LENGTH = 500;

/** Schema of a start request. `version` and `paths` are not in the contract, but similar services accept them. */
const startSchema = v.object({
  domain: v.string(),
  version: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_LABEL_LENGTH))),
  paths: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_PATH_LENGTH))),
      v.minLength(1),
      v.maxLength(MAX_PATHS),
    ),
  ),
});

/**
 * Serves the static export endpoints (platform-api.md § Start static export job and the two
 * sections after it), with the codes and fields of field-notes.md § Static export. These endpoints
 * have no rate limits.
 */
export function exportRoutes(ports: ExportRoutesPorts): Hono<{ Bindings: HttpBindings }> {
  const { jobs, bundles, links, domain } = ports;
  const routes = new Hono<{ Bindings: HttpBindings }>();

  const requireAdminKey: MiddlewareHandler = async (c, next) => {
    const problem = await ports.adminProblem(c.req.header('authorization'));
    if (problem !== undefined) return unauthorized(c, problem);
    await next();
    return undefined;
  };

  routes.post(JOBS, requireAdminKey, requireJson, limitBody, async (c) => {
    const read = await jsonBody(c);
    if ('error' in read) return c.json(read, 400);
    const parsed = v.safeParse(startSchema, read.body);
    if (!parsed.success) {
      return c.json({ error: bodyProblem(parsed.issues, domain) }, 400);
    }
    const { domain: given, version, paths } = parsed.output;
    const site = ports.siteOf(given);
    if ('problem' in site) return c.json({ error: site.problem }, site.status);
    const options = { domain: site.domain, version, paths };
    const { jobId } = await jobs.start(site.root, site.host, options);
    return c.json({ jobId }, 202);
  });
  routes.all(JOBS, (c) => notAllowed(c, 'Use POST to start an export.', 'POST'));

  routes.get(JOB, requireAdminKey, async (c) => {
    const job = await jobs.find(c.req.param('jobId'));
    return job ? c.json(statusOf(job)) : unknownJob(c);
  });
  routes.all(JOB, (c) => notAllowed(c, 'Use GET to read the status of a job.', 'GET, HEAD'));

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
        { error: `The job is ${status}. Request the bundle when the status is completed.` },
        409,
      );
    }
    let sizeBytes;
    try {
      ({ sizeBytes } = await bundles.pack(jobId));
    } catch (error) {
      ports.log.error(`Can't pack the bundle of the job ${jobId}`, error);
      return c.json(
        {
          error: `The bundle can't be packed (${errorCodeOrName(error)}). Free up space in the state folder or start a new export, then try again.`,
        },
        500,
      );
    }
    const { url, expiresAt } = links.sign(ports.origin(), bundlePath(jobId));
    const expires = new Date(expiresAt).toISOString();
    return c.json({ bundleUrl: url, expiresAt: expires, jobId, sizeBytes });
  });
  routes.all(JOB_BUNDLE, (c) => notAllowed(c, 'Use POST to generate a bundle.', 'POST'));
  return routes;
}

/**
 * Returns the body of a status response (platform-api.md § Static export job). `progress` and
 * `pageCount` are present once the job runs.
 */
function statusOf(job: JobRecord): object {
  const { jobId, status, version, paths, progress, pageCount, createdAt, updatedAt, error } = job;
  return {
    jobId,
    status,
    version,
    paths,
    progress,
    pageCount,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    error,
  };
}

/** Says why a bundle or a public site isn't exported. */
export const PUBLISHED_ALREADY =
  'These docs are a published site already. Static export needs a folder of Markdown or MDX.';

/** Returns the host that canonical links of an exported site name. */
export function localSiteHost(domain: string): string {
  return `${domain}.localhost`;
}

/** Returns the message for the first field of a start request that is not valid. */
function bodyProblem(issues: readonly v.InferIssue<typeof startSchema>[], domain: string): string {
  switch (issues[0]?.path?.[0].key) {
    case 'version':
      return `The version must be a label of at most ${MAX_LABEL_LENGTH} characters.`;
    case 'paths':
      return `The paths must be a list of at most ${MAX_PATHS} paths, such as ["index", "guides/start"].`;
    default:
      return `The body must name the site to export as a string, such as {"domain": "${domain}"}.`;
  }
}

/** Returns the only site of a service. Requests can name it by its domain or by `<domain>.localhost`. */
export function onlySite(
  given: string,
  domain: string,
  root: string | undefined,
): ExportedSite | ExportRefusal {
  const host = localSiteHost(domain);
  const name = given.toLowerCase();
  if (name !== domain.toLowerCase() && name !== host.toLowerCase()) {
    return unknownName(name, `this service exports "${domain}", also named "${host}"`);
  }
  return root === undefined ? { problem: PUBLISHED_ALREADY, status: 409 } : { root, host };
}

/** Returns the refusal of a name of no site. @param served tells which sites the service exports. */
export function unknownName(name: string, served: string): ExportRefusal {
  const refusal = (sentence: string): ExportRefusal => ({
    problem: `${sentence}: ${served}.`,
    status: 400,
  });
  if (name.trim() === '') return refusal('The domain is empty');
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(name)) {
    return refusal('The domain must be a host name without a scheme');
  }
  if (/[/\\?#]/.test(name)) return refusal('The domain must be a host name without a path');
  return refusal("This site doesn't exist here");
}

function unknownJob(c: Context): Response {
  return c.json({ error: "This job doesn't exist at this service." }, 404);
}

function notAllowed(c: Context, sentence: string, methods: string): Response {
  return c.json({ error: sentence }, 405, { Allow: methods });
}
