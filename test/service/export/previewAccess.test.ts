import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PreviewSite, raw, SECRET } from './previewSite';

describe('access to a preview', () => {
  let site: PreviewSite;

  beforeEach(async () => {
    site = await PreviewSite.start();
  });

  afterEach(() => site.stop());

  // Shows faults.md D20.
  describe('to files', () => {
    for (const target of [
      '/../secret.html',
      '/guides/../../secret.html',
      '/%2e%2e/secret.html',
      '/%2e%2e%2fsecret.html',
      '/..%2fsecret.html',
      '/.%2e/secret.html',
      '/%2E%2E%2Fsecret',
      '/..%5csecret.html',
      '/..\\secret.html',
      '/guides\\..\\..\\secret.html',
      '//secret.html',
      '//example.com/..',
      '//example.com/api',
      '///',
      '/guides//start.html',
      '/./index.html',
      '/guides/../index.html',
      '/.env',
      '/%2eenv',
      '/.git/config',
      '/guides/.git/',
      '/%252e%252e%252fsecret.html',
    ]) {
      it(`answers 404 to ${target}`, async () => {
        const { status, body, headers } = await site.request(target);
        assert.equal(status, 404);
        assert.doesNotMatch(body, /outside of the site/);
        assert.equal(headers.get('location'), undefined);
      });
    }

    for (const target of [
      '/index.html%00',
      '/%00/../secret.html',
      '/%',
      '/%E0%A4%A',
      '/%c0%ae%c0%ae/secret.html',
      '/a%0d%0aSet-Cookie:%20a=b',
      'http://127.0.0.1/index.html',
      'secret.html',
    ]) {
      it(`answers 400 to ${target}`, async () => {
        const { status, headers, body } = await site.request(target);
        assert.equal(status, 400);
        assert.equal(headers.get('set-cookie'), undefined);
        assert.doesNotMatch(body, /outside|Home/);
      });
    }

    it('follows no link out of the folder, but a link that stays inside', async () => {
      await symlink(path.join(site.folder, 'secret.html'), path.join(site.root, 'link.html'));
      await symlink(site.folder, path.join(site.root, 'up'));
      await symlink(path.join(site.root, '.git'), path.join(site.root, 'public'));
      await symlink('loop.html', path.join(site.root, 'loop.html'));
      await symlink(path.join(site.root, 'guides'), path.join(site.root, 'guide'));
      for (const target of ['/link', '/link.html', '/up/secret.html', '/public/config', '/loop']) {
        const { status, body } = await site.request(target);
        assert.equal(status, 404, target);
        assert.doesNotMatch(body, /outside of the site/);
      }
      assert.equal((await site.request('/guide/start')).status, 200);
    });

    it('treats a backslash neither as a part of a name nor as a slash', async () => {
      await site.write('a\\b.html', SECRET);
      await site.write('a/b.html', SECRET);
      assert.equal((await site.request('/a%5cb.html')).status, 404);
      assert.equal((await site.request('/a\\b')).status, 404);
    });

    it('does not confuse the folder with one whose name only begins like it', async () => {
      await mkdir(`${site.root}-private`);
      await writeFile(path.join(`${site.root}-private`, 'x.html'), SECRET);
      await symlink(path.join(`${site.root}-private`, 'x.html'), path.join(site.root, 'x.html'));
      assert.equal((await site.request('/x')).status, 404);
    });

    it('refuses overlong URLs and endless headers', async () => {
      assert.equal((await site.request(`/${'a'.repeat(9000)}`)).status, 414);
      assert.equal((await site.request(`/?${'a'.repeat(30_000)}`)).status, 414);
      assert.equal((await site.request(`/${'a'.repeat(100_000)}`)).status, 431);
      assert.equal((await site.request(`/${'a'.repeat(5000)}`)).status, 404);
    });

    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']) {
      it(`does not accept ${method}`, async () => {
        const { status, headers } = await site.request('/', ['Content-Length: 0'], method);
        assert.equal(status, 405);
        assert.equal(headers.get('allow'), 'GET, HEAD');
      });
    }
  });

  // Shows faults.md D21.
  describe('for clients', () => {
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', 'localhost:8080', '[::1]:80']) {
      it(`answers to ${host}, whatever port a remote window forwards`, async () => {
        assert.equal((await site.request('/', [`Host: ${host}`])).status, 200);
      });
    }

    for (const host of [
      'evil.test',
      'evil.test:80',
      '127.0.0.1.evil.test',
      'localhost.evil.test',
      'evil.test#localhost',
      'localhost@evil.test',
      'localhost.',
      '127.0.0.2',
      '0.0.0.0',
      '192.168.1.2',
      '',
    ]) {
      it(`refuses a request to ${JSON.stringify(host)}, as from a page that rebinds its name`, async () => {
        const { status, body } = await site.request('/', [`Host: ${host}`]);
        assert.equal(status, 403);
        assert.doesNotMatch(body, /Home/);
      });
    }

    it('answers to the one host that VS Code forwards it from, once it is named', async () => {
      const forwarded = ['Host: code.example.com:8443'];
      assert.equal((await site.request('/', forwarded)).status, 403);
      site.preview.allowHost('Code.example.com:8443');
      assert.equal((await site.request('/', forwarded)).status, 200);
      assert.equal((await site.request('/', ['Host: code.example.com'])).status, 403);
      assert.equal((await site.request('/', ['Host: evil.test'])).status, 403);
    });

    it('refuses two hosts and none', async () => {
      const two = await site.request('/', ['Host: evil.test', 'Host: localhost']);
      assert.ok(two.status === 403 || two.status === 400);
      assert.equal(
        (await site.request('/', ['Host: localhost', 'Host: evil.test'])).status >= 400,
        true,
      );
      assert.equal((await raw(site.port, 'GET / HTTP/1.0\r\n\r\n')).status, 403);
    });

    const foreign = (site: string, mode: string, destination: string): string[] => [
      `Sec-Fetch-Site: ${site}`,
      `Sec-Fetch-Mode: ${mode}`,
      `Sec-Fetch-Dest: ${destination}`,
    ];
    for (const [what, headers, status] of [
      ['an address that is typed', foreign('none', 'navigate', 'document'), 200],
      ['a link on its own page', foreign('same-origin', 'navigate', 'document'), 200],
      ['a script of its own', foreign('same-origin', 'no-cors', 'script'), 200],
      ['the Simple Browser’s frame', foreign('cross-site', 'navigate', 'iframe'), 200],
      ['a link elsewhere', foreign('cross-site', 'navigate', 'document'), 200],
      ['a fetch of a foreign page', foreign('cross-site', 'cors', 'empty'), 403],
      ['a script of a foreign page', foreign('cross-site', 'no-cors', 'script'), 403],
      ['an image of another local server', foreign('same-site', 'no-cors', 'image'), 403],
      ['an object of a foreign page', foreign('cross-site', 'navigate', 'object'), 403],
      [
        'a service worker',
        ['Service-Worker: script', ...foreign('same-origin', 'same-origin', 'serviceworker')],
        403,
      ],
    ] as const) {
      it(`answers ${status} to ${what}`, async () => {
        assert.equal((await site.request('/app.js', headers)).status, status);
      });
    }

    it('lets no other origin read a response, forbids caching, and sends no referrer', async () => {
      for (const address of ['/', '/app.js', '/nothing', '/api']) {
        const { headers } = await site.get(address, { origin: 'https://evil.test' });
        assert.equal(headers.get('access-control-allow-origin'), null);
        assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('cache-control'), 'no-store');
        assert.equal(headers.get('referrer-policy'), 'no-referrer');
        assert.equal(headers.get('set-cookie'), null);
      }
    });

    it('is bound to this machine alone', async () => {
      const outside = Object.values(os.networkInterfaces())
        .flat()
        .find((address) => address?.family === 'IPv4' && !address.internal);
      const host = outside?.address ?? '127.0.0.2';
      const socket = connect(site.port, host);
      const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
      assert.match(error.code ?? '', /ECONNREFUSED|EADDRNOTAVAIL|ETIMEDOUT|ENETUNREACH/);
    });
  });
});
