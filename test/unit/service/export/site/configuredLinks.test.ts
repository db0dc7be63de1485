import assert from 'node:assert/strict';
import { renderDocs, type DocsFiles, type RenderedSite } from './renderedSite';

const png = new Uint8Array([137, 80, 78, 71]);
const json = (value: unknown): string => JSON.stringify(value);

/** Returns the targets of the links in the text of a page, without the marks at its headings. */
function linksOf(site: RenderedSite, name = 'a.html'): string[] {
  return site
    .addresses('', site.article(name).split('</h1>')[1] ?? '')
    .filter((address) => !/^#(?:here|there)$/.test(address));
}

async function led(written: string, docs: DocsFiles): Promise<string[]> {
  const site = await renderDocs({ 'a.md': `# A\n\n[text](${written})\n`, ...docs });
  assert.deepEqual(site.brokenLinks(), []);
  return linksOf(site);
}

describe('redirects of a site', () => {
  const pages = { 'new/start.md': '# Start\n\n## Here\n', 'new/deep/x.md': '# X\n' };
  const docsJson = (redirects: readonly object[]): DocsFiles => ({
    ...pages,
    'docs.json': json({ navigation: { pages: ['a'] }, redirects }),
  });

  it('lead links to the page that replaced another one', async () => {
    const docs = docsJson([{ source: '/old/start', destination: '/new/start' }]);
    assert.deepEqual(await led('/old/start', docs), ['new/start.html']);
    assert.deepEqual(await led('old/start.md#here', docs), ['new/start.html#here']);
  });

  it('support patterns: one name, the rest of the path, and a wildcard', async () => {
    const docs = docsJson([
      { source: '/one/:page', destination: '/new/:page' },
      { source: '/all/:slug*', destination: '/new/:slug*' },
      { source: '/star/*', destination: '/new/start#here' },
    ]);
    assert.deepEqual(await led('/one/start', docs), ['new/start.html']);
    assert.deepEqual(await led('/all/deep/x', docs), ['new/deep/x.html']);
    assert.deepEqual(await led('/star/a/b/c', docs), ['new/start.html#here']);
    assert.deepEqual(await led('/one/deep/x', docs), []);
  });

  it('lead over several steps and to other sites', async () => {
    const docs = docsJson([
      { source: '/v1', destination: '/v2' },
      { source: '/v2', destination: '/new/start' },
      { source: '/chat', destination: 'https://chat.example.com/join' },
    ]);
    assert.deepEqual(await led('/v1', docs), ['new/start.html']);
    assert.deepEqual(await led('/chat', docs), ['https://chat.example.com/join']);
  });

  // Shows faults.md H3.
  it('result in a broken link if they form a loop or never end', async () => {
    const docs = docsJson([
      { source: '/x', destination: '/y' },
      { source: '/y', destination: '/x' },
      { source: '/z/:rest*', destination: '/z/z/:rest*' },
    ]);
    for (const written of ['/x', '/z/1']) {
      const site = await renderDocs({ 'a.md': `# A\n\n[text](${written})\n`, ...docs });
      assert.deepEqual(linksOf(site), []);
      assert.match(site.log.text('warn'), /is broken: the redirects form a loop/);
    }
  });

  it('do not replace an existing page or file', async () => {
    const docs = {
      ...docsJson([{ source: '/:all*', destination: '/new/start' }]),
      'b.md': '# B\n',
      'files/x.pdf': png,
    };
    assert.deepEqual(await led('/b', docs), ['b.html']);
    assert.deepEqual(await led('/files/x.pdf', docs), ['files/x.pdf']);
    assert.deepEqual(await led('/gone', docs), ['new/start.html']);
  });

  it('are read from mkdocs.yml', async () => {
    const docs = {
      'docs/a.md': '# A\n\n[text](old/page.md)\n',
      'docs/new/start.md': '# Start\n',
      'mkdocs.yml':
        "plugins:\n  - search\n  - redirects:\n      redirect_maps:\n        'old/page.md': 'new/start.md'\n",
    };
    assert.deepEqual(linksOf(await renderDocs(docs), 'docs/a.html'), ['new/start.html']);
  });

  it('are read from _redirects', async () => {
    const docs = {
      ...pages,
      'public/_redirects':
        '# Moved\n/old/* /new/:splat 301!\n/gone /nowhere 404\n/de/*  /new/:splat 302 Language=de\n',
    };
    assert.deepEqual(await led('/old/deep/x', docs), ['new/deep/x.html']);
    assert.notDeepEqual(await led('/de/deep/x', docs), ['new/deep/x.html'], 'has a condition');
  });

  it("are read from Docusaurus's plugin", async () => {
    const docs = {
      'docs/a.md': '# A\n\n[text](/docs/old) [other](/docs/older)\n',
      'docs/b.md': '# B\n',
      'docusaurus.config.js':
        "module.exports = { plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: ['/docs/old', '/docs/older'], to: '/docs/b' }] }]] };\n",
    };
    assert.deepEqual(linksOf(await renderDocs(docs), 'docs/a.html'), ['b.html', 'b.html']);
  });

  it('are read from .gitbook.yaml', async () => {
    const docs = {
      'docs/a.md': '# A\n\n[one](old/page.md) [two](/older) [three](chat)\n',
      'docs/new/start.md': '# Start\n\n## Here\n',
      'docs/SUMMARY.md': '* [A](a.md)\n',
      '.gitbook.yaml':
        'root: ./docs/\nredirects:\n  old/page: new/start.md\n  /older: ./new/start.md#here\n  chat: https://chat.example.com/\n  odd: 7\n',
    };
    assert.deepEqual(linksOf(await renderDocs(docs), 'docs/a.html'), [
      'new/start.html',
      'new/start.html#here',
      'https://chat.example.com/',
    ]);
  });

  it('are read from .gitbook.yaml without a summary', async () => {
    const docs = {
      'a.md': '# A\n\n[one](old/page.md)\n',
      'b.md': '# B\n',
      '.gitbook.yaml': 'redirects:\n  old/page: b.md\n',
    };
    assert.deepEqual(linksOf(await renderDocs(docs), 'a.html'), ['b.html']);
  });

  it('follow rewrites of VitePress', async () => {
    const docs = {
      'packages/core/src/usage.md': '# Usage\n',
      '.vitepress/config.js':
        "export default { rewrites: { 'packages/:pkg/src/:slug*': ':pkg/:slug*' } }\n",
    };
    assert.deepEqual(await led('/core/usage', docs), ['packages/core/src/usage.html']);
  });
});

describe("links from a site's root", () => {
  it('ignore number prefixes of files if the page is not found with them', async () => {
    const docs = { '03-core/05-text.md': '# Text\n', '2024-01-news.md': '# News\n' };
    assert.deepEqual(await led('/core/text', docs), ['03-core/05-text.html']);
    assert.deepEqual(await led('core/text.md', docs), ['03-core/05-text.html']);
    assert.deepEqual(await led('/03-core/text', docs), ['03-core/05-text.html']);
  });

  it("begin at the base path and at the folder of the site's pages", async () => {
    const docs = {
      'src/guide/b.md': '# B\n',
      '.vitepress/config.js': "export default { base: '/acme/', srcDir: './src' }\n",
    };
    assert.deepEqual(await led('/guide/b', docs), ['src/guide/b.html']);
    assert.deepEqual(await led('/acme/guide/b', docs), ['src/guide/b.html']);
  });

  it('find the page by the slug and the id that Docusaurus takes from front matter', async () => {
    const docs = {
      'docusaurus.config.js': 'module.exports = {};\n',
      'docs/a.md': '# A\n\n[text](/docs/short) [other](/docs/guide/named)\n',
      'docs/guide/b.md': '---\nslug: /short\n---\n\n# B\n',
      'docs/guide/c.md': '---\nid: named\n---\n\n# C\n',
    };
    assert.deepEqual(linksOf(await renderDocs(docs), 'docs/a.html'), [
      'guide/b.html',
      'guide/c.html',
    ]);
  });
});

describe('files that a site serves at its root', () => {
  for (const folder of ['public', 'static']) {
    it(`are found in ${folder}, images as well as downloads`, async () => {
      const site = await renderDocs({
        'a.md': '# A\n\n![x](/img/x.png) [d](/downloads/d.pdf)\n',
        [`${folder}/img/x.png`]: png,
        [`${folder}/downloads/d.pdf`]: png,
      });
      assert.deepEqual(linksOf(site), ['img/x.png', 'downloads/d.pdf']);
      assert.deepEqual(site.brokenLinks(), []);
    });
  }

  it('are found beside the pages of a site whose pages have a folder', async () => {
    const site = await renderDocs({
      'src/guide/a.md': '# A\n\n![x](/x.png) ![y](/acme/y.png)\n',
      'src/public/x.png': png,
      'src/public/y.png': png,
      '.vitepress/config.js': "export default { srcDir: 'src', base: '/acme/' }\n",
    });
    assert.deepEqual(linksOf(site, 'src/guide/a.html'), ['../../x.png', '../../y.png']);
  });

  it('come after files with the same path in the docs folder', async () => {
    const site = await renderDocs({
      'a.md': '# A\n\n![x](/x.png)\n',
      'x.png': png,
      'public/x.png': new Uint8Array([1]),
    });
    assert.deepEqual(site.files.get('x.png'), png);
  });
});

describe('fragments that other generators make', () => {
  const headings: Record<string, readonly string[]> = {
    'build.target': ['build-target', 'buildtarget', 'BUILD-target'],
    'Déjà vu & more': ['deja-vu-more', 'déjà-vu--more', 'deja-vu-and-more'],
    "What's new? — 2.0": ['what-s-new-—-2-0', 'whats-new--20', 'whats-new-20'],
    '1. Install': ['_1-install', '1-install'],
    '`foo()` and [bar](x)': ['foo-and-bar'],
  };
  for (const [heading, fragments] of Object.entries(headings)) {
    for (const fragment of fragments) {
      it(`lead to ${heading} from #${fragment}`, async () => {
        const site = await renderDocs({
          'a.md': `# A\n\n[text](b.md#${encodeURIComponent(fragment)})\n`,
          'b.md': `# B\n\n## Other\n\n## ${heading}\n`,
        });
        const [link = ''] = linksOf(site);
        assert.match(link, /^b\.html#./);
        assert.deepEqual(site.brokenLinks(), []);
        assert.deepEqual(
          site.log.messages('warn').filter((line) => line.includes('section')),
          [],
        );
      });
    }
  }

  const generators: Record<string, readonly [DocsFiles, string]> = {
    VitePress: [{ '.vitepress/config.js': 'export default {}\n' }, 'build-target'],
    MkDocs: [{ 'mkdocs.yml': 'docs_dir: .\n' }, 'buildtarget_1'],
    none: [{}, 'buildtarget-1'],
  };
  for (const [generator, [config, expected]] of Object.entries(generators)) {
    it(`are the IDs of the headings themselves if the site is made by ${generator}`, async () => {
      const site = await renderDocs({
        'a.md': '# A\n\n## buildtarget\n\n## build.target\n',
        ...config,
      });
      assert.ok(site.ids('a.html').includes(expected), site.ids('a.html').join());
      assert.deepEqual(site.addresses('', site.article('a.html')).includes(`#${expected}`), true);
    });
  }

  it('lead to the second of two headings by the number that the generator gives it', async () => {
    const site = await renderDocs({
      'a.md': '# A\n\n[x](b.md#a-b-1) [y](b.md#ab_1)\n',
      'b.md': '# B\n\n## a.b\n\n## a.b\n',
    });
    assert.deepEqual(linksOf(site), ['b.html#ab-1', 'b.html#ab-1']);
  });
});
