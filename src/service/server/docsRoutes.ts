import { createHash } from 'node:crypto';
import path from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { silentLog } from '../../common/ports';
import { imageTypes, MAX_IMAGE_BYTES } from '../../docs/sources/docsFolder';
import type { ReadableSet } from '../../docs/askedDocs';
import {
  DOCS_PATH,
  followRedirects,
  pageFor,
  pageHref,
  resolveLink,
  sectionFragment,
  SETS_PATH,
} from '../../docs/pages/links';
import { compareVersions } from '../../docs/pages/pageFilter';
import type { DocsPage } from '../../docs/pages/page';
import { isHtmlPath, isPagePath, routeOf } from '../../docs/pages/pagePath';
import { escapeHtml, pageDocument, renderPage, styleSheet } from '../../docs/pages/pageHtml';
import type { ConfiguredEntry } from '../../docs/siteConfig/configFiles';
import { Redirects } from '../../docs/siteConfig/redirects';
import type { SiteConfig } from '../../docs/siteConfig/siteConfig';
import type { ServedEngine } from './servedEngine';
import { percentDecoded } from '../../shared/links';

interface DocsRoutesPorts {
  readonly engine: Pick<ServedEngine, 'page' | 'packages'>;
  /**
   * Returns what `read` makes of a set, or of the only docs if the id is undefined. It runs again if the texts that it
   * reads come in turns.
   */
  readonly reading: <Result>(
    set: string | undefined,
    read: (library: ReadableSet | undefined) => Promise<Result>,
  ) => Promise<Result>;
  readonly domain: string;
  /** Name of the site for people, if it has one. */
  readonly name?: string;
  /** Path of the docs at a service of several sites, without a slash at its end. */
  readonly base?: string;
  /** Path before `base` in links, which a proxy removes from requests. Without a slash at its end. */
  readonly proxyPath?: string;
  /** Whether images are served, as by default. They belong to no page, so nothing tells who may see one. */
  readonly hasImages?: boolean;
}

const styleHash = createHash('sha256').update(styleSheet).digest('base64');
/** Headers of pages that {@link pageDocument} makes. */
export const pageHeaders = {
  'Content-Security-Policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
};
/**
 * Headers of images. A browser opens an SVG as a document, so it may use inline styles and nothing
 * else.
 */
const imageHeaders = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/**
 * Serves what a browser can open without a key: a start page, the pages that replies cite, and their
 * images.
 */
