/**
 * Two releases of the exported sample docs, with differences that are planted and listed. Tests of the
 * comparison expect exactly these, in each of its forms.
 */
import assert from 'node:assert/strict';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compareText } from '../../src/common/text/strings';
import type { BundleComparison, ComparedLink } from '../../src/export/compare/comparison';

/** The planted differences, as {@link differencesOf} writes those of a comparison. */
export const plantedDifferences = {
  added: ['v2/de/abrechnung.html'],
  removed: ['v2/en/resources/rates.html', 'v2/en/troubleshooting.html'],
  moved: [
    'v1/en/parcels.html → v1/en/packages.html (none, redirected)',
    'v2/en/guides/file-uploads.html → v2/en/guides/uploads.html (text)',
    'v2/en/sdk/go.html → v2/en/sdk/golang.html (none)',
  ],
  changed: [
    'index.html (links)',
    'v2/en/guides/batch-import.html (links)',
    'v2/en/guides/index.html (links)',
    'v2/en/guides/tracking-notices.html (links)',
    'v2/en/idempotency.html (text)',
    'v2/en/making-requests.html (links)',
    'v2/en/resources/shipments.html (links)',
    'v2/en/sdk/index.html (links)',
  ],
  /** Pages with another navigation or another class, and the same text. */
  restyled: [
    'v1/en/pickups.html',
    'v1/en/webhooks.html',
    'v2/en/admin/index.html',
    'v2/en/admin/security.html',
    'v2/en/admin/self-hosting.html',
    'v2/en/authentication.html',
    'v2/en/changelog.html',
    'v2/en/cli.html',
    'v2/en/configuration.html',
    'v2/en/errors.html',
    'v2/en/glossary.html',
    'v2/en/guides/migrate-v1-to-v2.html',
    'v2/en/pagination.html',
    'v2/en/quickstart.html',
    'v2/en/rate-limits.html',
    'v2/en/resources/addresses.html',
    'v2/en/resources/index.html',
    'v2/en/resources/labels.html',
    'v2/en/resources/tracking.html',
    'v2/en/sdk/python.html',
    'v2/en/sdk/typescript.html',
    'v2/en/testing.html',
    'v2/en/webhooks.html',
  ],
  addedAssets: ['images/returns.svg'],
  removedAssets: ['images/edge-architecture.svg'],
  changedAssets: [
    'assets/print.1a2b3c4d.css → assets/print.5e6f7a8b.css',
    'images/webhook-retries.svg → images/webhook-retries.svg',
    'sitemap.xml → sitemap.xml',
  ],
  broken: [
    'index.html: v2/en/resources/rates.html, missing-file',
    'index.html: v2/en/troubleshooting.html, missing-file',
    'v2/en/admin/self-hosting.html: ../../../images/edge-architecture.svg, missing-file',
    'v2/en/changelog.html: sdk/go.html, missing-file',
    'v2/en/configuration.html: troubleshooting.html, missing-file',
    'v2/en/glossary.html: resources/rates.html, missing-file',
    'v2/en/glossary.html: troubleshooting.html, missing-file',
    'v2/en/resources/index.html: rates.html, missing-file',
    'v2/en/resources/labels.html: rates.html, missing-file',
    'v2/en/resources/shipments.html: rates.html, missing-file',
    'v2/en/testing.html: cli.html#receive-webhooks-locally, missing-anchor',
    'v2/en/webhooks.html: cli.html#receive-webhooks-locally, missing-anchor',
  ],
  mended: [
    'v1/en/pickups.html: parcel.html, missing-file',
    'v1/en/pickups.html: parcel.html, missing-file',
  ],
  lost: [
    '/v2/en/guides/file-uploads → /v2/en/guides/uploads.html (301, moved), 0 links, in the sitemap',
    '/v2/en/resources/rates → /v2/en/resources/ (302, parent), 5 links, in the sitemap',
    '/v2/en/sdk/go → /v2/en/sdk/golang.html (301, moved), 1 links, in the sitemap',
    '/v2/en/troubleshooting, 3 links, in the sitemap',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Returns the differences of a comparison in the form of {@link plantedDifferences}. */
export function differencesOf(
  comparison: BundleComparison,
): Record<keyof typeof plantedDifferences, string[]> {
  const { pages, assets, links, lostAddresses } = comparison;
  const linkText = ({ file, address, reason }: ComparedLink): string =>
    `${file}: ${address}, ${reason}`;
  return {
    added: pages.added.map((page) => page.path),
    removed: pages.removed.map((page) => page.path),
    moved: pages.moved.map(
      ({ before, after, change, isRedirected }) =>
        `${before} → ${after} (${change}${isRedirected ? ', redirected' : ''})`,
    ),
    changed: pages.changed.map(({ after, change }) => `${after} (${change})`),
    restyled: pages.restyled.map(({ after }) => after),
    addedAssets: assets.added.map((asset) => asset.path),
    removedAssets: assets.removed.map((asset) => asset.path),
    changedAssets: assets.changed.map(({ before, after }) => `${before} → ${after}`),
    broken: links.broken.map(linkText).sort(compareText),
    mended: links.mended.map(linkText),
    lost: lostAddresses.map(({ address, redirect, because, links: count, isInOldSitemap }) => {
      const target = redirect ? ` → ${redirect.to} (${redirect.status}, ${because})` : '';
      return `${address}${target}, ${count} links${isInOldSitemap ? ', in the sitemap' : ''}`;
    }),
  };
}

/**
 * Makes the two releases.
 * @param sample unpacked bundle of the sample docs. It stays as it is.
 * @param before,after folders that do not exist yet.
 */
export async function plantDifferences(
  sample: string,
  before: string,
  after: string,
): Promise<void> {
  await cp(sample, before, { recursive: true });
  await cp(sample, after, { recursive: true });
  const old = new Release(before);
  await old.edit('v1/en/pickups.html', 'href="parcels.html"', 'href="parcel.html"');
  await old.write('assets/print.1a2b3c4d.css', 'nav { display: none }\n');

  const fresh = new Release(after);
  await fresh.write('assets/print.5e6f7a8b.css', 'nav, footer { display: none }\n');
  await plantTexts(fresh);
  await plantMoves(fresh);
  await plantRemovals(fresh);
  await fresh.edit('images/webhook-retries.svg', '</svg>', '<!-- redrawn --></svg>');
  await fresh.remove('images/edge-architecture.svg');
  await fresh.write('images/returns.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
}

async function plantTexts(release: Release): Promise<void> {
  await release.edit(
    'v2/en/idempotency.html',
    'A key is remembered for 24 hours',
    'A key is remembered for 48 hours',
  );
  await release.edit('v1/en/webhooks.html', '<body ', '<body class="wide" ');
  // The ID of a heading is no text, but links lead to it.
  await release.edit('v2/en/cli.html', 'receive-webhooks-locally', 'local-webhooks');
  const template = await release.read('v2/de/errors.html');
  await release.write(
    'v2/de/abrechnung.html',
    template
      .replace(/<nav class="toc"[^]*?<\/nav>/, '')
      .replace(
        /<article[^]*<\/article>/,
        '<article class="article"><h1>Abrechnung</h1><p>Rechnungen kommen am ersten Tag des Monats und nennen jedes Etikett, das im Monat davor gekauft wurde.</p></article>',
      ),
  );
}

async function plantMoves(release: Release): Promise<void> {
  await release.move('v2/en/sdk/go.html', 'v2/en/sdk/golang.html', {
    staleArticle: 'v2/en/changelog.html',
  });
  await release.move('v2/en/guides/file-uploads.html', 'v2/en/guides/uploads.html');
  await release.edit('v2/en/guides/uploads.html', /<p>([^<]+)<\/p>/, '<p>$1 Uploads expire.</p>');
  await rename(release.file('v1/en/parcels.html'), release.file('v1/en/packages.html'));
  await release.write(
    'v1/en/parcels.html',
    '<!doctype html><title>Parcels</title><meta http-equiv="refresh" content="0; url=packages.html"><a href="packages.html">Packages</a>',
  );
}

async function plantRemovals(release: Release): Promise<void> {
  for (const page of ['v2/en/troubleshooting.html', 'v2/en/resources/rates.html']) {
    await release.remove(page);
    await release.editAll((html, from) =>
      html.replace(
        /<li><a href="([^"]*)"[^>]*>[^<]*<\/a><\/li>(?=.*<\/nav>\n<main)/g,
        (item, href) => (resolved(from, String(href)) === page ? '' : item),
      ),
    );
    await release.edit('sitemap.xml', `<url><loc>${origin}${addressOf(page)}</loc></url>\n`, '');
  }
}

const origin = 'https://sample.localhost';

const addressOf = (page: string): string => `/${page.replace(/\.html$/, '')}`;

/** Returns the file that a link of a page leads to, without its fragment. */
function resolved(from: string, href: string): string {
  return new URL(href, `http://site.invalid/${from}`).pathname.slice(1);
}

class Release {
  constructor(private readonly root: string) {}

  file(name: string): string {
    return path.join(this.root, name);
  }

  read(name: string): Promise<string> {
    return readFile(this.file(name), 'utf8');
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(this.file(name), text);
  }

  async remove(name: string): Promise<void> {
    await rm(this.file(name));
  }

  /** Replaces a text, which must be there. A string is replaced everywhere, a pattern once. */
  async edit(name: string, from: string | RegExp, to: string): Promise<void> {
    const text = await this.read(name);
    const edited = typeof from === 'string' ? text.replaceAll(from, to) : text.replace(from, to);
    assert.notEqual(edited, text, `${name} has ${String(from)}`);
    await this.write(name, edited);
  }

  async editAll(edit: (html: string, name: string) => string): Promise<void> {
    for (const entry of await readdir(this.root, { recursive: true })) {
      const name = entry.split(path.sep).join('/');
      if (!name.endsWith('.html')) continue;
      const html = await this.read(name);
      const edited = edit(html, name);
      if (edited !== html) await this.write(name, edited);
    }
  }

  /**
   * Moves a page within its folder, with all links to it and its entry in the sitemap.
   * @param staleArticle page whose text keeps its links to the old place.
   */
  async move(
    from: string,
    to: string,
    { staleArticle }: { readonly staleArticle?: string } = {},
  ): Promise<void> {
    const [oldName, newName] = [path.posix.basename(from), path.posix.basename(to)];
    await this.editAll((html, name) =>
      html
        .split(/(?=<article)|(?<=<\/article>)/)
        .map((part) =>
          name === staleArticle && part.startsWith('<article')
            ? part
            : part.replace(/href="([^"]*)"/g, (written, href) =>
                resolved(name, String(href)) === from ? written.replace(oldName, newName) : written,
              ),
        )
        .join(''),
    );
    await rename(this.file(from), this.file(to));
    await this.edit('sitemap.xml', `${addressOf(from)}</loc>`, `${addressOf(to)}</loc>`);
  }
}
