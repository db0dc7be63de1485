import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { plainTranslate } from '../../../../src/common/errors';
import {
  hostingConfiguration,
  isHostName,
  isListenAddress,
  isServerFolder,
  type HostingConfiguration,
} from '../../../../src/export/hosting/hostingFiles';
import { planFiles, readRedirects, writeFiles } from '../../../../src/export/hosting/hostingFolder';
import {
  hostingServers,
  type HostingServer,
  type HostingSite,
} from '../../../../src/export/hosting/hostingSite';
import type { Redirect } from '../../../../src/export/hosting/redirects';
import { redirectsJson } from '../../../../src/export/hosting/redirects';
import { survey } from '../../../builders/hostedSite';
import { cloudFrontHandler, parseTemplate } from '../../../fakes/cloudFront';
import { page, withSite, type SiteContents } from '../check/site';

const settings = { root: '/srv/docs', host: 'docs.example.com' };

const surveyed = (
  contents: SiteContents,
  redirects: readonly Redirect[] = [],
): Promise<HostingSite> => withSite(contents, (root) => survey(root, redirects));

const configure = (site: HostingSite, server: HostingServer): HostingConfiguration =>
  hostingConfiguration(site, server, settings, plainTranslate);

const contentOf = ({ files }: HostingConfiguration, name: string): string => {
  const file = files.find((one) => one.name === name);
  assert.ok(file, name);
  return file.content;
};

/** Lines that aren't comments. */
const linesOf = (content: string): string[] =>
  content.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));

const redirectsTo = (count: number, write: (index: number) => string): Redirect[] =>
  Array.from({ length: count }, (_, index) => ({ from: write(index), to: '/', status: 301 }));