export function docsRoutes(ports: DocsRoutesPorts): Hono<{ Bindings: HttpBindings }> {
  const { engine, reading, domain, base: root = '', proxyPath = '', hasImages = true } = ports;
  const title = root === '' ? 'Local docs service' : (ports.name ?? domain);
  const routes = new Hono<{ Bindings: HttpBindings }>({ strict: false }).basePath(root);
  const linkedRoot = proxyPath + root;
  const start = `${linkedRoot}/`;
  const pathOf = (c: Context): string => c.req.path.slice(root.length);
  const html = (title: string, body: string): Response =>
    new Response(pageDocument(title, body), {
      headers: { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' },
    });

  // Browsers request this file from every site, and the service has no icon.
  routes.get('/favicon.ico', (c) => c.body(null, 204));
  routes.get('/', async (c) => {
    const page = await reading(undefined, async (library) =>
      library
        ? startPage(
            library,
            { title, domain, base: linkedRoot },
            await library.source.readConfig(silentLog),
          )
        : packagesPage(engine),
    );
    return page === undefined ? c.notFound() : html(title, page);
  });

  const answer = async (
    c: Context,
    library: ReadableSet,
    base: string,
    encoded: string,
  ): Promise<Response> => {
    const { source, index } = library;
    const decoded = decodePath(encoded);
    if (decoded === undefined) return c.json({ error: 'This URL is not valid.' }, 400);
    const page = findPage(library, decoded);
    if (page) {
      const own = new URL(base + pageHref(page), 'http://localhost').pathname;
      if (own !== proxyPath + new URL(c.req.url).pathname) return c.redirect(own);
      const file = await source.read(page.path);
      const link = (href: string): string => {
        const resolved = resolveLink(index, page, href);
        return resolved.startsWith(DOCS_PATH) ? base + resolved : resolved;
      };
      const body = file
        ? renderPage(page, file.source, link, await source.readIncludes(page.path, file.source))
        : await renderMade(engine, page);
      if (body === undefined) return c.notFound();
      return html(
        page.title,
        `<nav><a href="${start}">All pages</a>${siteLink(page)}${versionNote(page)}</nav>${body}`,
      );
    }
    if (decoded === '') return c.redirect(start);
    const type = imageTypes[path.posix.extname(decoded).toLowerCase()];
    if (type !== undefined && hasImages) {
      for (const folder of ['', ...(index.roots?.publicFolders ?? [])]) {
        const file = path.posix.join(folder, decoded);
        const image = await source.readFile(file, MAX_IMAGE_BYTES);
        if (image)
          return new Response(image, { headers: { ...imageHeaders, 'Content-Type': type } });
      }
    }
    const target = await redirectTarget(library, decoded);
    if (target !== undefined) return c.redirect(base + target);
    if (library.isIndexed) return c.notFound();
    return c.json({ error: 'The docs are still being read. Try again.' }, 503, {
      'Retry-After': '5',
    });
  };
  routes.get(`${DOCS_PATH}*`, (c) =>
    reading(undefined, async (library) =>
      library ? answer(c, library, linkedRoot, pathOf(c).slice(DOCS_PATH.length)) : c.notFound(),
    ),
  );
  routes.get(`${SETS_PATH}*`, async (c) => {
    const [, encoded = '', rest = ''] = /^\/sets\/([^/]+)\/docs\/(.*)$/s.exec(pathOf(c)) ?? [];
    if (encoded === '') return c.notFound();
    // Only what the service reads anyway is shown without a key.
    return reading(percentDecoded(encoded), async (library) =>
      library ? answer(c, library, `${linkedRoot}${SETS_PATH}${encoded}`, rest) : c.notFound(),
    );
  });
  return routes;
}

/** Returns a page that has no file, such as one about the API of a package. */
async function renderMade(
  engine: DocsRoutesPorts['engine'],
  page: DocsPage,
): Promise<string | undefined> {
  const sets = page.set === undefined ? undefined : [page.set.id];
  const read = await engine.page({ page: page.route, sets }, new AbortController().signal);
  return 'error' in read ? undefined : renderPage(page, read.markdown, (href) => href, new Map());
}

/** Returns the list of the installed packages. */
async function packagesPage({ packages }: DocsRoutesPorts['engine']): Promise<string | undefined> {
  const listed = await packages?.packages(new AbortController().signal);
  if (!listed) return undefined;
  const items = listed.packages.map(
    ({ name, version, description }) =>
      `<li><code>${escapeHtml(`${name}@${version}`)}</code> ${escapeHtml(description)}</li>`,
  );
  return `<h1>Local docs service</h1><p>It answers questions from the docs of these installed packages and listens on this machine only.</p><ul>${items.join('')}</ul>`;
}

/**
 * Returns the URL path that the site's redirects lead to from a path, or undefined if they don't lead
 * to a page of the docs.
 */
async function redirectTarget(
  { index, source }: ReadableSet,
  requested: string,
): Promise<string | undefined> {
  const { redirects } = await source.readConfig(silentLog);
  const from = { page: undefined, paths: [requested], fragment: '' };
  const led = followRedirects(index, new Redirects(redirects), '', from);
  if (led === undefined || typeof led === 'string' || !led.page) return undefined;
  return `${pageHref(led.page)}${sectionFragment(led.page, led.fragment)}`;
}

/**
 * Decodes a path below the docs folder. Returns undefined if the path could lead out of the folder.
 */
function decodePath(encoded: string): string | undefined {
  try {
    const decoded = decodeURIComponent(encoded);
    const isSafe =
      !/[\0\\]/.test(decoded) &&
      !decoded.split('/').some((name) => name.startsWith('.') || name === 'node_modules');
    return isSafe ? decoded : undefined;
  } catch {
    return undefined;
  }
}

function findPage(library: ReadableSet, requested: string): DocsPage | undefined {
  const plain = requested.replace(/\/+$/, '');
  return (
    (isPagePath(plain) || isHtmlPath(plain) ? library.index.pageAtPath(plain) : undefined) ??
    library.index.pageAtRoute(routeOf(plain))
  );
}

/** Returns a link to the page on the site that publishes it. */
function siteLink({ canonicalUrl }: DocsPage): string {
  if (canonicalUrl === undefined) return '';
  return ` · <a href="${escapeHtml(canonicalUrl)}" rel="noreferrer">Open on ${escapeHtml(new URL(canonicalUrl).host)}</a>`;
}

function versionNote({ version, language }: DocsPage): string {
  const note = [version, language].filter((part) => part !== undefined).join(' · ');
  return note === '' ? '' : ` <span>${escapeHtml(note)}</span>`;
}

function startPage(
  { index, isIndexed }: ReadableSet,
  {
    title,
    domain,
    base,
  }: { readonly title: string; readonly domain: string; readonly base: string },
  { navigation }: SiteConfig,
): string {
  const listed = listedPages(index, navigation);
  const rankOf = new Map([...listed.keys()].map((page, rank) => [page, rank]));
  const groups = new Map<string, DocsPage[]>();
  for (const page of index.pages()) {
    const name = [page.version, page.language].filter((part) => part !== undefined).join(' · ');
    const group = groups.get(name);
    if (group) group.push(page);
    else groups.set(name, [page]);
  }
  const names = [...groups.keys()].sort(
    (one, other) => compareVersions(one, other) || (one < other ? -1 : 1),
  );
  const lists = names.map((name) => {
    const pages = (groups.get(name) ?? []).sort((one, other) => {
      const ranks = [rankOf.get(one) ?? Infinity, rankOf.get(other) ?? Infinity] as const;
      return ranks[0] === ranks[1] ? (one.route < other.route ? -1 : 1) : ranks[0] - ranks[1];
    });
    const items = pages.map(
      (page) =>
        `<li><a href="${escapeHtml(base + pageHref(page))}">${escapeHtml(listed.get(page) ?? page.title)}</a> ${escapeHtml(page.description)}</li>`,
    );
    return `${name === '' ? '' : `<h2>${escapeHtml(name)}</h2>`}<ul>${items.join('')}</ul>`;
  });
  return (
    `<h1>${escapeHtml(title)}</h1><p>` +
    `The service answers questions about the site <code>${escapeHtml(domain)}</code> from the pages below` +
    `${base === '' ? ' and listens on this machine only' : ''}. Pages: ${index.pageCount}` +
    `${isIndexed ? '' : ', and more are being indexed'}.</p>${lists.join('')}`
  );
}

/** Returns the pages that the site's navigation lists, in its order and with its titles. */
function listedPages(
  index: ReadableSet['index'],
  entries: readonly ConfiguredEntry[],
): Map<DocsPage, string> {
  const listed = new Map<DocsPage, string>();
  const add = (path: string, title: string | undefined): void => {
    const page = pageFor(index, path);
    if (page && !listed.has(page)) listed.set(page, title ?? page.title);
  };
  const addAll = (below: readonly ConfiguredEntry[]): void => {
    for (const entry of below) {
      if (entry.kind === 'page' && entry.fragment === undefined) add(entry.path, entry.title);
      if (entry.kind === 'group' && entry.landing !== undefined) add(entry.landing, undefined);
      if (entry.kind === 'group' || entry.kind === 'edition') addAll(entry.entries);
    }
  };
  addAll(entries);
  return listed;
}
