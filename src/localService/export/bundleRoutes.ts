import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import send from 'send';
import type { Clock, Log } from '../../common/ports';
import { BUNDLE, type BundleStore } from './bundleStore';
import type { ExportJobFiles } from './exportJobFiles';
import type { SignedLinks } from './signedLinks';

type AppContext = Context<{ Bindings: HttpBindings }>;

const BUNDLES = '/v1/bundles';
const BUNDLE_OF_JOB = `${BUNDLES}/:jobId/${BUNDLE}` as const;

/** Path of a job's bundle at this service, to be signed. */
export function bundlePath(jobId: string): string {
  return `${BUNDLES}/${jobId}/${BUNDLE}`;
}

export interface BundleRoutesPorts {
  readonly files: ExportJobFiles;
  readonly bundles: BundleStore;
  readonly links: SignedLinks;
  readonly clock: Clock;
  readonly log: Log;
}

/** The errors of object stores (field-notes.md § Static export), by their code. */
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
 * Bundles by their presigned links, with the manners of an object store: ranges, conditions, errors
 * in XML. No key: the link is the permission.
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
      ports.log.error(`The bundle of ${jobId} cannot be sent`, failure.error);
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

/** Resolves when all is sent or the connection is gone; with the failure where nothing was sent. */
function sendFile(
  { env: { incoming, outgoing } }: AppContext,
  root: string,
  sha256: string,
): Promise<SendFailure | undefined> {
  // An object store is no cache: a client's word to caches does not undo its conditions.
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
          // The rest of the file cannot be read: cut, so that it is not taken for whole.
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
