import assert from 'node:assert/strict';
import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { ExportError } from '../../../src/export/exportErrors';
import { startPreview } from '../../../src/export/preview/previewServer';
import { PreviewSite } from './previewSite';

describe('startPreview', () => {
  let site: PreviewSite;

  beforeEach(async () => {
    site = await PreviewSite.start();
  });

  afterEach(() => site.stop());

  describe('addresses', () => {
    for (const [address, text] of [
      ['/', 'Home'],
      ['/index.html', 'Home'],
      ['/index', 'Home'],
      ['/?from=search', 'Home'],
      ['/guides', 'Guides'],
      ['/guides.html', 'Guides'],
      ['/guides/start', 'Start'],
      ['/guides/start.html', 'Start'],
      ['/guides/start.html?a=/../b', 'Start'],
      ['/api/', 'API'],
      ['/api/index.html', 'API'],
      ['/a%20b/gr%C3%BC%C3%9Fe%20&%20100%25', 'Grüße'],
      ['/.well-known/security.txt', 'Contact'],
    ] as const) {
      it(`serves ${address}`, async () => {
        const response = await site.get(address);
        assert.equal(response.status, 200);
        assert.match(await response.text(), new RegExp(text));
      });
    }

    for (const [address, location] of [
      ['/api', '/api/'],
      ['/api?a=1&b=%2F', '/api/?a=1&b=%2F'],
      ['/guides/', '/guides'],
    ] as const) {
      it(`sends ${address} on to ${location}, so that relative links work`, async () => {
        const response = await site.get(address);
        assert.equal(response.status, 302);
        assert.equal(response.headers.get('location'), location);
      });
    }

    for (const address of ['/nothing', '/empty/', '/empty', '/index.html/', '/app.js/', '/api/x']) {
      it(`finds nothing at ${address}, and lists no folder`, async () => {
        const response = await site.get(address);
        assert.equal(response.status, 404);
        assert.doesNotMatch(await response.text(), /note/);
      });
    }

    it('shows the site’s own page for missing files, complete and with status 404', async () => {
      await site.write('404.html', '<h1>Lost</h1>');
      const requests: Record<string, string>[] = [
        {},
        { range: 'bytes=0-1' },
        { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      ];
      for (const headers of requests) {
        const response = await site.get('/nothing', headers);
        assert.equal(response.status, 404);
        assert.equal(await response.text(), '<h1>Lost</h1>');
        assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      }
      assert.equal((await site.get('/404.html')).status, 200);
    });

    it('answers 404 for a file that was deleted meanwhile', async () => {
      assert.equal((await site.get('/guides/start')).status, 200);
      await unlink(path.join(site.root, 'guides', 'start.html'));
      assert.equal((await site.get('/guides/start')).status, 404);
    });

    it('serves the site below its base path, and nothing above it', async () => {
      const below = await site.startAnother('/docs/');
      try {
        assert.match(below.url, /^http:\/\/127\.0\.0\.1:\d+\/docs\/$/);
        const status = async (address: string): Promise<unknown[]> => {
          const response = await fetch(new URL(address, below.url), { redirect: 'manual' });
          return [response.status, response.headers.get('location')];
        };
        assert.deepEqual(await status('/docs/'), [200, null]);
        assert.deepEqual(await status('/docs/guides/start'), [200, null]);
        assert.deepEqual(await status('/docs/api'), [302, '/docs/api/']);
        assert.deepEqual(await status('/docs'), [302, '/docs/']);
        assert.deepEqual(await status('/'), [302, '/docs/']);
        assert.deepEqual(await status('/guides/start'), [404, null]);
        assert.deepEqual(await status('/docsx/'), [404, null]);
      } finally {
        await below.stop();
      }
    });

    it('serves the site below a base path with letters of any language, as a check finds it', async () => {
      for (const basePath of ['/d%C3%B6cs', '/döcs']) {
        const below = await site.startAnother(basePath);
        try {
          assert.match(below.url, /^http:\/\/127\.0\.0\.1:\d+\/d%C3%B6cs\/$/);
          const status = async (address: string): Promise<unknown[]> => {
            const response = await fetch(new URL(address, below.url), { redirect: 'manual' });
            return [response.status, response.headers.get('location')];
          };
          assert.deepEqual(await status('guides/start'), [200, null]);
          assert.deepEqual(await status('api'), [302, '/d%C3%B6cs/api/']);
          assert.deepEqual(await status('/'), [302, '/d%C3%B6cs/']);
        } finally {
          await below.stop();
        }
      }
    });
  });

  describe('files', () => {
    for (const [address, type] of [
      ['/', 'text/html; charset=utf-8'],
      ['/app.js', 'text/javascript; charset=utf-8'],
      ['/font.woff2', 'font/woff2'],
      ['/empty/note.txt', 'text/plain; charset=utf-8'],
    ] as const) {
      it(`sends ${address} as ${type}`, async () => {
        assert.equal((await site.get(address)).headers.get('content-type'), type);
      });
    }

    it('answers HEAD without a body', async () => {
      const { status, headers, body } = await site.request('/app.js', [], 'HEAD');
      assert.deepEqual([status, headers.get('content-length'), body], [200, '10', '']);
      assert.equal((await site.request('/nothing', [], 'HEAD')).body, '');
    });

    it('sends the requested range, and says so if it does not exist', async () => {
      const part = await site.get('/app.js', { range: 'bytes=0-5' });
      assert.deepEqual([part.status, await part.text()], [206, 'export']);
      const none = await site.get('/app.js', { range: 'bytes=50-60' });
      assert.deepEqual([none.status, none.headers.get('content-range')], [416, 'bytes */10']);
    });
  });

  describe('lifetime', () => {
    it('has an address of its own', async () => {
      const other = await site.startAnother();
      assert.notEqual(other.url, site.preview.url);
      await other.stop();
    });

    it('closes its port and every connection when it is stopped, also twice', async () => {
      const idle = connect(site.port, '127.0.0.1');
      await once(idle, 'connect');
      const kept = connect(site.port, '127.0.0.1');
      kept.write(`GET / HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await once(kept, 'data');
      const closed = Promise.all([once(idle, 'close'), once(kept, 'close')]);
      await Promise.all([site.preview.stop(), site.preview.stop()]);
      await site.preview.whenStopped;
      await closed;
      await assert.rejects(fetch(site.preview.url));
    });

    it('cuts off a running download', async () => {
      await site.write('large.bin', 'x'.repeat(8 * 1024 * 1024));
      const response = await site.get('/large.bin');
      const rest = response.text();
      await site.preview.stop();
      await assert.rejects(rest);
    });

    it('does not start for something that is not a folder', async () => {
      for (const missing of ['gone', 'index.html']) {
        await assert.rejects(
          startPreview({ root: path.join(site.root, missing), log: site.log }),
          (error) => error instanceof ExportError && error.code === 'file-gone',
        );
      }
    });

    it('logs URLs without their queries', async () => {
      await (await site.get('/guides/start?key=secret')).text();
      assert.deepEqual(site.log.messages(), ['Preview: GET /guides/start 200']);
    });
  });
});
