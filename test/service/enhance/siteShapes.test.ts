import assert from 'node:assert/strict';
import { SiteToEnhance } from './enhancing';

const html = (title: string, body: string, head = ''): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head>\n<body>${body}</body></html>\n`;

const herons = 'A heron stands on one leg, which saves warmth in winter.';
const pelicans = 'Pelicans eat fish in the morning and in the evening.';

/** Files as VitePress writes them: one app for all pages, whose scripts are modules with hashed names. */
const vitePress = {
  'index.html': vitePressPage('Birds', pelicans, 'index'),
  'guide/herons.html': vitePressPage('Herons', herons, 'guide_herons'),
  '404.html': vitePressPage('404', 'NOT FOUND', '404'),
  'assets/app.B2kQx1Zp.js': 'export const app = 1;\n',
  'assets/guide_herons.md.Dq0x_9aV.js': 'export const page = 1;\n',
  'assets/style.Cn3XQm5y.css': 'body { margin: 0 }\n',
  'hashmap.json': '{"guide_herons.md":"Dq0x_9aV"}\n',
};

function vitePressPage(title: string, text: string, name: string): string {
  return `<!DOCTYPE html>
<html lang="en-US" dir="ltr">
  <head>
    <meta charset="utf-8">
    <title>${title} | Docs</title>
    <link rel="preload stylesheet" href="/assets/style.Cn3XQm5y.css" as="style">
    <script type="module" src="/assets/app.B2kQx1Zp.js"></script>
    <link rel="modulepreload" href="/assets/${name}.md.Dq0x_9aV.js">
    <script id="check-dark-mode">(()=>{const e=localStorage.getItem("vitepress-theme-appearance")||"auto"})();</script>
  </head>
  <body>
    <div id="app"><div class="Layout"><header class="VPNav"><a href="/">Docs</a></header><aside class="VPSidebar"><a href="/guide/herons.html">Herons and their sidebar</a></aside><div class="VPContent"><div class="VPDoc"><main class="main"><div class="vp-doc"><h1 id="title" tabindex="-1">${title} <a class="header-anchor" href="#title">&#8203;</a></h1><p>${text}</p></div></main></div></div></div></div>
    <script>window.__VP_HASH_MAP__=JSON.parse("{}");</script>
  </body>
</html>`;
}

/** Files as Docusaurus writes them below a base path, with an earlier version beside the current one. */
const docusaurus = {
  'index.html': docusaurusPage('Birds', pelicans, 'current'),
  'herons.html': docusaurusPage('Herons', herons, 'current'),
  '6.x/index.html': docusaurusPage('Birds', `${pelicans} Once.`, '6.x'),
  '6.x/herons.html': docusaurusPage('Herons', `${herons} Once.`, '6.x'),
  'assets/js/main.0a1b2c3d.js': 'document.title;\n',
  'sitemap.xml': '<urlset><url><loc>https://docs.example/birds/herons</loc></url></urlset>\n',
};

function docusaurusPage(title: string, text: string, version: string): string {
  return `<!doctype html>
