/** Docs on this machine for the tools. Those of a local docs service are asked over HTTP. */
import * as v from 'valibot';
import { DocsAssistantError } from '../common/errors';
import { GuardedRequest } from '../common/http/guardedRequest';
import { hostOf, responseError } from '../common/http/responseErrors';
import {
  type ClaimsRequest,
  claimsResponseSchema,
  filtersResponseSchema,
  type ListRequest,
  listResponseSchema,
  type LocalDocsRoute,
  localDocsEndpoint,
  packageSetsSchema,
  packagesResponseSchema,
  type PageRequest,
  pageResponseSchema,
  placeResponseSchema,
  type ProofRequest,
  proofResponseSchema,
  type SearchableDocs,
  type SearchRequest,
  searchResponseSchema,
  type ShownPackages,
  unknownPageSchema,
} from '../common/localDocsApi';
import type { Clock, Fetch, Log } from '../common/ports';
import { localPageAddress } from '../chat/sources/sourceAddress';
import { parsedJson } from '../common/text/strings';
import { withoutUndefined } from '../common/withoutUndefined';
import { parsedAs } from '../shared/schemas';
import type { DocsTarget, LocalEngine, LocalServiceAddress } from './toolCall';
import type { SearchInput } from './toolDefinitions';

export interface LocalDocsClientPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
}

/** Longest response in bytes: the longest page that the service reads, with room for escapes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Longest waits. The service is on this machine, and a search takes milliseconds. */
const timeouts = { headersTimeoutMs: 30_000, idleTimeoutMs: 30_000 };

/** The docs of a local docs service. Only a service of installed packages answers about packages. */
class LocalDocsClient implements SearchableDocs, ShownPackages {
  readonly #ports: LocalDocsClientPorts;
  readonly #service: LocalServiceAddress;

  constructor(ports: LocalDocsClientPorts, service: LocalServiceAddress) {
    this.#ports = ports;
    this.#service = service;
  }

  search(request: SearchRequest, signal: AbortSignal) {
    return this.#post('search', searchResponseSchema, request, signal);
  }

  page(request: PageRequest, signal: AbortSignal) {
    return this.#post('page', pageAnswerSchema, request, signal);
  }

  pages(request: ListRequest, signal: AbortSignal) {
    return this.#post('pages', listResponseSchema, request, signal);
  }

  filters(signal: AbortSignal) {
    return this.#post('filters', filtersResponseSchema, {}, signal);
  }

  claims(request: ClaimsRequest, signal: AbortSignal) {
    return this.#post('claims', claimsResponseSchema, request, signal);
  }

  proof(request: ProofRequest, signal: AbortSignal) {
    return this.#post('proof', proofResponseSchema, request, signal);
  }

  pathOf(address: string): string | undefined {
    return localPageAddress(address);
  }

  setsOf(named: string) {
    const { signal } = new AbortController();
    return this.#post('package', packageSetsSchema, { package: named }, signal);
  }

  packages(signal: AbortSignal) {
    return this.#post('packages', packagesResponseSchema, {}, signal);
  }

  place(request: { readonly page: string }, signal: AbortSignal) {
    return this.#post('place', placeResponseSchema, request, signal);
  }

  async #post<Value>(
    route: LocalDocsRoute,
    schema: v.GenericSchema<unknown, Value>,
    request: object,
    signal: AbortSignal,
  ): Promise<Value> {
    const { body, refuse } = await post(this.#ports, this.#service, route, request, signal);
    return parsedAs(schema, parsedJson(body)) ?? refuse();
  }
}

/** Returns the docs of a target that can be searched and read, or undefined if it has none. */
export async function localOf(
  { local, findLocal }: DocsTarget,
  signal: AbortSignal,
): Promise<DocsTarget['local']> {
  return local ?? (await findLocal?.(signal));
}

/** Returns docs on this machine: those that this process has opened, or those of a local docs service. */
export function searchableDocs(
  ports: LocalDocsClientPorts,
  local: LocalServiceAddress | LocalEngine,
): SearchableDocs {
  return 'engine' in local ? local.engine : new LocalDocsClient(ports, local);
}

/** Returns the filter of a request: that of the settings, with the values that a call names in their place. */
export function requestFilter(
  { settings }: Pick<DocsTarget, 'settings'>,
  { version, language, groups }: Pick<SearchInput, 'version' | 'language' | 'groups'> = {},
) {
  const filter = { ...settings.filter, ...withoutUndefined({ version, language, groups }) };
  return { ...filter, groups: [...(filter.groups ?? [])] };
}

/** Returns the installed packages of a local docs service that has them. */
export function shownPackages(
  ports: LocalDocsClientPorts,
  local: LocalServiceAddress,
): ShownPackages {
  return new LocalDocsClient(ports, local);
}

const pageAnswerSchema = v.union([pageResponseSchema, unknownPageSchema]);

interface LocalAnswer {
  readonly body: string;
  /** Throws the error for the response. */
  readonly refuse: () => never;
}

async function post(
  { fetch, clock, log }: LocalDocsClientPorts,
  { url: baseUrl, domain, key }: LocalServiceAddress,
  route: LocalDocsRoute,
  request: object,
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
    const body = await guarded.readText(MAX_RESPONSE_BYTES);
    const refuse = (): never => {
      const context = { url, domain, hasThread: false, secrets: [key] };
      if (response.ok) throw new DocsAssistantError('bad-stream', { host: hostOf(url) });
      throw responseError(response, body, context, clock, 1);
    };
    const isExpected = response.ok || (response.status === 404 && route === 'page');
    return isExpected ? { body, refuse } : refuse();
  } finally {
    guarded.close();
    log.debug(
      `POST ${url} ${guarded.status ?? 'no response'} in ${clock.now() - startedAt} ms, ` +
        `${guarded.receivedBytes} bytes received`,
    );
  }
}
