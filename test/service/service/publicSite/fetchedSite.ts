/** A local docs service over a public site, both on this machine. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { plainTranslate } from '../../../../src/common/errors';
import type { RefreshedDocs } from '../../../../src/docs/engine';
import { SiteError, siteErrorText } from '../../../../src/docs/sources/site/siteErrors';
import type { LocalService, LocalServiceOptions } from '../../../../src/service/server/server';
import { RecordingLog } from '../../../fakes/recordingLog';
import { DocsSite, htmlPage, type SiteAnswer, sitemapOf } from '../docsSite';
import { ask, startService } from '../localServiceAsking';
import { adminKey } from '../localServiceExporting';

/** Returns an `llms-full.txt` of two pages. */
export const fullText = (site: string): string =>
  `# Birds\nSource: ${site}/birds\n\nPelicans eat fish.\n\n## Wings\n\nTheir wings are wide.\n\n# Fish\nSource: ${site}/guide/fish\n\nFish swim in water.\n`;

type Answers = Readonly<Record<string, SiteAnswer>>;

/** Gives each test of a suite a site without pages, and ends the service that the test starts. */
export function useFetchedSite() {
  let site: DocsSite;
  let cache: string;
  let service: LocalService | undefined;
  let refreshed: RefreshedDocs[];
  let failures: string[];
  const log = new RecordingLog();

  beforeEach(async () => {
    site = await DocsSite.start({});
    cache = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-site-'));
    refreshed = [];
    failures = [];
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await site.stop();
    await rm(cache, { recursive: true, force: true, maxRetries: 5 });
    log.assertNoErrors();
  });

  /** Starts the service over the site, in place of an earlier one. */
  const open = async (
    address = site.url,
    options: Partial<LocalServiceOptions> = {},
  ): Promise<LocalService> => {
    await service?.stop();
    service = await startService('', {
      docs: { kind: 'site', url: address, cache },
      adminKey,
      log,
      onRefreshed: (docs) => refreshed.push(docs),
      onRefreshFailed: (message) => failures.push(message),
      ...options,
    });
    return service;
  };

  /** Starts the service over a site with these answers, and waits for its pages. */
  const fetchSite = async (
    answers: Answers,
    address?: string,
    options?: Partial<LocalServiceOptions>,
  ): Promise<LocalService> => {
    site.answers = answers;
    const running = await open(address, options);
    await running.whenIndexed();
    return running;
  };

  /** Asks a question. @returns the sources of the reply, with `site:` for the URL of the site. */
  const sourcesOf = async (running: LocalService, question: string): Promise<string[]> =>
    (await ask(running, question)).sources.map(({ url }) => url.replace(site.url, 'site:'));

  /** Returns the sentence about why no set could be fetched. */
  const failureOf = async (
    answers: Answers,
    address?: string,
    options?: Partial<LocalServiceOptions>,
  ): Promise<string> => {
    try {
      await fetchSite(answers, address, options);
    } catch (error) {
      assert.ok(error instanceof SiteError, String(error));
      // Nothing is half-kept: no list, no page.
      assert.deepEqual(await readdir(cache), ['pages']);
      const files = await readdir(path.join(cache, 'pages'), { recursive: true });
      assert.deepEqual(
        files.filter((name) => name.includes('.')),
        [],
      );
      return siteErrorText(error, plainTranslate);
    }
    throw new Error('The site was read');
  };

  /** Returns a site of pages `/p0` and so on, each about a topic of its number, in a sitemap. */
  const pageSite = (count: number, more: Answers = {}): Answers => ({
    '/sitemap.xml': sitemapOf(Array.from({ length: count }, (_none, at) => `${site.url}/p${at}`)),
    ...Object.fromEntries(
      Array.from({ length: count }, (_none, at) => [
        `/p${at}`,
        htmlPage(`Page ${at}`, `<p>Text of topic${at} here.</p>`),
      ]),
    ),
    ...more,
  });

  return {
    open,
    fetchSite,
    sourcesOf,
    failureOf,
    pageSite,
    log,
    get site(): DocsSite {
      return site;
    },
    /** Folder in which the service keeps the site. */
    get cache(): string {
      return cache;
    },
    get service(): LocalService | undefined {
      return service;
    },
    /** Results of each reading and refresh. */
    get refreshed(): readonly RefreshedDocs[] {
      return refreshed;
    },
    get failures(): readonly string[] {
      return failures;
    },
  };
}