describe('the configuration of each host', () => {
  for (const server of hostingServers) {
    // Shows faults.md D30.
    it(`keeps names of an archive out of the syntax of ${server}`, async () => {
      const odd = 'a"b\'c`d;e{f}g$h i#jk%0al*m|n(o)p[q]r^s~t&u<v>w,x=y:z@ü';
      const site = await surveyed(
        {
          'index.html': page('<script>one()</script>'),
          [`assets ${odd.replaceAll('/', '')}/app.4f2a9c1b.js`]: '1',
          [`${odd}.html`]: page(''),
          [`${odd}/index.html`]: page(''),
        },
        [
          {
            from: `/old/${encodeURIComponent(odd)}`,
            to: `/${encodeURIComponent(odd)}`,
            status: 301,
          },
        ],
      );
      assert.equal(site.redirects.rules.length, 1);
      const { files } = configure(site, server);
      for (const { name, content } of files) {
        if (name.endsWith('.json')) continue;
        for (const line of linesOf(content)) {
          // A quote of a name stands behind a backslash or as a code, so each line has pairs of them.
          if (server === 'nginx' || server === 'caddy' || server === 'apache') {
            const quotes = line.replace(/\\["\\]/g, '').split('"').length - 1;
            assert.equal(quotes % 2, 0, line);
          }
          const isQuoted = line.includes('location = "') || server === 'cloudfront';
          assert.ok(!line.includes('$h i#j') || isQuoted, line);
        }
        if (name === 'docs-site.cloudformation.yaml') {
          const handle = cloudFrontHandler(parseTemplate(content).Function.Properties.FunctionCode);
          const moved = await handle(`/old/${encodeURIComponent(odd)}`);
          assert.equal('status' in moved && moved.status, 301);
        }
        // eslint-disable-next-line no-control-regex
        assert.doesNotMatch(content, /[\0-\x08\x0b-\x1f\x7f]/);
      }
    });

    it(`lists in comments what the policy does not cover: ${server}`, async () => {
      const site = await surveyed({
        'index.html': page('<script src="https://cdn.example.com/a.js"></script>'),
        'app.js': 'eval(x); fetch(y)',
      });
      const { files, notes } = configure(site, server);
      assert.equal(notes.length, 4);
      const commented = files.find(({ content }) => content.includes('unsafe-eval'))?.content ?? '';
      for (const note of notes) {
        const start = note.split(' ').slice(0, 4).join(' ');
        assert.ok(commented.includes(start), note);
      }
    });
  }

  it('does not let a file name end a comment', async () => {
    const site = await surveyed({
      'index.html': page(''),
      'a\nserver { return 200; }\n.js': 'eval(x)',
    });
    const lines = linesOf(contentOf(configure(site, 'nginx'), 'docs-site.nginx.conf'));
    assert.ok(!lines.some((line) => line.includes('return 200')));
  });

  it('wraps the comments of a configuration', async () => {
    const site = await surveyed({ 'index.html': page(''), 'app.js': 'eval(x); fetch(y)' });
    for (const server of ['nginx', 'caddy', 'apache'] as const) {
      for (const { content } of configure(site, server).files) {
        const comments = content.split('\n').filter((line) => line.startsWith('# '));
        assert.deepEqual(
          comments.filter((line) => line.length > 100),
          [],
        );
      }
    }
  });

  it('supports a site with a base path', async () => {
    const site = await surveyed({
      'index.html': page('<a href="/docs/start">x</a><a href="/docs/start.html">y</a>'),
      'start.html': page('<a href="/docs/">x</a>'),
      '404.html': page(''),
    });
    assert.equal(site.basePath, '/docs');
    assert.match(contentOf(configure(site, 'nginx'), 'docs-site.nginx.conf'), /\/docs\/404\.html/);
    assert.deepEqual(linesOf(contentOf(configure(site, 'netlify'), '_redirects')), [
      '/ /docs/ 302',
    ]);
    const handle = cloudFrontHandler(
      contentOf(configure(site, 'cloudfront'), 'docs-site.function.js'),
    );
    assert.deepEqual(await handle('/docs/start'), { uri: '/docs/start.html' });
    assert.deepEqual(await handle('/docs/'), { uri: '/docs/index.html' });
    const [top, bare] = [await handle('/'), await handle('/docs')];
    assert.ok('headers' in top && top.headers['location'] === '/docs/');
    assert.ok('headers' in bare && bare.headers['location'] === '/docs/');
  });

  it('listens on the port of the host name', async () => {
    const site = await surveyed({ 'index.html': page('') });
    const written = (server: HostingServer, name: string): string =>
      contentOf(
        hostingConfiguration(
          site,
          server,
          { root: '/srv/docs', host: 'docs.example.com:8080' },
          plainTranslate,
        ),
        name,
      );
    const nginx = written('nginx', 'docs-site.nginx.conf');
    assert.match(nginx, /^ {4}listen 8080;$/m);
    assert.match(nginx, /^ {4}server_name docs\.example\.com;$/m);
    const apache = written('apache', 'docs-site.apache.conf');
    assert.match(apache, /^<VirtualHost \*:8080>$/m);
    assert.match(apache, /"Listen 8080"/);
    assert.match(written('caddy', 'Caddyfile'), /^docs\.example\.com:8080 \{$/m);
    const template = written('cloudfront', 'docs-site.cloudformation.yaml');
    assert.match(template, /Default: 'docs\.example\.com'$/m);
  });

  for (const server of ['netlify', 'cloudflare'] as const) {
    it(`writes URLs for ${server} as browsers request them`, async () => {
      const site = await surveyed({ 'index.html': page('') }, [
        { from: '/api/find(item,_at=@2)', to: '/', status: 301 },
        { from: '/api/std::vector*/a: b', to: '/', status: 301 },
        { from: '/gr%C3%BC%C3%9Fe%20%26%2525', to: '/', status: 301 },
      ]);
      const lines = linesOf(contentOf(configure(site, server), '_redirects'));
      for (const address of [
        '/api/find(item,_at=@2)',
        '/api/std:%3Avector%2A/a:%20b',
        '/gr%C3%BC%C3%9Fe%20&%2525',
      ]) {
        assert.ok(lines.includes(`${address} / 301`), address);
      }
    });
  }

  it('leaves out folders for CloudFront that AWS would refuse in a pattern', async () => {
    const site = await surveyed({
      'index.html': page(''),
      'my assets/app.4f2a9c1b.js': '1',
      'bundle/app.4f2a9c1b.js': '1',
    });
    const template = contentOf(configure(site, 'cloudfront'), 'docs-site.cloudformation.yaml');
    assert.deepEqual(
      [...template.matchAll(/PathPattern: (.*)/g)].map(([, path]) => path),
      ["'/bundle/*'"],
    );
  });

  it('can be generated for a bundle of one page', async () => {
    const site = await surveyed({ 'index.html': page('') });
    for (const server of hostingServers) {
      const { notes } = configure(site, server);
      assert.deepEqual(notes, [
        'The bundle has no 404.html, so the host shows its own page for missing pages.',
      ]);
    }
  });
});

describe('the notes of a configuration', () => {
  it('have words that fit a count of one, and separators in a long count', async () => {
    const site = await surveyed(
      {
        '404.html': page(''),
        'index.html': page(
          '<script>fetch(x)</script><script>let = </script><img src="https://a_b.test/x.png">',
        ),
      },
      [{ from: '/', to: '/', status: 301 }],
    );
    assert.deepEqual(configure({ ...site, unreadFiles: 1 }, 'nginx').notes, [
      'A script in index.html computes the URL of a request. If the URL leads to another host, add the host to connect-src.',
      'A script in index.html can’t be parsed. The policy doesn’t cover it.',
      'The policy can’t allow a URL in index.html safely, so it blocks it.',
      '1 file could not be read, so the policy doesn’t cover it.',
      '1 redirect is left out, because the old page still exists, the target is missing, or it is part of a loop: /',
    ]);
    const [note] = configure({ ...site, unreadFiles: 1234 }, 'nginx').notes.slice(-2);
    assert.match(note ?? '', /^1,234 files could not be read/);
  });

  it('name the first three of many redirects that are left out', async () => {
    const loops = redirectsTo(4, (index) => `/${index}`).map((each) => ({
      ...each,
      to: each.from,
    }));
    const site = await surveyed({ 'index.html': page(''), '404.html': page('') }, loops);
    const [note] = configure(site, 'nginx').notes;
    assert.match(note ?? '', /^4 redirects are left out, .*: \/0, \/1, \/2, …$/);
  });
});

describe('the limits of hosts', () => {
  it('are kept in _redirects of Cloudflare: 2,000 lines of 1,000 characters', async () => {
    const site = await surveyed({ 'index.html': page('') }, [
      ...redirectsTo(1500, (index) => `/old/${index}`),
      { from: `/${'long'.repeat(260)}`, to: '/', status: 301 },
    ]);
    const configuration = configure(site, 'cloudflare');
    const lines = linesOf(contentOf(configuration, '_redirects'));
    assert.equal(lines.length, 2000);
    assert.ok(lines.every((line) => line.length <= 1000));
    // The form without .html comes first, so each redirect has at least that one.
    assert.ok(lines.includes('/old/1499 / 301'));
    assert.ok(configuration.notes.some((note) => note.startsWith('1 redirect is left out')));
  });

  it('are reported if redirects don’t fit', async () => {
    const site = await surveyed(
      { 'index.html': page('') },
      redirectsTo(2100, (index) => `/old/${index}`),
    );
    const { notes } = configure(site, 'cloudflare');
    assert.ok(notes.some((note) => note.startsWith('100 redirects are left out')));
    assert.deepEqual(
      configure(site, 'netlify').notes.filter((note) => note.includes('redirects')),
      [],
    );
  });

  it('are kept in _headers of Cloudflare: 100 rules, 2,000 characters in a line', async () => {
    const scripts = Array.from({ length: 39 }, (_, index) => `<script>f(${index})</script>`).join(
      '',
    );
    const files = Array.from(
      { length: 150 },
      (_, index) => [`f${index}/a.4f2a9c1b.js`, '1'] as const,
    );
    const site = await surveyed({ 'index.html': page(scripts), ...Object.fromEntries(files) });
    const content = contentOf(configure(site, 'cloudflare'), '_headers');
    const lines = linesOf(content);
    assert.equal(lines.filter((line) => line.startsWith('/')).length, 100);
    assert.ok(lines.every((line) => line.length <= 2000));
    // Netlify takes the longer policy.
    assert.match(contentOf(configure(site, 'netlify'), '_headers'), /'sha256-/);
    assert.match(content, /script-src 'self' 'unsafe-inline'/);
  });

  it('leave out the form with a slash for Netlify, which reads both as one', async () => {
    const site = await surveyed({ 'index.html': page('') }, [
      { from: '/old', to: '/', status: 302 },
    ]);
    assert.deepEqual(linesOf(contentOf(configure(site, 'netlify'), '_redirects')), [
      '/old / 302',
      '/old.html / 302',
      '/old/index.html / 302',
    ]);
  });
});

describe('the CloudFront function', () => {
  const folders = (count: number): SiteContents =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`folder-${index}/index.html`, page('')]),
    );

  it('finds the files of pages, folders, and pages that look like files', async () => {
    const site = await surveyed({
      'index.html': page(''),
      'a.html': page(''),
      'b/index.html': page(''),
      'c.html': page(''),
      'c/index.html': page(''),
      'node.js.html': page(''),
      'app.js': '1',
      'v1.2.html': page(''),
      'ü ß.html': page(''),
    });
    const handle = cloudFrontHandler(
      contentOf(configure(site, 'cloudfront'), 'docs-site.function.js'),
    );
    const expected: Readonly<Record<string, string>> = {
      '/': '/index.html',
      '/a': '/a.html',
      '/b/': '/b/index.html',
      '/c': '/c.html',
      '/c/': '/c/index.html',
      '/node.js': '/node.js.html',
      '/v1.2': '/v1.2.html',
      '/app.js': '/app.js',
      '/%C3%BC%20%C3%9F': '/%C3%BC%20%C3%9F.html',
    };
    for (const [address, uri] of Object.entries(expected)) {
      assert.deepEqual(await handle(address), { uri }, address);
    }
    assert.deepEqual(await handle('/%zz'), { status: 400, headers: {} });
  });

  it('is plain ASCII, whatever the folders of a site are called', async () => {
    const site = await surveyed({ 'index.html': page(''), 'ü <ß>/index.html': page('') });
    const code = contentOf(configure(site, 'cloudfront'), 'docs-site.function.js');
    assert.doesNotMatch(code, /[^\n -~]|<ß|ß>/);
    assert.deepEqual(await cloudFrontHandler(code)(encodeURI('/ü <ß>/')), {
      uri: encodeURI('/ü <ß>/index.html'),
    });
  });

  it('moves what does not fit into 10 KB to a key value store, and finds the same', async () => {
    const redirects = redirectsTo(400, (index) => `/old/page-number-${index}`);
    const site = await surveyed({ 'index.html': page(''), ...folders(300) }, redirects);
    const { files } = configure(site, 'cloudfront');
    const named = (name: string): string => files.find((file) => file.name === name)?.content ?? '';
    const code = named('docs-site.function.js');
    assert.ok(Buffer.byteLength(code) < 10_000);
    const store = named('docs-site.store.json');
    const handle = cloudFrontHandler(code, store);
    assert.deepEqual(await handle('/folder-299/'), { uri: '/folder-299/index.html' });
    assert.deepEqual(await handle('/other'), { uri: '/other.html' });
    const moved = await handle('/old/page-number-399.html?x=1');
    assert.ok('headers' in moved);
    assert.equal(moved.status, 301);
    assert.equal(moved.headers['location'], '/?x=1');
    const template = named('docs-site.cloudformation.yaml');
    assert.match(template, /KeyValueStoreAssociations/);
    assert.ok(parseTemplate(template).Function.Properties.FunctionCode.includes("'cloudfront'"));
  });

  it('fits into 10 KB for a small site, without a store', async () => {
    const site = await surveyed({ 'index.html': page(''), ...folders(5) });
    const { files } = configure(site, 'cloudfront');
    assert.deepEqual(
      files.map(({ name }) => name),
      ['docs-site.cloudformation.yaml', 'docs-site.function.js'],
    );
  });
});

describe('the files of a configuration', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'hosting-files-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const one = (content: string): HostingConfiguration => ({
    server: 'nginx',
    policy: '',
    notes: [],
    files: [{ name: 'docs-site.nginx.conf', content }],
  });
  const place = (): string => path.join(folder, 'docs-site.nginx.conf');

  it('say which one exists and differs, and replace it', async () => {
    await writeFile(place(), 'mine');
    const planned = await planFiles(folder, [one('ours')]);
    assert.deepEqual(
      planned.map(({ state }) => state),
      ['changed'],
    );
    assert.equal(await readFile(place(), 'utf8'), 'mine');
    await writeFiles(planned);
    assert.equal(await readFile(place(), 'utf8'), 'ours');
  });

  it('never replace a file that appeared after the check', async () => {
    const planned = await planFiles(folder, [one('ours')]);
    await writeFile(place(), 'mine');
    await assert.rejects(writeFiles(planned), { code: 'already-exists' });
    assert.equal(await readFile(place(), 'utf8'), 'mine');
  });

  it('get a folder for each host if there are several', async () => {
    const planned = await planFiles(folder, [one('a'), { ...one('b'), server: 'netlify' }]);
    await writeFiles(planned);
    assert.equal(await readFile(path.join(folder, 'nginx/docs-site.nginx.conf'), 'utf8'), 'a');
    assert.equal(await readFile(path.join(folder, 'netlify/docs-site.nginx.conf'), 'utf8'), 'b');
  });

  it('use redirects only from the file of a comparison', async () => {
    const file = path.join(folder, 'redirects.json');
    const redirects: Redirect[] = [{ from: '/a', to: '/b', status: 302 }];
    await writeFile(file, redirectsJson(redirects));
    assert.deepEqual(await readRedirects(file), redirects);
    for (const text of [
      '',
      '[]',
      '{"version":2,"redirects":[]}',
      '{"version":1,"redirects":[{}]}',
    ]) {
      await writeFile(file, text);
      assert.equal(await readRedirects(file), undefined);
    }
    await assert.rejects(readRedirects(path.join(folder, 'none.json')), { code: 'not-readable' });
  });
});

describe('user values in a configuration', () => {
  it('must be host names, folders or addresses, and cannot end a line or a quote', () => {
    assert.ok(isHostName('docs.example.com') && isHostName('localhost:8080'));
    assert.ok(isServerFolder('/srv/my docs') && isServerFolder('C:\\docs'));
    assert.ok(isListenAddress('127.0.0.1:8080') && isListenAddress('[::1]:80'));
    for (const text of ['', 'a b', 'a;b', 'a"b', 'a\nb', '{env.X}', '$HOME', '-x', 'a}', 'a[b]']) {
      assert.equal(isHostName(text), false, text);
      assert.equal(isListenAddress(text), false, text);
      assert.equal(isServerFolder(text), false, text);
      if (text !== 'a b' && text !== '' && text !== 'a;b' && text !== '-x') {
        assert.equal(isServerFolder(`/${text}`), false, text);
      }
    }
  });
});
