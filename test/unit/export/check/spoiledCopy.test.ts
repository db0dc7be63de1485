import assert from 'node:assert/strict';
import { isSelfContained } from '../../../../src/export/check/reportTypes';
import { checked, type SiteContents } from './site';

const nav = (up: string): string =>
  `<nav><a href="${up}index.html">Home</a> <a href="${up}guides/start.html#first">Start</a> <a href="${up}guides/more.html">More</a> <a href="https://example.com/">Elsewhere</a></nav>`;

const pageIn = (up: string, path: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<title>Page</title>
<link rel="canonical" href="https://docs.example.com/${path}">
<link rel="stylesheet" href="${up}assets/site.css">
<link rel="icon" href="${up}assets/icon.svg">
<script type="module" src="${up}assets/site.js"></script>
<style>.hero { background: url(${up}images/hero.png) }</style>
</head>
<body>
${nav(up)}
<main>
${body}
</main>
<script>document.documentElement.dataset.theme = localStorage.theme;</script>
</body>
</html>
`;

const good: Readonly<Record<string, string>> = {
  'index.html': pageIn(
    '',
    '',
    '<h1 id="top-heading">Home</h1>\n<p><img src="images/hero.png" srcset="images/hero.png 1x, images/hero@2x.png 2x" alt=""></p>\n<p><a href="#top-heading">Up</a></p>',
  ),
  'guides/start.html': pageIn(
    '../',
    'guides/start',
    '<h2 id="first">First</h2>\n<p><a href="more.html#second">Second</a></p>\n<video poster="../images/hero.png"><source src="../images/film.mp4"></video>',
  ),
  'guides/more.html': pageIn(
    '../',
    'guides/more',
    '<h2 id="second">Second</h2>\n<p><a href="start">Without ending</a></p>\n<svg><use href="../assets/icon.svg#mark"/></svg>',
  ),
  '404.html': pageIn('/', '404', '<h1>Not found</h1>'),
  'assets/site.css':
    '@import "colors.css";\n@font-face { font-family: A; src: url(a.woff2) }\nbody { background: url(../images/hero.png) }\n',
  'assets/colors.css': ':root { color: black }\n',
  'assets/site.js':
    'import { theme } from "./theme.js";\nconst index = new URL("search.json", import.meta.url);\ntheme(index);\n',
  'assets/theme.js': 'export const theme = (index) => fetch(index);\n',
  'assets/search.json': '{}',
  'assets/a.woff2': '',
  'assets/icon.svg':
    '<svg xmlns="http://www.w3.org/2000/svg">\n<symbol id="mark"><path d="M0 0"/></symbol>\n<use href="#mark"/></svg>\n',
  'images/hero.png': '',
  'images/hero@2x.png': '',
  'images/film.mp4': '',
  'sitemap.xml':
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset>\n<url><loc>https://docs.example.com/</loc></url>\n<url><loc>https://docs.example.com/guides/start</loc></url>\n<url><loc>https://docs.example.com/guides/more</loc></url>\n</urlset>\n',
};

/** `[file, what stands there, what it is spoiled into, its line, what the report says of it]` */
type Spoil = readonly [file: string, from: string, to: string, line: number, finding: string];

const spoils: readonly Spoil[] = [
  ['index.html', 'href="guides/more.html"', 'href="guides/mor.html"', 12, 'link missing-file'],
  ['index.html', 'href="#top-heading"', 'href="#top-headin"', 16, 'link missing-anchor'],
  ['index.html', 'images/hero@2x.png 2x', 'images/hero@3x.png 3x', 15, 'image missing-file'],
  ['index.html', 'url(images/hero.png)', 'url(/images/Hero.png)', 9, 'image wrong-case'],
  [
    'index.html',
    'href="assets/icon.svg"',
    'href="https://docs.example.com/assets/icon.svg"',
    7,
    'image docs.example.com',
  ],
  [
    'index.html',
    'localStorage.theme',
    'localStorage.theme; fetch("/api/theme")',
    18,
    'fetch missing-file',
  ],
  ['guides/start.html', 'more.html#second', 'more.html#Second', 15, 'link missing-anchor'],
  [
    'guides/start.html',
    'src="../images/film.mp4"',
    'src="../../images/film.mp4"',
    16,
    'media outside-site',
  ],
  [
    'guides/start.html',
    'src="../assets/site.js"',
    'src="//cdn.example.com/site.js"',
    8,
    'script cdn.example.com',
  ],
  ['guides/more.html', '#mark', '#brand', 16, 'image missing-anchor'],
  ['guides/more.html', 'href="start"', 'href="start/"', 15, 'link missing-file'],
  ['404.html', '/guides/more.html', '/guides', 12, 'link folder-without-index'],
  ['assets/site.css', '"colors.css"', '"colours.css"', 1, 'style missing-file'],
  [
    'assets/site.css',
    'url(a.woff2)',
    'url(https://fonts.example.com/a.woff2)',
    2,
    'font fonts.example.com',
  ],
  ['assets/site.js', './theme.js', './Theme.js', 1, 'import wrong-case'],
  ['assets/site.js', '"search.json"', '"find.json"', 2, 'fetch missing-file'],
  [
    'assets/theme.js',
    'fetch(index)',
    'fetch("https://search.example.com/?q=" + index)',
    1,
    'fetch search.example.com',
  ],
  ['assets/icon.svg', 'href="#mark"', 'href="#marc"', 3, 'image missing-anchor'],
  ['sitemap.xml', '/guides/more<', '/guides/less<', 5, 'sitemap missing-file'],
];

function spoiled(site: Readonly<Record<string, string>>): SiteContents {
  const copy = { ...site };
  for (const [file, from, to] of spoils) {
    const text = copy[file] ?? '';
    assert.equal(text.split(from).length, 2, `${from} stands in ${file} once`);
    copy[file] = text.replace(from, to);
  }
  return copy;
}

describe('Check Bundle on a site and a copy with planted errors', () => {
  it('finds nothing wrong with the site', async () => {
    const report = await checked(good);
    assert.deepEqual(report.broken, []);
    assert.deepEqual(report.outsideFetches, []);
    assert.deepEqual(report.notes, [{ code: 'extensionless-links', count: 1 }]);
    assert.deepEqual(report.outsideLinks.byHost, [
      { host: 'docs.example.com', count: 4 },
      { host: 'example.com', count: 4 },
    ]);
    assert.equal(isSelfContained(report), true);
  });

  it('finds exactly the planted errors of the copy', async () => {
    const report = await checked(spoiled(good));
    const found = [
      ...report.broken.map(({ file, line, kind, reason }) => `${file}:${line} ${kind} ${reason}`),
      ...report.outsideFetches.map(
        ({ file, line, kind, host }) => `${file}:${line} ${kind} ${host}`,
      ),
    ];
    const expected = spoils.map(([file, , , line, finding]) => `${file}:${line} ${finding}`);
    assert.deepEqual(found.sort(), expected.sort());
    assert.equal(isSelfContained(report), false);
  });
});
