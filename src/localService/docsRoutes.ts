import { createHash } from 'node:crypto';
import path from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { imageTypes, MAX_IMAGE_BYTES, readDocsFile, readPageFile } from './docsFolder';
import type { DocsLibrary } from './docsLibrary';
import { DOCS_PATH, pageHref, resolveLink } from './links';
import { isPagePath, routeOf, type DocsPage } from './page';
import { escapeHtml, pageDocument, renderPage, styleSheet } from './pageHtml';
import { compareVersions } from './pageVariants';
import type { Log } from '../common/ports';

interface DocsRoutesPorts {
  readonly library: DocsLibrary;
  readonly root: string;
  readonly domain: string;
  readonly log: Log;
}

const styleHash = createHash('sha256').update(styleSheet).digest('base64');
const pageHeaders = {
  'Content-Security-Policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
};
/** An SVG opened by itself is a document: it may style itself and nothing else. */
const imageHeaders = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/** What a browser shows: a start page, the pages that replies cite, and their images. No key needed. */
export function docsRoutes(ports: DocsRoutesPorts): Hono<{ Bindings: HttpBindings }> {
  const { library, root, log } = ports;
  const routes = new Hono<{ Bindings: HttpBindings }>();
  const html = (title: string, body: string): Response =>
    new Response(pageDocument(title, body), {
      headers: { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' },
    });

  // Browsers ask by themselves.
  routes.get('/favicon.ico', (c) => c.body(null, 204));
  routes.get('/', () => html('Local docs service', startPage(library, ports.domain)));

  routes.get(`${DOCS_PATH}*`, async (c) => {
    const decoded = decodePath(c.req.path.slice(DOCS_PATH.length));
    if (decoded === undefined) return c.json({ error: 'This address is not valid.' }, 400);
    const page = findPage(library, decoded);
    if (page) {
      const { pathname } = new URL(pageHref(page), 'http://localhost');
      if (pathname !== new URL(c.req.url).pathname) return c.redirect(pathname);
      const file = await readPageFile(root, page.path, log);
      if (!file) return c.notFound();
      return html(
        page.title,
        `<nav><a href="/">All pages</a>${versionNote(page)}</nav>` +
          renderPage(page, file.source, (href) => resolveLink(library.index, page, href)),
      );
    }
    if (decoded === '') return c.redirect('/');
    const type = imageTypes[path.posix.extname(decoded).toLowerCase()];
    const image =
      type === undefined ? undefined : await readDocsFile(root, decoded, MAX_IMAGE_BYTES);
    if (type === undefined || !image) return c.notFound();
    return new Response(image, { headers: { ...imageHeaders, 'Content-Type': type } });
  });
  return routes;
}

/** The path below the docs folder, or `undefined` where it could mean something outside of it. */
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

function findPage(library: DocsLibrary, requested: string): DocsPage | undefined {
  const plain = requested.replace(/\/+$/, '');
  return (
    (isPagePath(plain) ? library.index.pageAtPath(plain) : undefined) ??
    library.index.pageAtRoute(routeOf(plain))
  );
}

function versionNote({ version, language }: DocsPage): string {
  const note = [version, language].filter((part) => part !== undefined).join(' · ');
  return note === '' ? '' : ` <span>${escapeHtml(note)}</span>`;
}

function startPage({ index, isIndexed }: DocsLibrary, domain: string): string {
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
    const pages = (groups.get(name) ?? []).sort((one, other) => (one.route < other.route ? -1 : 1));
    const items = pages.map(
      (page) =>
        `<li><a href="${escapeHtml(pageHref(page))}">${escapeHtml(page.title)}</a> ${escapeHtml(page.description)}</li>`,
    );
    return `${name === '' ? '' : `<h2>${escapeHtml(name)}</h2>`}<ul>${items.join('')}</ul>`;
  });
  return (
    `<h1>Local docs service</h1><p>It answers questions about the site <code>${escapeHtml(domain)}</code> ` +
    `from the pages below and listens on this machine only. Pages: ${index.pageCount}` +
    `${isIndexed ? '' : ', and more are being indexed'}.</p>${lists.join('')}`
  );
}
