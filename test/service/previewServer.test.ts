import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { ExportError } from '../../src/staticExport/exportErrors';
import { startPreview, type Preview } from '../../src/staticExport/previewServer';
import { RecordingLog } from '../fakes/recordingLog';

const SECRET = 'outside of the site';

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends the bytes as they are, which `fetch` would tidy up, and reads until the connection ends. */
async function raw(port: number, head: string): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  socket.write(head);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  const [top = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [statusLine = '', ...lines] = top.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(headers),
    body: rest.join('\r\n\r\n'),
  };
}

describe('startPreview', () => {
  let folder: string;
  let root: string;
  let preview: Preview;
  let port: number;
  let log: RecordingLog;
  let ids = 0;

  const write = async (name: string, text: string): Promise<void> => {
    const file = path.join(root, ...name.split('/'));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const start = async (basePath?: string): Promise<Preview> => {
    return startPreview({
      root,
      log,
      newId: () => `preview-${++ids}`,
      ...(basePath === undefined ? {} : { basePath }),
    });
  };
  const get = (address: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(new URL(address, preview.url), { headers, redirect: 'manual' });
  const request = (target: string, more: readonly string[] = [], method = 'GET') =>
    raw(
      port,
      [
        `${method} ${target} HTTP/1.1`,
        ...(more.some((line) => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${port}`]),
        ...more,
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    );

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-preview-'));
    root = path.join(folder, 'site');
    log = new RecordingLog();
    await mkdir(root);
    await writeFile(path.join(folder, 'secret.html'), SECRET);
    await write('index.html', '<h1>Home</h1>');
    await write('guides.html', '<h1>Guides</h1>');
    await write('guides/start.html', '<h1>Start</h1>');
    await write('api/index.html', '<h1>API</h1>');
    await write('empty/note.txt', 'note');
    await write('app.js', 'export {};');
    await write('font.woff2', 'font');
    await write('a b/grüße & 100%.html', '<h1>Grüße</h1>');
    await write('.env', SECRET);
    await write('.git/config', SECRET);
    await write('.well-known/security.txt', 'Contact: us');
    preview = await start();
    port = Number(new URL(preview.url).port);
  });

  afterEach(async () => {
    await preview.stop();
    await rm(folder, { recursive: true });
    log.assertNoErrors();
  });

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
        const response = await get(address);
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
        const response = await get(address);
        assert.equal(response.status, 302);
        assert.equal(response.headers.get('location'), location);
      });
    }

    for (const address of ['/nothing', '/empty/', '/empty', '/index.html/', '/app.js/', '/api/x']) {
      it(`has nothing at ${address}, and lists no folder`, async () => {
        const response = await get(address);
        assert.equal(response.status, 404);
        assert.doesNotMatch(await response.text(), /note/);
      });
    }

    it('shows the site’s own page where there is nothing, whole and with status 404', async () => {
      await write('404.html', '<h1>Lost</h1>');
      for (const headers of [
        {},
        { range: 'bytes=0-1' },
        { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      ]) {
        const response = await get('/nothing', headers);
        assert.equal(response.status, 404);
        assert.equal(await response.text(), '<h1>Lost</h1>');
        assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      }
      assert.equal((await get('/404.html')).status, 200);
    });

    it('says that a file is gone that vanished since', async () => {
      assert.equal((await get('/guides/start')).status, 200);
      await unlink(path.join(root, 'guides', 'start.html'));
      assert.equal((await get('/guides/start')).status, 404);
    });

    it('serves the site below its base path, and nothing above', async () => {
      const below = await start('/docs/');
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
  });

  describe('what stays inside', () => {
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
        const { status, body, headers } = await request(target);
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
        const { status, headers, body } = await request(target);
        assert.equal(status, 400);
        assert.equal(headers.get('set-cookie'), undefined);
        assert.doesNotMatch(body, /outside|Home/);
      });
    }

    it('follows no link out of the folder, and one that stays inside', async () => {
      await symlink(path.join(folder, 'secret.html'), path.join(root, 'link.html'));
      await symlink(folder, path.join(root, 'up'));
      await symlink(path.join(root, '.git'), path.join(root, 'public'));
      await symlink('loop.html', path.join(root, 'loop.html'));
      await symlink(path.join(root, 'guides'), path.join(root, 'guide'));
      for (const target of ['/link', '/link.html', '/up/secret.html', '/public/config', '/loop']) {
        const { status, body } = await request(target);
        assert.equal(status, 404, target);
        assert.doesNotMatch(body, /outside of the site/);
      }
      assert.equal((await request('/guide/start')).status, 200);
    });

    it('takes no backslash for a part of a name, nor for a slash', async () => {
      await write('a\\b.html', SECRET);
      await write('a/b.html', SECRET);
      assert.equal((await request('/a%5cb.html')).status, 404);
      assert.equal((await request('/a\\b')).status, 404);
    });

    it('does not take a folder for a part of the site that only begins like it', async () => {
      await mkdir(`${root}-private`);
      await writeFile(path.join(`${root}-private`, 'x.html'), SECRET);
      await symlink(path.join(`${root}-private`, 'x.html'), path.join(root, 'x.html'));
      assert.equal((await request('/x')).status, 404);
    });

    it('refuses an address that is too long, and headers without end', async () => {
      assert.equal((await request(`/${'a'.repeat(9000)}`)).status, 414);
      assert.equal((await request(`/?${'a'.repeat(30_000)}`)).status, 414);
      assert.equal((await request(`/${'a'.repeat(100_000)}`)).status, 431);
      assert.equal((await request(`/${'a'.repeat(5000)}`)).status, 404);
    });

    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']) {
      it(`does not take ${method}`, async () => {
        const { status, headers } = await request('/', ['Content-Length: 0'], method);
        assert.equal(status, 405);
        assert.equal(headers.get('allow'), 'GET, HEAD');
      });
    }
  });

  describe('who may ask', () => {
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', 'localhost:8080', '[::1]:80']) {
      it(`answers to ${host}, whatever port a remote window forwards`, async () => {
        assert.equal((await request('/', [`Host: ${host}`])).status, 200);
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
      it(`refuses a request to ${JSON.stringify(host)}, as of a page that rebinds its name`, async () => {
        const { status, body } = await request('/', [`Host: ${host}`]);
        assert.equal(status, 403);
        assert.doesNotMatch(body, /Home/);
      });
    }

    it('refuses two hosts and none', async () => {
      const two = await request('/', ['Host: evil.test', 'Host: localhost']);
      assert.ok(two.status === 403 || two.status === 400);
      assert.equal(
        (await request('/', ['Host: localhost', 'Host: evil.test'])).status >= 400,
        true,
      );
      assert.equal((await raw(port, 'GET / HTTP/1.0\r\n\r\n')).status, 403);
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
        assert.equal((await request('/app.js', headers)).status, status);
      });
    }

    it('lets no other origin read an answer, keeps none, and tells nobody where it is', async () => {
      for (const address of ['/', '/app.js', '/nothing', '/api']) {
        const { headers } = await get(address, { origin: 'https://evil.test' });
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
      const socket = connect(port, host);
      const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
      assert.match(error.code ?? '', /ECONNREFUSED|EADDRNOTAVAIL|ETIMEDOUT|ENETUNREACH/);
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
        assert.equal((await get(address)).headers.get('content-type'), type);
      });
    }

    it('answers HEAD without a body', async () => {
      const { status, headers, body } = await request('/app.js', [], 'HEAD');
      assert.deepEqual([status, headers.get('content-length'), body], [200, '10', '']);
      assert.equal((await request('/nothing', [], 'HEAD')).body, '');
    });

    it('sends the part that is asked for, and says so when there is none', async () => {
      const part = await get('/app.js', { range: 'bytes=0-5' });
      assert.deepEqual([part.status, await part.text()], [206, 'export']);
      const none = await get('/app.js', { range: 'bytes=50-60' });
      assert.deepEqual([none.status, none.headers.get('content-range')], [416, 'bytes */10']);
    });
  });

  describe('its life', () => {
    it('has an id of its own and the folder as it was given', async () => {
      const other = await start();
      assert.notEqual(other.id, preview.id);
      assert.notEqual(other.url, preview.url);
      assert.equal(other.root, root);
      await other.stop();
    });

    it('closes its port and every connection when it is stopped, also twice', async () => {
      const idle = connect(port, '127.0.0.1');
      await once(idle, 'connect');
      const kept = connect(port, '127.0.0.1');
      kept.write(`GET / HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await once(kept, 'data');
      const closed = Promise.all([once(idle, 'close'), once(kept, 'close')]);
      await Promise.all([preview.stop(), preview.stop()]);
      await preview.whenStopped;
      await closed;
      await assert.rejects(fetch(preview.url));
    });

    it('cuts off a download that is under way', async () => {
      await write('large.bin', 'x'.repeat(8 * 1024 * 1024));
      const response = await get('/large.bin');
      const rest = response.text();
      await preview.stop();
      await assert.rejects(rest);
    });

    it('does not start over what is no folder', async () => {
      for (const missing of ['gone', 'index.html']) {
        await assert.rejects(
          startPreview({ root: path.join(root, missing), log, newId: () => 'x' }),
          (error) => error instanceof ExportError && error.code === 'file-gone',
        );
      }
    });

    it('logs addresses without their queries', async () => {
      await (await get('/guides/start?key=secret')).text();
      assert.deepEqual(log.messages(), ['Preview: GET /guides/start 200']);
    });
  });
});
