import assert from 'node:assert/strict';
import { silentLog } from '../../../../../src/common/ports';
import { SiteClient, type FetchedFile } from '../../../../../src/docs/sources/site/siteClient';
import { SiteError } from '../../../../../src/docs/sources/site/siteErrors';
import { FakeClock, settled } from '../../../../fakes/fakeClock';
import { OpenStream } from '../../../../fakes/fakeFetch';

type Pages = Readonly<Record<string, () => Response | Promise<Response>>>;

/**
 * Returns a client of `https://x.dev`, or of another site, that gets these answers and 404 for all
 * else.
 */
function clientOf(
  pages: Pages,
  start = 'https://x.dev/',
): { client: SiteClient; clock: FakeClock; requests: { url: string; at: number }[] } {
  const clock = new FakeClock();
  const requests: { url: string; at: number }[] = [];
  const client = new SiteClient(new URL(start), {
    clock,
    log: silentLog,
    signal: new AbortController().signal,
    fetch: async (url) => {
      requests.push({ url, at: clock.now() });
      return pages[url]?.() ?? new Response('', { status: 404 });
    },
  });
  return { client, clock, requests };
}

const redirect = (location: string) => (): Response =>
  new Response(null, { status: 302, headers: { location } });

const get = (client: SiteClient, url: string): Promise<FetchedFile> =>
  client.get(url, { maxBytes: 1000 });

/** Lets time pass until the promise has ended. */
async function within<Value>(clock: FakeClock, promise: Promise<Value>): Promise<Value> {
  const state = { isOver: false };
  const over = promise.finally(() => (state.isOver = true));
  over.catch(() => undefined);
  for (let turns = 0; turns < 2000; turns++) {
    await settled();
    if (state.isOver) return over;
    await clock.advance(1000);
  }
  throw new Error('The request never ends');
}

const isCode = (code: string) => (error: unknown) =>
  error instanceof SiteError && error.code === code;

