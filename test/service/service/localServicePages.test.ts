import assert from 'node:assert/strict';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import type { LocalService } from '../../../src/service/server/server';
import { docsFolder, startService } from './localServiceAsking';

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const files = {
  'index.md': '# Home\n\nWelcome.\n',
  'guides/index.md': '# Guides\n\n[Start](start.md) and ![image](images/a%20b.svg).\n',
  'guides/start.mdx': `---
title: Start <here>
---
import X from './x';

## Prüfe es {#check}

<X onClick={() => alert(1)}>Inside.</X>

<script>alert(1)</script>

See [guides](./index.md#top), [root](/guides/start), [the other](../README.md), [web](https://example.com/?a=1&b=2),
[bad](javascript:alert(1)), [out](../../../../etc/passwd.md) and ![logo](../logo.png).

## Twice

a

## Twice

b
`,
  'guides/images/a b.svg': svg,
  'raw.md': `# Raw

<script>alert(1)</script>

<div onclick="x()">Shown</div>

A <b onmouseover="x()">bold</b> word.<br>Next.
`,
  'logo.png': new Uint8Array([137, 80, 78, 71]),
  'notes.txt': 'private',
  '.hidden/secret.md': '# Secret\n',
  '.env.png': 'KEY',
  'node_modules/x/readme.md': '# Dependency\n',
};

/** Sends the path as it is: `fetch` would normalise it. */
async function rawGet(
  service: LocalService,
  target: string,
): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(service.url);
  const request = http.get({ hostname, port, path: target });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let body = '';
  for await (const piece of response) body += String(piece);
  return { status: response.statusCode ?? 0, body };
}

describe('pages of the local docs service', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let outside: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;

  before(async () => {
    outside = await docsFolder({
      'secret.png': 'SECRET',
      'secret.md': '# SECRET\n\nSECRET pelican.\n',
    });
    docs = await docsFolder(files);
    await symlink(path.join(outside.root, 'secret.png'), path.join(docs.root, 'link.png'));
    await symlink(path.join(outside.root, 'secret.md'), path.join(docs.root, 'link.md'));
    await symlink(outside.root, path.join(docs.root, 'linked'));
    service = await startService(docs.root);
    await service.whenIndexed();
  });
  after(async () => {
    await service.stop();
    await docs.remove();
    await outside.remove();
  });

  const page = async (target: string): Promise<string> => {
    const response = await fetch(service.url + target);
    assert.equal(response.status, 200, target);
    return response.text();
  };

  it('are HTML without scripts, under a policy that allows none', async () => {
    const response = await fetch(`${service.url}/docs/guides/start`);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|script-src|https?:/);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    const html = await response.text();
    assert.doesNotMatch(html, /<script|onclick|href="javascript|import X/i);
    assert.match(html, /Inside\./);
    assert.match(html, /<h1>Start &lt;here&gt;<\/h1>/);
  });

  it('keep the text of HTML and drop its tags', async () => {
    const html = await page('/docs/raw');
    assert.doesNotMatch(html, /<script|alert|onclick|onmouseover/);
    assert.match(html, /<p>Shown<\/p>/);
    assert.match(html, /A <strong>bold<\/strong> word\.<br>Next\./);
  });

  it('have the fragments that sources link to', async () => {
    const html = await page('/docs/guides/start');
    assert.match(html, /<h2 id="check">Prüfe es<\/h2>/);
    assert.match(html, /<h2 id="twice">/);
    assert.match(html, /<h2 id="twice-1">/);
  });

  it('link to each other by URLs that the service knows', async () => {
    const html = await page('/docs/guides/start');
    assert.match(html, /href="\/docs\/guides\/#top"/);
    assert.match(html, /href="\/docs\/guides\/start"/);
    assert.match(html, /href="https:\/\/example\.com\/\?a=1&amp;b=2"/);
    assert.match(html, /src="\/docs\/logo\.png"/);
  });

  it('are found by their file name too', async () => {
    for (const target of ['/docs/guides/start.mdx', '/docs/guides/start/']) {
      const response = await fetch(service.url + target, { redirect: 'manual' });
      assert.equal(response.headers.get('location'), '/docs/guides/start', target);
    }
    const folder = await fetch(`${service.url}/docs/guides`, { redirect: 'manual' });
    assert.equal(folder.headers.get('location'), '/docs/guides/');
  });

  it('show images of the folder as images that run nothing', async () => {
    const response = await fetch(`${service.url}/docs/guides/images/a%20b.svg`);
    assert.equal(response.headers.get('content-type'), 'image/svg+xml');
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /default-src 'none'.*sandbox/,
    );
    assert.equal(await response.text(), svg);
    assert.match(await page('/docs/guides/'), /src="\/docs\/guides\/images\/a%20b\.svg"/);
  });

  for (const target of [
    '/docs/notes.txt',
    '/docs/.env.png',
    '/docs/.hidden/secret',
    '/docs/node_modules/x/readme.md',
    '/docs/link.png',
    '/docs/link',
    '/docs/linked/secret.png',
    '/docs/linked/secret',
    '/docs/../notes.txt',
    '/docs/%2e%2e/secret.png',
    '/docs/..%2f..%2fsecret.png',
    '/docs/%2fetc%2fpasswd',
    '/docs/guides%5c..%5clogo.png',
    '/docs/logo.png%00.svg',
    '/docs/%',
    '/docs//etc/passwd',
    `/docs/${'x'.repeat(5000)}.png`,
  ]) {
    it(`do not include ${target.slice(0, 60)}`, async () => {
      const { status, body } = await rawGet(service, target);
      assert.ok(status === 404 || status === 400, `${status}`);
      assert.doesNotMatch(body, /SECRET|KEY|private/);
    });
  }

  it('begin with a list of all pages', async () => {
    const other = await docsFolder({ 'v2/en/a.md': '---\ntitle: Page <A>\n---\n\nx\n' });
    const listing = await startService(other.root);
    try {
      await listing.whenIndexed();
      const html = await (await fetch(listing.url)).text();
      assert.match(html, /<a href="\/docs\/v2\/en\/a">Page &lt;A&gt;<\/a>/);
    } finally {
      await listing.stop();
      await other.remove();
    }
  });
});
