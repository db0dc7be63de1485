import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../../src/common/errors';
import { silentLog } from '../../../../../src/common/ports';
import { SiteClient } from '../../../../../src/docs/sources/site/siteClient';
import { SiteError } from '../../../../../src/docs/sources/site/siteErrors';
import { type Fetched, SiteFetcher } from '../../../../../src/docs/sources/site/siteFetcher';
import { siteLimits } from '../../../../../src/docs/sources/site/siteLimits';
import { FakeClock, settled } from '../../../../fakes/fakeClock';
import { OpenStream } from '../../../../fakes/fakeFetch';

const MINUTE_MS = 60_000;

/** Fetches a site from these answers. Returns the pages or the error, and the minutes that it took. */
async function fetchSite(
  answer: (path: string, clock: FakeClock) => Response | Promise<Response>,
): Promise<{
  pages: readonly Fetched[];
  notes: readonly string[];
  error: unknown;
  minutes: number;
}> {
  const clock = new FakeClock();
  const start = new URL('https://x.dev/docs/guide/');
  const client = new SiteClient(start, {
    clock,
    log: silentLog,
    signal: new AbortController().signal,
    fetch: (url) => Promise.resolve(answer(new URL(url).pathname, clock)),
  });
  const fetcher = new SiteFetcher(start, undefined, {
    client,
    clock,
    log: silentLog,
    limits: siteLimits,
    translate: plainTranslate,
  });
  const startedAt = clock.now();
  const pages: Fetched[] = [];
  const state: { isOver: boolean; error?: unknown } = { isOver: false };
  void (async () => {
    for await (const page of fetcher.pages()) pages.push(page);
  })()
    .catch((error: unknown) => (state.error = error))
    .finally(() => (state.isOver = true));
  while (!state.isOver) {
    await clock.advance(1000);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    await settled();
  }
  const minutes = (clock.now() - startedAt) / MINUTE_MS;
  return { pages, notes: fetcher.notes, error: state.error, minutes };
}

/** Sends a byte every 10 s. */
function drip(clock: FakeClock): Response {
  const stream = new OpenStream({});
  void (async () => {
    for (let bytes = 0; bytes < 1000; bytes++) {
      await clock.delay(10_000);
      stream.write('a');
    }
  })().catch(() => undefined);
  return stream.response;
}

const missing = (): Response => new Response('', { status: 404 });

describe('a slow site', () => {
  it('is given up after 3 minutes if its lists come a byte at a time', async () => {
    const { error, minutes } = await fetchSite((path, clock) =>
      path.endsWith('llms-full.txt') ? drip(clock) : missing(),
    );
    assert.ok(error instanceof SiteError && error.code === 'too-slow', String(error));
    assert.ok(minutes <= 3.1, String(minutes));
  });

  it('is given up after 3 minutes if each request waits a while and fails', async () => {
    const { error, minutes } = await fetchSite(async (_path, clock) => {
      await clock.delay(29_000);
      return new Response('', { status: 503, headers: { 'retry-after': '20' } });
    });
    assert.ok(error instanceof SiteError, String(error));
    assert.ok(minutes <= 3.1, String(minutes));
  });

  it('gives its pages so far if a page does not end in the time of the whole fetch', async () => {
    const { pages, notes, error, minutes } = await fetchSite(async (path, clock) => {
      if (path === '/docs/guide/llms.txt') {
        const links = Array.from({ length: 100 }, (_, page) => `- [P](/docs/guide/p${page}.md)`);
        return new Response(links.join('\n'));
      }
      if (!path.endsWith('.md')) return missing();
      await clock.delay(28_000);
      const last = clock.now() > Date.parse('2025-01-01T00:00:00.000Z') + 5 * MINUTE_MS;
      return last ? drip(clock) : new Response('# Page\n\nText.\n');
    });
    assert.equal(error, undefined);
    assert.ok(pages.length > 0);
    assert.match(notes.join(' '), /took more than 30 min/);
    assert.ok(minutes <= 31, String(minutes));
  });
});

describe('a site whose llms-full.txt is for more than its docs', () => {
  const pagesOf = (...paths: readonly string[]): Response =>
    new Response(
      paths.map((path) => `# ${path}\nSource: https://x.dev${path}\n\nText.\n`).join('\n'),
    );

  it('has only the pages below its own path', async () => {
    const { pages } = await fetchSite((path) =>
      path === '/llms-full.txt'
        ? pagesOf('/docs/guide/a', '/blog/b', '/docs/guide/c', '/docs/api/d')
        : missing(),
    );
    assert.deepEqual(
      pages.map((page) => page.kind === 'page' && page.path),
      ['docs/guide/a.md', 'docs/guide/c.md'],
    );
  });
});
