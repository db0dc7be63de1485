import assert from 'node:assert/strict';
import { isSelfContained } from '../../../../src/export/check/reportTypes';
import { checked, checkedPage, fetchesOf, page } from './site';

describe('Check Bundle: content from other hosts', () => {
  const fetched: Record<string, readonly [body: string, ...expected: string[]]> = {
    'a script': [
      '<script src="https://cdn.example.com/a.js?v=1#x"></script>',
      'script https://cdn.example.com/a.js',
    ],
    'a script without scheme': [
      '<script src="//cdn.example.com/a.js"></script>',
      'script //cdn.example.com/a.js',
    ],
    'a style sheet': [
      '<link rel="stylesheet" href="https://fonts.example.com/css?family=A">',
      'style https://fonts.example.com/css',
    ],
    'a font': [
      '<style>@font-face { src: local("A"), url(https://f.example.com/a.woff2) }</style>',
      'font https://f.example.com/a.woff2',
    ],
    'an import of a style': [
      '<style>@import "https://f.example.com/a.css" screen;</style>',
      'style https://f.example.com/a.css',
    ],
    'an image': [
      '<img src="https://img.example.com/a.png" alt="">',
      'image https://img.example.com/a.png',
    ],
    'images of a list': [
      '<img srcset="https://img.example.com/a,b.png 1x, https://img.example.com/c.png 2x" alt="">',
      'image https://img.example.com/a,b.png',
      'image https://img.example.com/c.png',
    ],
    'a film': [
      '<video src="https://v.example.com/a.mp4"></video>',
      'media https://v.example.com/a.mp4',
    ],
    'a frame': [
      '<iframe src="https://player.example.com/embed/1"></iframe>',
      'frame https://player.example.com/embed/1',
    ],
    'an object': [
      '<embed src="https://x.example.com/a.swf">',
      'object https://x.example.com/a.swf',
    ],
    'a form': [
      '<form action="https://forms.example.com/send" method="post"></form>',
      'form https://forms.example.com/send',
    ],
    'a ping': [
      '<a href="#" ping="https://p.example.com/a https://p.example.com/b">x</a>',
      'beacon https://p.example.com/a',
      'beacon https://p.example.com/b',
    ],
    'a redirection': [
      '<meta http-equiv="refresh" content="5;URL=\'https://x.example.com/\'">',
      'redirect https://x.example.com/',
    ],
    'a preconnection': [
      '<link rel="preconnect" href="https://fonts.example.com">',
      'hint https://fonts.example.com/',
    ],
    'a name looked up ahead': [
      '<link rel="dns-prefetch" href="//fonts.example.com">',
      'hint //fonts.example.com/',
    ],
    'what is loaded ahead': [
      '<link rel="prefetch" href="https://x.example.com/next">',
      'hint https://x.example.com/next',
    ],
    'what is loaded first': [
      '<link rel="preload" as="style" href="https://x.example.com/a.css">',
      'style https://x.example.com/a.css',
    ],
    'an image of a drawing': [
      '<svg><image xlink:href="https://x.example.com/a.png"/></svg>',
      'image https://x.example.com/a.png',
    ],
    'an asset of the site’s own public host': [
      '<link rel="canonical" href="https://docs.example.com/"><link rel="icon" href="https://docs.example.com/a.ico">',
      'image https://docs.example.com/a.ico',
    ],
    'a host of this machine': [
      '<img src="http://localhost:3000/a.png" alt="">',
      'image http://localhost:3000/a.png',
    ],
    'a user’s name in the address, which is dropped': [
      '<img src="https://me:secret@x.example.com/a.png" alt="">',
      'image https://x.example.com/a.png',
    ],
  };
  for (const [what, [body, ...expected]] of Object.entries(fetched)) {
    it(`lists ${what}`, async () => {
      const report = await checkedPage(body);
      assert.deepEqual(fetchesOf(report), expected);
      assert.equal(report.outsideFetchCount, expected.length);
      assert.deepEqual(report.broken, []);
      assert.equal(isSelfContained(report), false);
    });
  }

  it('counts plain links separately by host, most frequent first', async () => {
    const report = await checkedPage(
      '<a href="https://b.example.com/1">x</a><a href="//a.example.com">x</a><a href="https://b.example.com/2">x</a><a href="https://b.example.com/3">x</a><a href="ftp://a.example.com/">x</a><a href="https://c.example.com:8443/">x</a>',
    );
    assert.deepEqual(report.outsideLinks, {
      count: 6,
      byHost: [
        { host: 'b.example.com', count: 3 },
        { host: 'a.example.com', count: 2 },
        { host: 'c.example.com:8443', count: 1 },
      ],
    });
    assert.deepEqual(report.outsideFetches, []);
    assert.equal(isSelfContained(report), true);
  });

  it('never reports links that only describe the page as broken: canonical, alternate, og:url', async () => {
    const report = await checkedPage(
      '<link rel="canonical" href="/not/there"><link rel="alternate" hreflang="de" href="https://docs.example.com/de"><meta property="og:url" content="https://docs.example.com/en">',
    );
    assert.deepEqual(report.broken, []);
    assert.equal(report.checkedLinks, 0);
    assert.deepEqual(report.outsideLinks.byHost, [{ host: 'docs.example.com', count: 2 }]);
    assert.deepEqual(report.notes, []);
  });

  it('says how many links lead to the site’s own public host instead of into the bundle', async () => {
    const report = await checkedPage(
      '<link rel="canonical" href="https://docs.example.com/"><a href="https://docs.example.com/guides">x</a>',
    );
    assert.deepEqual(report.notes, [
      { code: 'own-host-links', count: 1, detail: 'docs.example.com' },
    ]);
  });

  it('notes a form that posts to the static host, which cannot answer', async () => {
    const report = await checkedPage('<form method="POST" action="/api/feedback"></form>');
    assert.deepEqual(report.notes, [
      { code: 'posts-to-site', file: 'index.html', line: 3, column: 29 },
    ]);
    assert.equal(isSelfContained(report), true);
  });

  it('notes relative URLs of the 404 page, which is shown at any depth', async () => {
    const report = await checked({
      'index.html': page(''),
      '404.html': page('<a href="index.html">x</a><a href="/">x</a><a href="#x" id="x">x</a>'),
    });
    assert.deepEqual(report.notes, [{ code: 'relative-on-404', file: '404.html', count: 1 }]);
  });
});
