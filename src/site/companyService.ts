/** Talks to the service of a company (docs/service.md): finds it, and lists the sites that the reader may ask. */
import * as v from 'valibot';
import { isDomain } from '../common/http/address';
import { RESOURCE_METADATA, SERVICE_REALM, SERVICE_SITES } from '../common/http/companyApi';
import { GuardedRequest } from '../common/http/guardedRequest';
import { bodyError, responseError } from '../common/http/responseErrors';
import type { Clock, Fetch } from '../common/ports';
import { cutText, parsedJson } from '../common/text/strings';
import { plainLine, visibleProse } from '../shared/characters';
import { count, parsedAs } from '../shared/schemas';

/** A service that holds several sites. */
export interface CompanyService {
  /** Base URL as `parseApiAddress` returns it. */
  readonly baseUrl: string;
  readonly origin: string;
  /** Facts for signing in. Undefined if the service knows only keys. */
  readonly signIn: ServiceSignIn | undefined;
}

export interface ServiceSignIn {
  /** URL of the provider that issues tokens. */
  readonly issuer: string;
  /** Scopes that the service wants, which may be none. */
  readonly scopes: readonly string[];
}

export interface ServiceSite {
  readonly domain: string;
  /** Name for people, without what could hide in it. */
  readonly name: string;
  readonly pages: number | undefined;
}

export interface ServicePorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** A reader waits for it while setting up a site of any kind. */
const FIND_TIMEOUT_MS = 5000;
const TIMEOUT_MS = 20_000;
const MAX_BODY_BYTES = 1_000_000;
const MAX_NAME_LENGTH = 100;
/** Longest scope, and most of them. */
const MAX_SCOPE_LENGTH = 300;
const MAX_SCOPES = 20;

const metadataSchema = v.object({
  authorization_servers: v.pipe(v.array(v.pipe(v.string(), v.url())), v.minLength(1)),
  scopes_supported: v.fallback(
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/), v.maxLength(MAX_SCOPE_LENGTH))),
      v.maxLength(MAX_SCOPES),
    ),
    [],
  ),
});

const sitesSchema = v.object({ sites: v.array(v.unknown()) });
const siteSchema = v.object({
  domain: v.pipe(v.string(), v.check(isDomain)),
  name: v.fallback(v.string(), ''),
  pages: v.fallback(v.optional(count), undefined),
});

/**
 * Looks for the service of a company at a base URL, without a key. The service refuses that with a challenge that
 * nothing else sends, so any other answer, and none, means that there is no such service.
 * @throws the signal's reason when stopped, and nothing else.
 */
export async function findCompanyService(
  baseUrl: string,
  ports: ServicePorts,
  signal: AbortSignal,
): Promise<CompanyService | undefined> {
  const { origin } = new URL(baseUrl);
  try {
    const sites = await get(`${baseUrl}${SERVICE_SITES}`, ports, signal, FIND_TIMEOUT_MS);
    const challenge = sites.response.headers.get('www-authenticate') ?? '';
    if (sites.response.status !== 401 || !challenge.includes(`realm="${SERVICE_REALM}"`)) {
      return undefined;
    }
    if (!challenge.includes('resource_metadata=')) return { baseUrl, origin, signIn: undefined };
    // The URL in the challenge could lead anywhere, so the known path is read.
    const { body } = await get(`${baseUrl}${RESOURCE_METADATA}`, ports, signal, FIND_TIMEOUT_MS);
    const metadata = parsedAs(metadataSchema, parsedJson(body));
    const [issuer] = metadata?.authorization_servers ?? [];
    const signIn =
      metadata && issuer !== undefined ? { issuer, scopes: metadata.scopes_supported } : undefined;
    return { baseUrl, origin, signIn };
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/**
 * Returns the sites that a key or a token may ask. Sites that can't be read are left out.
 * @throws {DocsAssistantError}
 * @throws the signal's reason when stopped.
 */
export async function listServiceSites(
  { baseUrl }: Pick<CompanyService, 'baseUrl'>,
  key: string,
  ports: ServicePorts,
  signal: AbortSignal,
): Promise<readonly ServiceSite[]> {
  const listed = await readFromService(
    `${baseUrl}${SERVICE_SITES}`,
    sitesSchema,
    key,
    ports,
    signal,
  );
  return listed.sites.flatMap((each) => {
    const site = parsedAs(siteSchema, each);
    if (!site) return [];
    const { domain, name, pages } = site;
    const shown = cutText(plainLine(visibleProse(name)), MAX_NAME_LENGTH).trim();
    return [{ domain, name: shown === '' ? domain : shown, pages }];
  });
}

/**
 * Reads JSON from a service with a key.
 * @throws {DocsAssistantError}
 */
export async function readFromService<Schema extends v.GenericSchema>(
  url: string,
  schema: Schema,
  key: string,
  ports: ServicePorts,
  signal: AbortSignal,
): Promise<v.InferOutput<Schema>> {
  const { response, body } = await get(url, ports, signal, TIMEOUT_MS, key);
  const context = { url, domain: '', hasThread: false, secrets: [key] };
  if (!response.ok) throw responseError(response, body, context, ports.clock, 1);
  const parsed = v.safeParse(schema, parsedJson(body));
  if (!parsed.success) throw bodyError(response, body, context);
  return parsed.output;
}

async function get(
  url: string,
  ports: ServicePorts,
  signal: AbortSignal,
  timeoutMs: number,
  key?: string,
): Promise<{ readonly response: Response; readonly body: string }> {
  const settings = { headersTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs };
  const guarded = new GuardedRequest({ ...ports, url, signal, settings });
  try {
    const headers = new Headers({ Accept: 'application/json' });
    if (key !== undefined) headers.set('Authorization', `Bearer ${key}`);
    // A followed redirect would send the key to an address that it wasn't saved for.
    const response = await guarded.send({ method: 'GET', headers, redirect: 'manual' });
    return { response, body: await guarded.readText(MAX_BODY_BYTES) };
  } finally {
    guarded.close();
  }
}