describe('requests to a site', () => {
  // Shows faults.md K11.
  it('end if no byte comes for 30 s, after three tries', async () => {
    const { client, clock, requests } = clientOf({
      'https://x.dev/a': () => new OpenStream({}).response,
    });
    const start = clock.now();
    await assert.rejects(within(clock, get(client, 'https://x.dev/a')), isCode('too-slow'));
    assert.equal(requests.length, 3);
    assert.ok(clock.now() - start < 100_000);
  });

  it('end if no headers come', async () => {
    const { client, clock } = clientOf({
      'https://x.dev/a': () => new Promise<Response>(() => undefined),
    });
    await assert.rejects(within(clock, get(client, 'https://x.dev/a')), isCode('too-slow'));
  });

  it('end after five minutes in which a byte comes now and then', async () => {
    const { client, clock } = clientOf({
      'https://x.dev/a': () => {
        const stream = new OpenStream({});
        void (async () => {
          for (let bytes = 0; bytes < 200; bytes++) {
            await clock.delay(10_000);
            stream.write('a');
          }
        })().catch(() => undefined);
        return stream.response;
      },
    });
    const start = clock.now();
    await assert.rejects(within(clock, get(client, 'https://x.dev/a')), isCode('too-slow'));
    const minutes = (clock.now() - start) / 60_000;
    assert.ok(minutes >= 15 && minutes < 17, String(minutes));
  });

  it('keep the delay that robots.txt asks for', async () => {
    const { client, clock, requests } = clientOf({
      'https://x.dev/robots.txt': () => new Response('User-agent: *\nCrawl-delay: 5\n'),
    });
    await client.readRobots();
    await within(
      clock,
      Promise.all(['a', 'b', 'c'].map((name) => get(client, `https://x.dev/${name}`))),
    );
    const [, first, second, third] = requests.map(({ at }) => at);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.deepEqual([second - first, third - second], [5000, 5000]);
  });

  it('are not sent if robots.txt asks for a day between them', async () => {
    const { client, clock, requests } = clientOf({
      'https://x.dev/robots.txt': () => new Response('User-agent: *\nCrawl-delay: 86400\n'),
    });
    await client.readRobots();
    await assert.rejects(within(clock, get(client, 'https://x.dev/a')), isCode('asks-to-wait'));
    assert.equal(requests.length, 1);
  });

  it('follow a redirect to https on the same host, and stay there', async () => {
    const { client, requests } = clientOf(
      {
        'http://x.dev/a': redirect('https://x.dev/a'),
        'https://x.dev/a': () => new Response('Text'),
        'https://x.dev/b': redirect('http://x.dev/b'),
      },
      'http://x.dev/',
    );
    assert.equal((await get(client, 'http://x.dev/a')).kind, 'found');
    assert.equal(client.origin, 'https://x.dev');
    // Nothing leads back to an unencrypted connection.
    assert.deepEqual(await get(client, 'https://x.dev/b'), {
      kind: 'missing',
      reason: 'elsewhere',
    });
    assert.deepEqual(
      requests.map(({ url }) => url),
      ['http://x.dev/a', 'https://x.dev/a', 'https://x.dev/b'],
    );
  });

  for (const location of [
    'https://y.dev/a',
    'https://x.dev:8443/a',
    'http://x.dev/a',
    'https://x.dev.evil.com/a',
    'http://127.0.0.1/a',
    'ftp://x.dev/a',
    '//y.dev/a',
    'https://x.dev@y.dev/a',
  ]) {
    it(`do not follow a redirect to ${location}`, async () => {
      const { client, requests } = clientOf({ 'https://x.dev/a': redirect(location) });
      const file = await get(client, 'https://x.dev/a');
      assert.equal(file.kind === 'missing' && file.reason, 'elsewhere');
      assert.equal(requests.length, 1);
    });
  }

  it('obey robots.txt after a redirect too', async () => {
    const { client } = clientOf({
      'https://x.dev/robots.txt': () => new Response('User-agent: DocsAssistant\nDisallow: /b\n'),
      'https://x.dev/a': redirect('/b'),
    });
    await client.readRobots();
    assert.deepEqual(await get(client, 'https://x.dev/a'), {
      kind: 'missing',
      reason: 'disallowed',
    });
  });

  it('find the sitemaps that robots.txt names, and no rules in a web page', async () => {
    const { client } = clientOf({
      'https://x.dev/robots.txt': () => new Response('Sitemap: https://x.dev/map.xml\n'),
    });
    assert.deepEqual(await client.readRobots(), ['https://x.dev/map.xml']);
    const other = clientOf({
      'https://x.dev/robots.txt': () =>
        new Response('<!doctype html>\nUser-agent: *\nDisallow: /\n'),
    });
    await other.client.readRobots();
    assert.equal(other.client.isAllowed(new URL('https://x.dev/a')), true);
  });

  it('are not repeated when the answer is final', async () => {
    for (const status of [400, 401, 403, 404, 410, 500, 502]) {
      const { client, requests } = clientOf({
        'https://x.dev/a': () => new Response('', { status }),
      });
      const file = await get(client, 'https://x.dev/a');
      assert.deepEqual(file, { kind: 'missing', status, reason: 'status' });
      assert.equal(requests.length, 1);
    }
  });

  it('return no binary file', async () => {
    const { client } = clientOf({ 'https://x.dev/a': () => new Response('PK\0\0') });
    const file = await get(client, 'https://x.dev/a');
    assert.equal(file.kind === 'missing' && file.reason, 'not-text');
  });

  it('report a private address as the cause', async () => {
    const { client, clock } = clientOf({
      'https://x.dev/a': () => {
        throw Object.assign(new TypeError('fetch failed'), { code: 'EPRIVATEADDRESS' });
      },
    });
    await assert.rejects(within(clock, get(client, 'https://x.dev/a')), isCode('private-address'));
  });
});
