/** Search, list and pages of a local docs service over HTTP. */
import * as v from 'valibot';
import { DocsAssistantError } from '../common/errors';
import { GuardedRequest } from '../common/http/guardedRequest';
import { hostOf, isRedirect, responseError } from '../common/http/responseErrors';
import {
  listResponseSchema,
  localDocsEndpoint,
  pageResponseSchema,
  searchResponseSchema,
  unknownPageSchema,
  type ListRequest,
  type ListResponse,
  type LocalDocsRoute,
  type PageRequest,
  type PageResponse,
  type SearchRequest,
  type SearchResponse,
  type UnknownPage,
} from '../common/localDocsApi';
import type { Clock, Fetch, Log } from '../common/ports';
import type { DocsTarget } from './toolCall';

export interface LocalDocsClientPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
}

type LocalDocs = NonNullable<DocsTarget['local']>;

/** Longest response in bytes: the longest page that the service reads, with room for escapes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Longest waits. The service is on this machine, and a search takes milliseconds. */
const timeouts = { headersTimeoutMs: 30_000, idleTimeoutMs: 30_000 };

/**
 * Returns the sections that fit a query best.
 * @throws {DocsAssistantError} if the service can't be reached or refuses.
 * @throws the signal's reason when stopped.
 */
export async function searchLocalDocs(
  ports: LocalDocsClientPorts,
  docs: LocalDocs,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<SearchResponse> {
  const { body, refuse } = await post(ports, docs, 'search', request, signal);
  return parsed(searchResponseSchema, body) ?? refuse();
}

/**
 * Returns a page, or what the service says about one that isn't there.
 * @throws as {@link searchLocalDocs}.
 */
export async function readLocalPage(
  ports: LocalDocsClientPorts,
  docs: LocalDocs,
  request: PageRequest,
  signal: AbortSignal,
): Promise<PageResponse | UnknownPage> {
  const { body, status, refuse } = await post(ports, docs, 'page', request, signal);
  const schema = status === 404 ? unknownPageSchema : pageResponseSchema;
  return parsed<PageResponse | UnknownPage>(schema, body) ?? refuse();
}

/**
 * Returns a part of the list of all pages.
 * @throws as {@link searchLocalDocs}.
 */
export async function listLocalPages(
  ports: LocalDocsClientPorts,
  docs: LocalDocs,
  request: ListRequest,
  signal: AbortSignal,
): Promise<ListResponse> {
  const { body, refuse } = await post(ports, docs, 'pages', request, signal);
  return parsed(listResponseSchema, body) ?? refuse();
}

interface LocalAnswer {
  readonly status: number;
  readonly body: string;
  /** Throws the error for the response. */
  readonly refuse: () => never;
}

async function post(
  { fetch, clock, log }: LocalDocsClientPorts,
  { url: baseUrl, domain, key }: LocalDocs,
  route: LocalDocsRoute,
  request: SearchRequest | PageRequest | ListRequest,
  signal: AbortSignal,
): Promise<LocalAnswer> {
  const url = localDocsEndpoint(baseUrl, domain, route);
  const guarded = new GuardedRequest({ url, fetch, clock, signal, settings: timeouts });
  const startedAt = clock.now();
  try {
    const response = await guarded.send({
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json',
      },
      body: JSON.stringify(request),
      redirect: 'manual',
    });
    const body = isRedirect(response) ? '' : await guarded.readText(MAX_RESPONSE_BYTES);
    const refuse = (): never => {
      const context = { url, domain, hasThread: false, secrets: [key] };
      if (response.ok) throw new DocsAssistantError('bad-stream', { host: hostOf(url) });
      throw responseError(response, body, context, clock, 1);
    };
    const isExpected = response.ok || (response.status === 404 && route === 'page');
    return isExpected ? { status: response.status, body, refuse } : refuse();
  } finally {
    guarded.close();
    log.debug(
      `POST ${url} ${guarded.status ?? 'no response'} in ${clock.now() - startedAt} ms, ` +
        `${guarded.receivedBytes} bytes received`,
    );
  }
}

/** Returns parsed JSON, or undefined for a body that isn't what the schema says. */
function parsed<Value>(schema: v.GenericSchema<unknown, Value>, body: string): Value | undefined {
  try {
    const result = v.safeParse(schema, JSON.parse(body));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}
