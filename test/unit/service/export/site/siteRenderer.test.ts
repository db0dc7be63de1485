import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DocsPlace, renderDocs, renderFolder } from './renderedSite';

const docs = {
  'index.md': '# Wren\n\nWelcome. See [the guide](guides/start.md#install).\n',
  'guides/start.md':
    '---\ntitle: Start\ndescription: Where to begin.\n---\n\n## Install\n\n```sh\nnpm i wren # now\n```\n\n## Use it\n\n![A bird](../images/bird.png)\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n',
  'guides/errors.md': '# Errors\n\nBack to [start](./start).\n',
  'images/bird.png': new Uint8Array([137, 80, 78, 71]),
};

describe('renderSite', () => {
  it('renders one HTML file for each page, and the files that a site needs', async () => {
    const site = await renderDocs(docs);
    assert.equal(site.pages, 3);
    assert.deepEqual(site.names, [
      '404.html',
      'assets/icon.svg',
      'assets/search.js',
      'assets/site.css',
      'assets/site.js',
      'assets/theme.js',
      'guides/errors.html',
      'guides/index.html',
      'guides/start.html',
      'images/bird.png',
      'index.html',
      'robots.txt',
      'sitemap.xml',
    ]);
    assert.deepEqual(site.brokenLinks(), []);
    assert.deepEqual(site.log.messages(), []);
  });

  it('gives each page its text, its title and its metadata', async () => {
    const site = await renderDocs(docs);
    const html = site.text('guides/start.html');
    assert.match(html, /<title>Start · Wren<\/title>/);
    assert.match(html, /<meta name="description" content="Where to begin\.">/);
    assert.match(html, /<html lang="en">/);
    assert.equal(html.match(/<h1\b/g)?.length, 1);
    assert.match(html, /<p class="lead">Where to begin\.<\/p>/);
    assert.match(html, /<td class="right">2<\/td>/);
    assert.match(html, /<img src="\.\.\/images\/bird\.png" alt="A bird" loading="lazy">/);
    assert.equal(site.text('index.html').match(/<h1\b/g)?.length, 1);
  });

  it('highlights code in the language that its fence names', async () => {
    const site = await renderDocs(docs);
    const article = site.article('guides/start.html');
    assert.match(article, /<figcaption>Shell<\/figcaption>/);
    assert.match(article, /<span class="hljs-comment"># now<\/span>/);
  });

  it('names the language of code above it', async () => {
    const names = ['bash', 'css', 'ini', 'nginx', 'protobuf', 'ts', 'mine', 'text'];
    const site = await renderDocs({
      'a.md': names.map((name) => `\`\`\`${name}\nx\n\`\`\`\n`).join('\n'),
    });
    const captions = [...site.article('a.html').matchAll(/<figcaption>(.*?)<\/figcaption>/g)];
    assert.deepEqual(
      captions.map(([, caption]) => caption),
      ['Shell', 'CSS', 'INI', 'nginx', 'Protocol Buffers', 'TypeScript', 'mine', ''],
    );
  });

  it('lists the sections of a page beside it, and marks where each begins', async () => {
    const site = await renderDocs(docs);
    const contents = site.part('guides/start.html', '<nav class="toc"', '</nav>');
    assert.deepEqual(site.addresses('', contents), ['#install', '#use-it']);
    assert.match(site.article('guides/start.html'), /<h2 id="install">Install <a class="anchor"/);
  });

  it('gives a heading the ID that its text sets, and shows the rest of the text', async () => {
    const site = await renderDocs({ 'a.md': '# A\n\n## Set `it` up {#setup}\n' });
    assert.match(
      site.article('a.html'),
      /<h2 id="setup">Set <code>it<\/code> up <a class="anchor"/,
    );
  });

  it('writes URLs without extension on the host of the site', async () => {
    const site = await renderDocs(docs);
    const canonical = (name: string): string | undefined =>
      /<link rel="canonical" href="([^"]*)">/.exec(site.text(name))?.[1];
    assert.equal(canonical('index.html'), 'https://docs.example.com/');
    assert.equal(canonical('guides/start.html'), 'https://docs.example.com/guides/start');
    assert.equal(canonical('guides/index.html'), 'https://docs.example.com/guides/');
    assert.deepEqual(
      [...site.text('sitemap.xml').matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url),
      ['guides/', '', 'guides/errors', 'guides/start'].map(
        (path) => `https://docs.example.com/${path}`,
      ),
    );
    assert.match(site.text('robots.txt'), /^Sitemap: https:\/\/docs\.example\.com\/sitemap\.xml$/m);
  });

  it('renders the same bytes for the same docs', async () => {
    const digest = async (): Promise<string> => {
      const { files } = await renderDocs(docs);
      const hash = createHash('sha256');
      for (const [name, content] of files) hash.update(name).update('\0').update(content);
      return hash.digest('hex');
    };
    assert.equal(await digest(), await digest());
  });

  it('creates a home page from the navigation if the docs have none', async () => {
    const site = await renderDocs(
      { 'a.md': '---\ndescription: First.\n---\n\n# Alpha\n', 'guides/b.md': '# Beta\n' },
      { siteHost: 'docs.wren.example' },
    );
    const article = site.article('index.html');
    assert.match(article, /<h1>Wren<\/h1>/);
    assert.deepEqual(site.addresses('', article), ['a.html', 'guides/b.html']);
    assert.match(article, /<b>Alpha<\/b><span>First\.<\/span>/);
    assert.match(article, /<b>Beta<\/b><\/a>/);
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('uses the site name of docs.json, whatever else the file contains', async () => {
    const site = await renderDocs({
      'a.md': '# Alpha\n',
      'docs.json': '{"name": "Wren <b>", "description": 7, "colors": {"primary": "#fff"}}',
    });
    assert.match(site.article('index.html'), /<h1>Wren &lt;b&gt;<\/h1><p>Documentation<\/p>/);
    assert.ok(!site.names.includes('docs.json'));
  });

  it('uses a README as the home page, unless there is an index', async () => {
    const readme = await renderDocs({ 'README.md': '# Read me\n' });
    assert.match(readme.article('index.html'), /Read me/);
    const both = await renderDocs({ 'README.md': '# Read me\n', 'index.md': '# Index\n' });
    assert.match(both.article('index.html'), /Index/);
    assert.match(both.article('README.html'), /Read me/);
  });

  it('renders a site for an empty folder', async () => {
    const site = await renderDocs({});
    assert.equal(site.pages, 0);
    assert.match(site.article('index.html'), /No pages yet/);
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('says on the home page that there are no pages yet if all of them are hidden', async () => {
    const site = await renderDocs({ 'a.md': '---\nhidden: true\n---\n\n# A\n' });
    assert.match(site.article('index.html'), /No pages yet/);
  });

  it('renders a 404 page that works at any depth, with links from the root only', async () => {
    const site = await renderDocs(docs);
    assert.deepEqual(site.addresses('404.html'), ['data:,', '/index.html']);
    assert.match(site.text('404.html'), /<style>[^<]+<\/style>/);
  });

  it('allows its own styles and scripts on the 404 page, and no others', async () => {
    const html = (await renderDocs(docs)).text('404.html');
    for (const tag of ['style', 'script']) {
      const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? '';
      const hash = createHash('sha256').update(text).digest('base64');
      assert.ok(html.includes(`${tag}-src 'sha256-${hash}'`), tag);
    }
  });

  it('reports the number of pages, then each page', async () => {
    const progress: [number, number][] = [];
    await renderDocs(docs, { onProgress: (pages, total) => progress.push([pages, total]) });
    assert.deepEqual(progress, [
      [0, 3],
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it('stops at the next file when told to', async () => {
    const stop = new AbortController();
    const written: string[] = [];
    const rendering = renderDocs(docs, {
      signal: stop.signal,
      onFile: ({ path }) => {
        written.push(path);
        if (path === 'index.html') stop.abort(new Error('enough'));
      },
    });
    await assert.rejects(rendering, /enough/);
    assert.equal(written.at(-1), 'index.html');
  });

  it('yields to other work between pages', async () => {
    let turns = 0;
    const count = (): void => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const seen: number[] = [];
    await renderDocs(docs, { onProgress: () => seen.push(turns) });
    clearImmediate(next);
    assert.ok(
      seen.every((turn, index) => index === 0 || turn > (seen[index - 1] ?? 0)),
      seen.join(),
    );
  });

  it('keeps the file of a page that was deleted meanwhile, because others link to it', async () => {
    const place = await DocsPlace.create(docs);
    try {
      const site = await renderFolder(place.root, {
        onProgress: (pages) => {
          if (pages === 0) void place.remove();
        },
        onFile: () => undefined,
      });
      assert.match(site.article('guides/start.html'), /<h1>Start<\/h1>/);
    } finally {
      await place.remove();
    }
  });

  it('fails if there is no docs folder', async () => {
    const place = await DocsPlace.create({});
    await place.remove();
    await assert.rejects(renderFolder(place.root), { code: 'ENOENT' });
  });
});
