import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { DocsPlace, renderDocs, renderFolder, type RenderedSite } from './renderedSite';

const png = new Uint8Array([137, 80, 78, 71]);

/** A page `guides/a.md` with that text, among others that it may link to. */
const renderLinks = (text: string, more: Record<string, string | Uint8Array> = {}) =>
  renderDocs({
    'index.md': '# Home\n',
    'guides/a.md': `# A\n\n## Here\n\n${text}\n`,
    'guides/b c.md': '# B\n\n## Über uns\n\n## Twice\n\n## Twice\n\n> ## Quoted\n',
    'guides/deep/index.md': '# Deep\n',
    'images/x.png': png,
    ...more,
  });

/**
 * Returns the targets of the links in the text of `guides/a`, without the marks at its headings.
 */
function linksOf(site: RenderedSite): string[] {
  const [, text = ''] = site.article('guides/a.html').split('</h2>');
  return site.addresses('', text);
}

describe('links between the pages of a site', () => {
  const links: Record<string, string> = {
    './b%20c.md': 'b-c.html',
    'b%20c': 'b-c.html',
    'b%20c.html': 'b-c.html',
    '../guides/b%20c.md?plain=1': 'b-c.html',
    '/guides/b%20c': 'b-c.html',
    '/': '../index.html',
    '..': '../index.html',
    'deep/': 'deep/index.html',
    'deep/index.md': 'deep/index.html',
    'b%20c.md#über-uns': 'b-c.html#%C3%BCber-uns',
    'b%20c.md#%C3%9Cber-Uns': 'b-c.html#%C3%BCber-uns',
    'b%20c.md#twice-1': 'b-c.html#twice-1',
    'b%20c.md#quoted': 'b-c.html#quoted',
    '#here': '#here',
    '#top': 'a.html',
    'a.md#here': '#here',
    'https://docs.example.com/guides/b%20c#twice': 'b-c.html#twice',
    'https://other.example/a?b=c#d': 'https://other.example/a?b=c#d',
    '//other.example/a': 'https://other.example/a',
    'mailto:help@example.com': 'mailto:help@example.com',
  };
  for (const [written, leads] of Object.entries(links)) {
    it(`lead from ${written} to ${leads}`, async () => {
      const site = await renderLinks(`[text](${written})`);
      assert.deepEqual(linksOf(site), [leads]);
      assert.deepEqual(site.brokenLinks(), []);
      assert.deepEqual(
        site.log.messages('warn').filter((line) => line.includes('a.md')),
        [],
      );
    });
  }

  it('become text and are logged if the target is missing', async () => {
    const site = await renderLinks(
      'See [the *missing* page](./missing.md) and [x](../../../etc/passwd).',
    );
    assert.deepEqual(linksOf(site), []);
    assert.match(site.article('guides/a.html'), /<p>See the <em>missing<\/em> page and x\.<\/p>/);
    assert.match(
      site.log.text('warn'),
      /guides\/a\.md:5: \.\/missing\.md is broken: no such page or file exists/,
    );
  });

  it('lose a fragment that the page does not have, and are logged', async () => {
    const site = await renderLinks('[text](b%20c.md#nowhere)');
    assert.deepEqual(linksOf(site), ['b-c.html']);
    assert.match(
      site.log.text('warn'),
      /guides\/a\.md:5: b%20c\.md#nowhere is broken: the page has no such section/,
    );
  });

  for (const address of [
    'command:x',
    'vscode://x',
    'ftp://x.example/y',
    'file:///etc/passwd',
    'http://',
  ]) {
    it(`do not lead to ${address}`, async () => {
      assert.deepEqual(linksOf(await renderLinks(`[text](${address})`)), []);
    });
  }

  it('send no referrer to other sites', async () => {
    const site = await renderLinks('<https://other.example/>');
    assert.match(
      site.article('guides/a.html'),
      /<a href="https:\/\/other\.example\/" rel="noopener noreferrer">/,
    );
  });

  it('lead to a generated list for a folder without a page of its own', async () => {
    const site = await renderDocs({ 'a.md': '[more](./more/)\n', 'more/b.md': '# B\n' });
    assert.ok(site.addresses('', site.article('a.html')).includes('more/index.html'));
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('lead in versions and languages from their own root', async () => {
    const site = await renderDocs({
      'v2/en/a.md': '# A\n\n[b](/b)\n',
      'v2/en/b.md': '# B\n',
      'v1/en/b.md': '# Old\n',
    });
    assert.match(site.article('v2/en/a.html'), /<a href="b\.html">b<\/a>/);
  });

  it('name at most twenty missing targets of a page, and count the rest', async () => {
    const many = Array.from({ length: 50 }, (_, index) => `[x](./missing-${index}.md)`).join(' ');
    const site = await renderLinks(many);
    assert.equal(site.log.messages('warn').length, 21);
    assert.match(site.log.text('warn'), /and 30 more/);
  });
});

describe('images and files of a site', () => {
  it('are copied once, wherever they are used', async () => {
    const site = await renderLinks('![one](../images/x.png) ![two](/images/x.png)');
    assert.deepEqual(linksOf(site), ['../images/x.png', '../images/x.png']);
    assert.deepEqual(site.files.get('images/x.png'), png);
  });

  it('become links if they are on another host, because nothing is fetched from there', async () => {
    const site = await renderLinks(
      '![A chart](https://cdn.example/x.png) ![](//cdn.example/y.png)',
    );
    const article = site.article('guides/a.html');
    assert.doesNotMatch(article, /<img/);
    assert.match(
      article,
      /<a href="https:\/\/cdn\.example\/x\.png" rel="noopener noreferrer">A chart<\/a>/,
    );
    assert.match(article, />https:\/\/cdn\.example\/y\.png<\/a>/);
  });

  it('become text within a link if they are on another host', async () => {
    const site = await renderLinks('[![Build](https://ci.example/badge.svg)](https://ci.example/)');
    assert.match(
      site.article('guides/a.html'),
      /<a href="https:\/\/ci\.example\/"[^>]*>Build<\/a>/,
    );
  });

  it('become their text if they are missing', async () => {
    const site = await renderLinks('![Of a "bird" & nest](./missing.png)');
    assert.match(site.article('guides/a.html'), /<p>Of a &quot;bird&quot; &amp; nest<\/p>/);
    assert.match(
      site.log.text('warn'),
      /a\.md:5: \.\/missing\.png is broken: no such image exists/,
    );
  });

  it('are copied if pages link to them', async () => {
    const site = await renderLinks('[API](../openapi file.yaml)'.replace(' file', '%20file'), {
      'openapi file.yaml': 'openapi: 3.1.0\n',
    });
    assert.deepEqual(linksOf(site), ['../openapi-file.yaml']);
    assert.deepEqual(site.brokenLinks(), []);
  });

  for (const name of ['tool.js', 'page.html', 'page.xhtml', 'look.css', 'feed.xml']) {
    it(`are not copied if a browser would run or follow them: ${name}`, async () => {
      const site = await renderLinks(`[x](../${name})`, { [name]: 'x' });
      assert.deepEqual(linksOf(site), []);
      assert.ok(!site.names.includes(name));
    });
  }

  const drawings: Record<string, string> = {
    'a script': '<svg><script>alert(1)</script></svg>',
    'a script with a prefix': '<svg:svg><svg:script>alert(1)</svg:script></svg:svg>',
    'a handler': '<svg onload="alert(1)"/>',
    'a page inside': '<svg><foreignObject><b/></foreignObject></svg>',
    'an image from elsewhere': '<svg><image href="https://x.example/y.png"/></svg>',
    'a script in a link': '<svg><a href="&#106;avascript:alert(1)"><text>x</text></a></svg>',
    'a style from elsewhere': '<svg><style>@import "//x.example/y.css"</style></svg>',
    entities: '<!DOCTYPE svg [<!ENTITY x "y">]><svg>&x;</svg>',
  };
  for (const [what, drawing] of Object.entries(drawings)) {
    it(`leave out a drawing with ${what}`, async () => {
      const site = await renderLinks('![d](../d.svg)', { 'd.svg': drawing });
      assert.ok(!site.names.includes('d.svg'));
      assert.match(site.log.text('warn'), /Skipped d\.svg/);
    });
  }

  it('keep a harmless drawing', async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg"><defs><path id="a"/></defs><use href="#a" fill="url(#b)"/></svg>';
    const site = await renderLinks('![d](../d.svg)', { 'd.svg': drawing });
    assert.ok(site.names.includes('d.svg'));
  });

  it('are left out behind symbolic links, in hidden folders and above the size that is served', async () => {
    const place = await DocsPlace.create({
      'a.md': '# A\n\n![1](link.png) ![2](.git/x.png) ![3](huge.png) ![4](linked/x.png)\n',
      '.git/x.png': png,
      'images/x.png': png,
      'huge.png': new Uint8Array(10 * 1024 * 1024 + 1),
    });
    try {
      await symlink('images/x.png', path.join(place.root, 'link.png'));
      await symlink('images', path.join(place.root, 'linked'));
      const site = await renderFolder(place.root);
      assert.deepEqual(
        site.names.filter((name) => name.endsWith('.png')),
        [],
      );
      assert.deepEqual(site.brokenLinks(), []);
    } finally {
      await place.remove();
    }
  });
});
