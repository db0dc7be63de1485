import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { unpackingHint } from '../../../src/export/hosting/servers/common';
import { pageUrlPath } from '../../../src/export/hosting/siteAddresses';
import {
  hostedSite,
  oddName,
  questionPages,
  siteBelow,
  sitemapPaths,
  type HostedSite,
} from '../../builders/hostedSite';
import { startCloudFront } from '../../fakes/cloudFront';
import { startSiteHost } from '../../fakes/siteHost';
import { startRealServer, type RunningHost } from '../../fakes/webServers';
import { answerOf, type Answer } from '../httpAnswer';

const execute = promisify(execFile);

const get = (
  { origin }: RunningHost,
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => answerOf(origin, address, { headers });

const encoded = (file: string): string => file.split('/').map(encodeURIComponent).join('/');

/** Returns the target of an answer as an address of the host. Apache writes the host before it. */
const locationOf = ({ headers }: Answer, { origin }: RunningHost): string => {
  const location = String(headers['location'] ?? '');
  return location.startsWith(`${origin}/`) ? location.slice(origin.length) : location;
};

const hosts = {
  'docs-assistant host': (hosted: HostedSite) => startSiteHost(hosted),
  nginx: ({ root, site }: HostedSite) => startRealServer('nginx', root, site),
  Caddy: ({ root, site }: HostedSite) => startRealServer('caddy', root, site),
  Apache: ({ root, site }: HostedSite) => startRealServer('apache', root, site),
  'S3 and CloudFront, played by a fake,': ({ root, site }: HostedSite) =>
    startCloudFront(root, site),
};

for (const [name, start] of Object.entries(hosts)) {
  const isFake = name.includes('fake');
  const isHost = name === 'docs-assistant host';
  describe(`${isHost ? name : `the configuration in ${name}`} with the sample bundle`, () => {
    let hosted: HostedSite;
    let host: RunningHost;

    before(async function () {
      // The first server may have to be installed.
      this.timeout(300_000);
      hosted = await hostedSite(/Caddy|Apache/.test(name) ? {} : questionPages);
      await chmod(hosted.root, 0o755);
      const started = await start(hosted);
      if (started === undefined) {
        process.stderr.write(`SKIPPED: ${name} is not installed and can't be installed here\n`);
        this.skip();
      }
      host = started;
    });
    after(async () => {
      // Skipped tests have no host.
      await (host as RunningHost | undefined)?.stop();
      await hosted.remove();
    });

    it('answers every URL of the sitemap with its page', async () => {
      const addresses = await sitemapPaths(hosted.folder);
      assert.ok(addresses.length > 30);
      for (const address of addresses) {
        const answer = await get(host, address);
        assert.equal(answer.status, 200, address);
        assert.match(String(answer.headers['content-type']), /^text\/html/);
      }
    });

    it('serves each page at one URL, to which all its other forms redirect directly', async () => {
      for (const file of hosted.pages) {
        const address = `/${encoded(pageUrlPath(file) ?? '')}`;
        const answer = await get(host, address);
        assert.equal(answer.status, 200, address);
        assert.deepEqual(answer.body, await readFile(path.join(hosted.folder, file)), address);
        assert.match(String(answer.headers['content-type']), /^text\/html/, address);
        const forms = [`/${encoded(file)}`];
        const isDouble = /^(?:guides|odd\/both\?)(?:\/index)?\.html$/.test(file);
        if (!address.endsWith('/') && !isDouble) forms.push(`${address}/`);
        if (address.endsWith('/') && address !== '/' && !isDouble) {
          forms.push(address.slice(0, -1));
        }
        for (const form of forms) {
          const moved = await get(host, `${form}?q=a%20b&x`);
          assert.equal(moved.status, 301, form);
          // The name of a page can have a question mark, which must not begin the query.
          const [to = '', ...query] = locationOf(moved, host).split('?');
          assert.equal(decodeURIComponent(to), decodeURIComponent(address), form);
          assert.deepEqual(query, ['q=a%20b&x'], form);
        }
      }
    });

    it('prefers a page over a folder of the same name, and reaches both', async () => {
      assert.match((await get(host, '/guides')).body.toString(), /<h1>Guides<\/h1>/);
      assert.match((await get(host, '/guides/')).body.toString(), /<h1>Guides, the folder<\/h1>/);
    });

    it('shows the 404 page of the bundle for missing pages, at any depth', async () => {
      const page = await readFile(path.join(hosted.folder, '404.html'));
      const missing = [
        '/no-such-page',
        '/guides/no/such/page',
        '/no-such-page.html',
        '/guides/no/',
        '/bundle/gone.4f2a9c1c.js',
        '/no-such.json',
        '/no-such.md',
        '/404',
        '/404.html',
        '/bundle',
      ];
      for (const address of missing) {
        let answer = await get(host, address);
        if (isFake && answer.status === 301) {
          // A bucket can't be asked, so a redirect can lead to a page that is missing.
          answer = await get(host, locationOf(answer, host));
        }
        assert.equal(answer.status, 404, address);
        assert.deepEqual(answer.body, page, address);
        assert.match(String(answer.headers['content-type']), /^text\/html/, address);
        const isHashed = address.endsWith('.js');
        if (!isFake || !isHashed)
          assert.equal(answer.headers['cache-control'], 'no-cache', address);
        assert.equal(answer.headers['content-security-policy'], host.policy, address);
      }
    });

    it('hides files whose names begin with a dot', async () => {
      for (const address of ['/.env', '/guides/.git/config', '/%2eenv']) {
        const answer = await get(host, address);
        assert.equal(answer.status, 404, address);
        assert.doesNotMatch(answer.body.toString(), /outside/);
      }
      assert.equal((await get(host, '/.well-known/security.txt')).status, 200);
    });

    it('redirects from all forms of an old URL', async () => {
      const expected: [string, number, string][] = [
        ['/old/page', 301, '/guides/start'],
        ['/old/page/', 301, '/guides/start'],
        ['/old/page.html', 301, '/guides/start'],
        ['/old/page/index.html', 301, '/guides/start'],
        ['/old/page?q=1', 301, '/guides/start?q=1'],
        ['/nearest', 302, '/only/'],
        ['/older', 301, '/guides/start'],
        ['/with-anchor', 301, '/guides/start#install'],
        ['/tour', 301, '/only/'],
        ['/tour/', 301, '/only/'],
        ['/tour.html', 301, '/only/inside'],
        ['/walk', 301, '/only/'],
        ['/walk/index', 301, '/only/inside'],
      ];
      for (const [from, status, to] of expected) {
        const answer = await get(host, from);
        assert.equal(answer.status, status, from);
        assert.equal(locationOf(answer, host), to, from);
      }
      assert.equal((await get(host, '/old/page/more')).status, 404);
      assert.equal((await get(host, '/OLD/PAGE')).status, 404);
    });

    it('redirects between names that have a meaning in a configuration', async () => {
      const answer = await get(host, `/gone/${encodeURIComponent(oddName)}`);
      assert.equal(answer.status, 301);
      const to = locationOf(answer, host);
      assert.match(to, /^\/odd\/[A-Za-z0-9_.~%-]+$/);
      assert.equal(decodeURIComponent(to), `/odd/${oddName}`);
      assert.equal((await get(host, to)).status, 200);
    });

    // Shows faults.md D33.
    it('never redirects to another host, whatever the URL looks like', async () => {
      const tricks = [
        '//guides/start.html',
        '//guides/start/',
        '//example.com/..%2f',
        '/%5Cexample.com/',
        '/%5C%5Cexample.com/x.html',
        '//only',
        '/\\example.com/x.html',
        '/%2F%2Fexample.com%2Fx.html',
        '/..%2f..%2fetc/passwd',
        '/guides/start.html%0d%0aX-Injected:%20yes',
        '/guides/%0d%0aX-Injected:%20yes/',
      ];
      for (const address of tricks) {
        const answer = await get(host, address);
        const location = answer.headers['location'];
        assert.ok(answer.status < 500, `${address}: ${answer.status}`);
        assert.equal(answer.headers['x-injected'], undefined);
        if (location === undefined) continue;
        const target = new URL(String(location), host.origin);
        assert.equal(target.origin, host.origin, `${address} → ${String(location)}`);
      }
    });

    it('lets browsers keep files with a hash in their names, and ask again for all others', async () => {
      const cachingOf = async (address: string): Promise<unknown> => {
        const answer = await get(host, address);
        assert.equal(answer.status, 200, address);
        return answer.headers['cache-control'];
      };
      const forever = 'public, max-age=31536000, immutable';
      assert.equal(await cachingOf('/bundle/app.4f2a9c1b.js'), forever);
      assert.equal(await cachingOf('/bundle/style.9d8e7f6a.css'), forever);
      assert.equal(await cachingOf('/mixed/app.0a1b2c3d.css'), forever);
      const fresh = ['/', '/guides/start', '/only/', '/mixed/logo-20240115.js', '/assets/site.css'];
      for (const address of fresh) assert.equal(await cachingOf(address), 'no-cache', address);
    });

    // Shows faults.md D37.
    it('serves the site behind a proxy that passes its own host on', async () => {
      const answer = await get(host, '/guides/start', { host: 'docs.example.com' });
      assert.equal(answer.status, 200);
      assert.match(answer.body.toString(), /<h1>Start<\/h1>/);
      const moved = await get(host, '/guides/start.html', { host: 'docs.example.com' });
      assert.equal(moved.status, 301);
    });

    it('sends the policy and the security headers with a page', async () => {
      const { headers } = await get(host, '/guides/start');
      assert.equal(headers['content-security-policy'], host.policy);
      assert.match(host.policy, /default-src 'self'/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['x-frame-options'], 'SAMEORIGIN');
      assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
      assert.match(String(headers['permissions-policy']), /camera=\(\)/);
    });

    it('sends the content types that browsers require', async () => {
      const typeOf = async (address: string): Promise<string> =>
        String((await get(host, address)).headers['content-type']);
      assert.match(await typeOf('/module.mjs'), /^text\/javascript/);
      assert.match(await typeOf('/app.webmanifest'), /^application\/manifest\+json/);
      assert.match(await typeOf('/page.md'), /^text\/markdown/);
    });

    if (isFake) return;

    it('compresses text, and answers 304 for a page that has not changed', async () => {
      const packed = await get(host, '/assets/site.css', { 'accept-encoding': 'gzip' });
      assert.equal(packed.headers['content-encoding'], 'gzip');
      assert.match(String(packed.headers['vary']), /accept-encoding/i);
      const page = await get(host, '/guides/start', { 'accept-encoding': 'gzip' });
      const again = await get(host, '/guides/start', {
        'accept-encoding': 'gzip',
        // A host that knows the content sends no date.
        ...(isHost
          ? { 'if-none-match': String(page.headers['etag']) }
          : { 'if-modified-since': String(page.headers['last-modified']) }),
      });
      assert.equal(again.status, 304);
      // A new policy must reach readers whose copy of the page is still good.
      assert.equal(again.headers['content-security-policy'], host.policy);
    });
  });

  if (!isFake && !isHost) {
    it(`sends a page that changed at the same size with ${name}`, async function () {
      const hosted = await siteBelow('/docs');
      try {
        await chmod(hosted.root, 0o755);
        const file = path.join(hosted.folder, 'start.html');
        await utimes(file, 1_600_000_000, 1_600_000_000);
        const host = await start(hosted);
        if (host === undefined) this.skip();
        try {
          const old = await get(host, '/docs/start');
          const { etag } = old.headers;
          const known: Record<string, string> = {
            'if-modified-since': String(old.headers['last-modified']),
          };
          // Apache sends none.
          if (etag !== undefined) known['if-none-match'] = String(etag);
          assert.equal((await get(host, '/docs/start', known)).status, 304);
          // The archive of another tool, in which all files have the same time, unpacked as the comment says.
          const release = `${hosted.root}.tar`;
          await writeFile(file, old.body.toString().replace('<h1>Start', '<h1>Trats'));
          await execute('tar', ['--mtime=@1600000000', '-cf', release, '-C', hosted.folder, '.']);
          const [, flags = ''] = /"tar (-\w+)"/.exec(unpackingHint) ?? [];
          await execute('tar', [flags, release, '-C', hosted.folder]);
          await rm(release);
          const fresh = await get(host, '/docs/start', known);
          assert.equal(fresh.status, 200);
          assert.equal(fresh.body.length, old.body.length);
          assert.match(fresh.body.toString(), /<h1>Trats/);
        } finally {
          await host.stop();
        }
      } finally {
        await hosted.remove();
      }
    });
  }

  for (const base of ['/docs', `/${encodeURIComponent('größe (1)')}`]) {
    it(`serves a site with the base path ${base} with ${name}`, async function () {
      const below = await siteBelow(base);
      try {
        assert.equal(below.site.basePath, decodeURIComponent(base));
        await chmod(below.root, 0o755);
        const host = await start(below);
        if (host === undefined) this.skip();
        try {
          const expected: [string, number, string?][] = [
            ['/', 302, `${base}/`],
            [base, 301, `${base}/`],
            [`${base}/`, 200],
            [`${base}/index.html`, 301, `${base}/`],
            [`${base}/start`, 200],
            [`${base}/start/`, 301, `${base}/start`],
            [`${base}/start.html`, 301, `${base}/start`],
            [`${base}/guides`, 301, `${base}/guides/`],
            [`${base}/guides/`, 200],
            [`${base}/old.html`, 301, `${base}/start`],
            [`${base}/404.html`, 404],
          ];
          for (const [address, status, to] of expected) {
            const answer = await get(host, address);
            assert.equal(answer.status, status, address);
            if (to !== undefined)
              assert.equal(decodeURI(locationOf(answer, host)), decodeURI(to), address);
          }
          assert.match((await get(host, `${base}/gone`)).body.toString(), /<h1>Not found<\/h1>/);
          const hashed = await get(host, `${base}/app.4f2a9c1b.js`);
          // AWS has no patterns for such names.
          const isKept = !isFake || base === '/docs';
          assert.equal(/immutable/.test(String(hashed.headers['cache-control'])), isKept);
        } finally {
          await host.stop();
        }
      } finally {
        await below.remove();
      }
    });
  }
}
