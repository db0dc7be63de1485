/** URLs of cited pages, from the addresses that a service sent. */
import { isLoopbackHost } from '../../common/http/address';
import { parseUrl } from '../../shared/links';

export interface SourceAddress {
  /** URL with `http` or `https`. Absent if the service sent only a path. */
  readonly url?: URL;
  /**
   * Percent-encoded path from the root of the site or of its docs. It never leads above the root.
   */
  readonly pathname: string;
  /** Query with its `?`, or empty. */
  readonly search: string;
  /** Fragment with its `#`, or empty. */
  readonly fragment: string;
}

/** Parses a source's address. Returns undefined for text that is neither a web URL nor a path. */
export function sourceAddress(address: string): SourceAddress | undefined {
  const absolute = parseUrl(address);
  // A query or a fragment alone isn't a path, and neither is the empty address of a document.
  if (!absolute && /^\s*(?:[?#]|$)/.test(address)) return undefined;
  // A path alone gets a placeholder as its host, which isn't used.
  const url = absolute ?? parseUrl(address, 'path://-/');
  if (!url) return undefined;
  const { pathname, search, hash: fragment } = url;
  if (!absolute) return url.host === '-' ? { pathname, search, fragment } : undefined;
  return /^https?:$/.test(url.protocol) ? { url, pathname, search, fragment } : undefined;
}

/** Path under which a local docs service serves its pages. */
export const LOCAL_DOCS_PATH = '/docs/';

/**
 * Returns the address of a local docs service's page below its docs: a percent-encoded path without a
 * slash at its start, query and fragment. The path of a page of an installed package begins with the package. The
 * port is not compared, because it changes at each start.
 * @returns undefined for the URL of anything else.
 */
export function localPageAddress(address: string): string | undefined {
  const url = sourceAddress(address)?.url;
  if (url?.hostname !== '127.0.0.1') return undefined;
  const [, set, page] = /^(?:\/sets\/([^/]+))?\/docs\/(.*)$/s.exec(url.pathname) ?? [];
  if (page === undefined) return undefined;
  // The name of a package can have a slash, which is encoded in the URL and not in the path.
  const start = set === undefined ? '' : `${set.replaceAll('%2F', '/')}/`;
  return `${start}${page}${url.search}${url.hash}`;
}

/** Returns the package, with its version, whose page is at a URL of a local docs service: `next@16.4.0`. */
export function packageOfPage(address: string): string | undefined {
  const url = sourceAddress(address)?.url;
  const [, set] = /^\/sets\/([^/]+)\/docs\//.exec(url?.pathname ?? '') ?? [];
  if (set === undefined || !url || !isLoopbackHost(url.hostname)) return undefined;
  try {
    return decodeURIComponent(set);
  } catch {
    return undefined;
  }
}

/**
 * Returns the web URL of a source that the service sent as a path, if the other sources of the
 * reply leave no doubt: all of them have one origin and show where its docs begin.
 *
 * A path can count from the origin or from a base path of the docs, such as `/docs`. Every page is
 * below the base, so the base is part of the common start of all URLs. It is empty if they have
 * nothing in common. Otherwise it is everything before the folder that the path begins with.
 *
 * @param others addresses of the reply's sources, as the service sent them.
 */
export function webAddressOfPath(path: string, others: readonly string[]): URL | undefined {
  const page = sourceAddress(path);
  if (!page || page.url) return undefined;
  const urls = others.flatMap((other) => sourceAddress(other)?.url ?? []);
  const [origin, ...more] = new Set(urls.map((url) => url.origin));
  if (origin === undefined || more.length > 0) return undefined;
  const common = commonStart(urls.map(({ pathname }) => segmentsOf(pathname)));
  const [folder] = segmentsOf(page.pathname);
  const baseLength = common.length === 0 ? 0 : common.indexOf(folder ?? '');
  if (baseLength < 0) return undefined;
  const base = common.slice(0, baseLength).map((segment) => `/${segment}`);
  const { pathname, search, fragment } = page;
  const url = parseUrl(`${origin}${base.join('')}${pathname}${search}${fragment}`);
  return url?.origin === origin ? url : undefined;
}

function segmentsOf(pathname: string): string[] {
  return pathname.split('/').filter((segment) => segment !== '');
}

function commonStart(paths: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...rest] = paths;
  const end = first.findIndex((segment, index) => rest.some((path) => path[index] !== segment));
  return end < 0 ? first : first.slice(0, end);
}

/** Returns the host of most of the addresses. Paths, and pages of a service on this machine, don't count. */
export function mainHost(addresses: readonly string[]): string | undefined {
  const hosts = addresses.flatMap((address) => {
    const url = sourceAddress(address)?.url;
    return url && !isLoopbackHost(url.hostname) ? [url.host] : [];
  });
  return hosts.find((host) => hosts.filter((other) => other === host).length > hosts.length / 2);
}