<html lang="en" dir="ltr" class="docs-wrapper plugin-docs plugin-id-default docs-version-${version}" data-has-hydrated="false">
<head>
<meta charset="UTF-8"><meta name="generator" content="Docusaurus v3.10.2">
<title data-rh="true">${title} | Docs</title><meta data-rh="true" name="docsearch:version" content="${version}"><meta data-rh="true" name="docusaurus_version" content="${version}">
<script src="/birds/assets/js/main.0a1b2c3d.js" defer="defer"></script>
</head>
<body class="navigation-with-keyboard"><div id="__docusaurus"><nav class="navbar"><a href="/birds/">Docs</a></nav><main class="docMainContainer"><article><div class="theme-doc-markdown markdown"><header><h1>${title}</h1></header><p>${text}</p></div></article></main></div></body>
</html>`;
}

/** Files as MkDocs writes them: a folder for each page, and a script with the path to the root. */
const mkDocs = {
  'index.html': mkDocsPage('Birds', pelicans, '.'),
  'herons/index.html': mkDocsPage('Herons', herons, '..'),
  '404.html': mkDocsPage('404', 'Page not found', '/'),
  'search/search_index.json': '{"docs":[]}\n',
};

function mkDocsPage(title: string, text: string, base: string): string {
  return html(
    title,
    `<div class="wy-nav-content"><div role="main" class="document"><h1>${title}</h1><p>${text}</p></div></div><script>var base_url = "${base}";</script>`,
    `<link rel="stylesheet" href="${base}/css/theme.css">`,
  );
}

/** Pages that people and old tools write. */
const byHand: Readonly<Record<string, string | Buffer>> = {
  'index.html': `<h1>Birds</h1>\n<p>${pelicans}</p>\n`,
  'OLD.HTM': `<HTML>\r\n<HEAD><TITLE>Herons</TITLE></HEAD>\r\n<BODY BGCOLOR=white><H1>Herons</H1><P>${herons}\r\n</BODY></HTML>\r\n`,
  'signed.html': `\ufeff${html('Signed', `<p>${herons}</p>`)}`,
  'open.html': `<!doctype html><title>Open</title><p>Unclosed & broken &lt; <b>bold <i>both</b> ${herons}`,
  'script.html': html('Script', `<p>${herons}</p>`, '<script>var end = "</head>";</script>'),
  'comment.html': html('Comment', `<p>${herons}</p>`, '<!-- </head><body> -->'),
  'latin.html': Buffer.from(html('Störche', '<p>Störche klappern.</p>'), 'latin1'),
  'empty.html': '',
  'image.html': Buffer.from([0, 1, 2, 0xff, 0xfe, 0x3c, 0x68, 0x31, 0x3e, 0x80]),
};

/** The same page in five versions. */
const versions = ['v1', 'v2', 'v3', 'v4', 'v5'];
const fiveVersions: Readonly<Record<string, string>> = {
  'index.html': html('Start', '<main><h1>Start</h1><p>Choose a version of the docs.</p></main>'),
  ...Object.fromEntries(
    versions.map((version) => [
      `${version}/herons.html`,
      html('Herons', `<main><h1>Herons</h1><p>${herons}</p><p>Since ${version}.</p></main>`),
    ]),
  ),
};

const languages = {
  'index.html': html('Birds', `<main><h1>Birds</h1><p>${pelicans}</p></main>`),
  'zh/pelicans.html': html('鹈鹕', '<main><h1>鹈鹕</h1><p>鹈鹕每天在湖里吃鱼。</p></main>').replace(
    'lang="en"',
    'lang="zh"',
  ),
  'zh/herons.html': html(
    '苍鹭',
    '<main><h1>苍鹭</h1><p>苍鹭在冬天用一条腿站立。</p></main>',
  ).replace('lang="en"', 'lang="zh"'),
  'ar/pelicans.html': html(
    'البجع',
    '<main><h1>البجع</h1><p>البجع يأكل السمك كل يوم في البحيرة الكبيرة.</p></main>',
  ).replace('lang="en"', 'lang="ar" dir="rtl"'),
  'ar/herons.html': html(
    'مالك الحزين',
    '<main><h1>مالك الحزين</h1><p>يقف مالك الحزين على ساق واحدة في الشتاء.</p></main>',
  ).replace('lang="en"', 'lang="ar" dir="rtl"'),
};

const shapes: Readonly<Record<string, Readonly<Record<string, string | Buffer>>>> = {
  'one page': { 'index.html': html('Birds', `<main><h1>Birds</h1><p>${pelicans}</p></main>`) },
  VitePress: vitePress,
  'Docusaurus below a base path': docusaurus,
  MkDocs: mkDocs,
  'a folder of pages by hand': byHand,
  'five versions': fiveVersions,
  'Chinese and Arabic': languages,
};

describe('enhancing sites of each kind', () => {
  let site: SiteToEnhance;
  const made: SiteToEnhance[] = [];

  async function make(files: Readonly<Record<string, string | Buffer>>): Promise<SiteToEnhance> {
    site = await SiteToEnhance.make(files);
    made.push(site);
    return site;
  }
  afterEach(() => Promise.all(made.splice(0).map((each) => each.remove())));

  for (const [name, files] of Object.entries(shapes)) {
    it(`gives back every byte of ${name}, and a second run changes none`, async () => {
      await make(files);
      const before = await site.digests();
      await site.enhance();
      const first = await site.digests();
      assert.notDeepEqual(first, before);
      await site.enhance();
      assert.deepEqual(await site.digests(), first);
      await site.restore();
      assert.deepEqual(await site.digests(), before);
    });
  }

  for (const [name, files, wanted] of [
    ['VitePress', vitePress, 'guide/herons.html'],
    ['Docusaurus', docusaurus, 'herons.html'],
    ['MkDocs', mkDocs, 'herons/index.html'],
  ] as const) {
    it(`finds the text of pages of ${name}, and nothing of their navigation`, async () => {
      await make(files);
      await site.enhance();
      const search = await site.openIndex();
      assert.deepEqual((await search.find('heron on one leg'))[0], wanted);
      assert.deepEqual(await search.find('sidebar navbar'), []);
    });
  }

  it('finds pages without a main element, whatever they are written in', async () => {
    await make(byHand);
    const { indexed, untagged } = await site.enhance();
    assert.deepEqual(untagged, []);
    assert.equal(indexed, 7);
    const search = await site.openIndex();
    assert.deepEqual(await search.find('pelicans in the morning'), ['index.html']);
    assert.deepEqual(await search.find('Störche klappern'), ['latin.html']);
    const found = await search.find('heron on one leg');
    assert.deepEqual(found.includes('OLD.HTM'), true, String(found));
  });

  it('tells five versions of a page apart', async () => {
    await make(fiveVersions);
    await site.enhance();
    const search = await site.openIndex();
    assert.deepEqual([...search.index.versions].toSorted(), versions);
    assert.deepEqual(await search.find('heron on one leg'), ['v5/herons.html']);
    for (const version of versions) {
      const page = `${version}/herons.html`;
      assert.deepEqual(await search.find('heron on one leg', { version }), [page]);
      const currentPath = `${version}/herons`;
      assert.deepEqual(await search.find('heron on one leg', { currentPath }), [page]);
    }
  });

  it('tells versions of Docusaurus apart', async () => {
    await make(docusaurus);
    await site.enhance();
    const search = await site.openIndex();
    assert.deepEqual(await search.find('heron on one leg'), ['herons.html']);
    assert.deepEqual(await search.find('heron on one leg', { currentPath: '6.x/index' }), [
      '6.x/herons.html',
    ]);
    assert.deepEqual(await search.find('heron on one leg', { version: '6.x' }), [
      '6.x/herons.html',
    ]);
  });

  it('finds words of Chinese, which has no spaces, and of Arabic', async () => {
    await make(languages);
    await site.enhance();
    const search = await site.openIndex();
    assert.deepEqual(await search.find('鹈鹕吃什么？'), ['zh/pelicans.html']);
    assert.deepEqual(await search.find('一条腿'), ['zh/herons.html']);
    assert.deepEqual(await search.find('ماذا يأكل البجع؟'), ['ar/pelicans.html']);
    assert.deepEqual(await search.find('ساق واحدة'), ['ar/herons.html']);
  });

  it('gives back a site that an older version has enhanced', async () => {
    await make(vitePress);
    const before = await site.digests();
    await site.write('_docs-assistant/manifest.json', '{"generator":"docs-assistant","format":0}');
    await site.write('_docs-assistant/assistant-00ff.js', 'old');
    await site.write('_docs-assistant/parts/00ff00ff.js', 'old');
    for (const [name, up] of [
      ['index.html', ''],
      ['guide/herons.html', '../'],
    ] as const) {
      const tag = `<script defer src="${up}_docs-assistant/assistant-00ff.js" data-docs-assistant="ab"></script>`;
      await site.write(name, vitePress[name].replace('</head>', `${tag}</head>`));
    }
    assert.equal(await site.restore(), 2);
    assert.deepEqual(await site.digests(), before);
  });
});
