import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { redirectsJson } from '../../../src/export/hosting/redirects';
import { run, runHere, type Ran } from './running';

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Page</title></head><body>${body}</body></html>\n`;

describe('docs-assistant bundle hosting', () => {
  let folder = '';
  let site = '';

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'cli-hosting-'));
    site = await mkdtemp(path.join(os.tmpdir(), 'cli-hosting-site-'));
    await writeFile(path.join(site, 'index.html'), page('<script>one()</script>'));
    await writeFile(path.join(site, '404.html'), page(''));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(site, { recursive: true, force: true });
  });

  const hosting = (...args: readonly string[]): Promise<Ran> =>
    runHere(['bundle', 'hosting', site, ...args], { cwd: folder });

  it('writes the files of several servers, each into a folder of its own', async () => {
    const redirects = path.join(folder, 'redirects.json');
    await writeFile(redirects, redirectsJson([{ from: '/old', to: '/', status: 301 }]));
    const options = [
      ...['--for', 'nginx,netlify', '--output', 'out', '--host', 'docs.acme.com'],
      ...['--root', '/var/www', '--redirects', 'redirects.json'],
    ];
    const { code, stdout } = await run(['bundle', 'hosting', site, ...options], { cwd: folder });
    assert.equal(code, 0);
    assert.equal(
      stdout,
      'nginx: nginx/docs-site.nginx.conf\nNetlify: netlify/_redirects, netlify/_headers\n',
    );
    const nginx = await readFile(path.join(folder, 'out/nginx/docs-site.nginx.conf'), 'utf8');
    assert.match(nginx, /server_name docs\.acme\.com;\n {4}root "\/var\/www";/);
    assert.match(nginx, /location = "\/old" \{ return 301 "\/\$is_args\$args"; \}/);
    assert.match(
      await readFile(path.join(folder, 'out/netlify/_redirects'), 'utf8'),
      /^\/old \/ 301$/m,
    );
  });

  it('replaces a file that differs with --force only', async () => {
    await writeFile(path.join(folder, '_headers'), 'mine');
    const refused = await hosting('--for', 'cloudflare', '--output', '.');
    assert.equal(refused.code, 13);
    assert.match(
      refused.stderr,
      /_headers already exists and differs\. Add --force to replace it\./,
    );
    assert.deepEqual(await readdir(folder), ['_headers']);
    assert.equal((await hosting('--for', 'cloudflare', '--output', '.', '--force')).code, 0);
    assert.deepEqual((await readdir(folder)).sort(), ['_headers', '_redirects']);
    // The same files again are nothing to ask about.
    assert.equal((await hosting('--for', 'cloudflare', '--output', '.')).code, 0);
  });

  it('prints the policy and the remarks as an event', async () => {
    await writeFile(path.join(site, 'app.js'), 'eval(code)');
    const { stdout } = await hosting('--for', 'caddy', '--output', '.', '--json');
    const events = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const event = v.parse(
      v.object({
        version: v.literal(1),
        event: v.literal('hosting'),
        server: v.literal('caddy'),
        folder: v.literal(folder),
        files: v.array(v.string()),
        policy: v.string(),
        notes: v.array(v.string()),
      }),
      events.at(-1),
    );
    assert.deepEqual(event.files, ['Caddyfile']);
    assert.match(event.policy, /script-src 'self' 'unsafe-eval' 'sha256-/);
    assert.equal(event.notes.length, 1);
  });

  it('refuses wrong values before it reads the bundle', async () => {
    const wrong: [readonly string[], number, RegExp][] = [
      [['--for', 'iis'], 2, /--for doesn’t accept “iis”\. Choose from nginx, caddy,/],
      [['--for', 'nginx', '--host', 'a;b'], 2, /--host takes a host name/],
      [['--for', 'nginx', '--root', 'docs'], 2, /--root takes an absolute path/],
      [['--for', 'nginx', '--listen', '80'], 2, /--listen takes an address/],
      [['--for', 'nginx', '--redirects', site], 5, /./],
      [['--for', 'nginx', '--redirects', 'gone.json'], 5, /^gone\.json doesn’t exist\.$/m],
      [['--for', 'nginx', '--redirects', path.join(site, 'index.html')], 5, /has no redirects\./],
    ];
    for (const [args, code, message] of wrong) {
      const ran = await hosting(...args, '--output', 'out');
      assert.equal(ran.code, code, args.join(' '));
      assert.match(ran.stderr, message);
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('says so if a folder has no pages or does not exist', async () => {
    await rm(path.join(site, 'index.html'));
    await rm(path.join(site, '404.html'));
    const empty = await hosting('--for', 'nginx', '--output', 'out');
    assert.equal(empty.code, 5);
    assert.match(empty.stderr, /has no pages/);
    await rm(site, { recursive: true });
    assert.equal((await hosting('--for', 'nginx', '--output', 'out')).code, 5);
  });
});
