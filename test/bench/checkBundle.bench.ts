/**
 * *Check Bundle* on generated sites: against a link checker from npm on the same folder, and how
 * its time grows with the pages. Wants `dist/checkBundle.js`, and runs it as the extension does: in
 * a worker thread.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { LinkChecker, LinkState } from 'linkinator';
import { checkInWorker } from '../../src/export/check/checkInWorker';
import { against, bounded, median, report, type BenchRow } from './benchRow';

const PAGES = 2000;
const FEW_PAGES = 500;
const MANY_PAGES = 5000;
const ROUNDS = 3;
const PAGES_PER_FOLDER = 50;
const SECTIONS = 8;

/** Links that lead nowhere, on pages all over the site: both checkers have to find them. */
const BROKEN = 5;

const heading = (section: number): string => `section-${section}`;
const pathOf = (page: number): string =>
  `part-${Math.floor(page / PAGES_PER_FOLDER)}/page-${page}.html`;

const words =
  'the shipment moves through the network and each event tells where the parcel was last seen before the next carrier takes it over'.split(
    ' ',
  );

function paragraph(seed: number): string {
  return Array.from(
    { length: 60 },
    (_, position) => words[(seed * 7 + position * 3) % words.length],
  ).join(' ');
}

/** As a docs page is: head, navigation of its part, contents, text with links, code, an image. */
function pageHtml(page: number, pages: number): string {
  const folder = Math.floor(page / PAGES_PER_FOLDER);
  const first = folder * PAGES_PER_FOLDER;
  const neighbours = Array.from({ length: PAGES_PER_FOLDER }, (_, place) => first + place).filter(
    (other) => other < pages,
  );
  const linkTo = (other: number, text: string, section?: number): string => {
    const fragment = section === undefined ? '' : `#${heading(section)}`;
    return `<a href="../${pathOf(other)}${fragment}">${text}</a>`;
  };
  const sections = Array.from({ length: SECTIONS }, (_, section) => {
    const other = (page * 31 + section * 17) % pages;
    return `<h2 id="${heading(section)}">Section ${section}</h2>
<p>${paragraph(page + section)} ${linkTo(other, 'there', section)} ${paragraph(section)}</p>
<pre><code class="language-ts"><span class="keyword">const</span> shipment = <span class="keyword">await</span> client.shipments.get(<span class="string">'${page}-${section}'</span>);</code></pre>`;
  });
  const isBroken = page % (pages / BROKEN) === 1;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Page ${page}</title>
<link rel="stylesheet" href="../assets/site.css">
<link rel="icon" href="../assets/icon.svg">
<script src="../assets/site.js" defer></script>
<script>document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto';</script>
</head>
<body>
<nav><a href="../index.html">Home</a><ul>
${neighbours.map((other) => `<li>${linkTo(other, `Page ${other}`)}</li>`).join('\n')}
</ul></nav>
<aside><ul>
${sections.map((_, section) => `<li><a href="#${heading(section)}">Section ${section}</a></li>`).join('\n')}
</ul></aside>
<main>
<h1>Page ${page}</h1>
<img src="../images/overview.svg" alt="Overview">
${sections.join('\n')}
${isBroken ? `<p><a href="gone-${page}.html">gone</a></p>` : ''}
</main>
</body>
</html>
`;
}

async function makeSite(root: string, pages: number): Promise<void> {
  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  };
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>';
  await write('assets/icon.svg', drawing);
  await write('images/overview.svg', drawing);
  await write('assets/site.css', 'body { background: url(../images/overview.svg) }\n');
  await write('assets/site.js', "addEventListener('load', () => { document.title += ''; });\n");
  const firsts = Array.from({ length: Math.ceil(pages / PAGES_PER_FOLDER) }, (_, folder) => {
    const first = folder * PAGES_PER_FOLDER;
    return `<li><a href="${pathOf(first)}">Part ${folder}</a></li>`;
  });
  await write('index.html', `<!doctype html><title>Home</title><ul>${firsts.join('')}</ul>`);
  for (let page = 0; page < pages; page++) await write(pathOf(page), pageHtml(page, pages));
}

async function withSite<Result>(
  pages: number,
  use: (root: string) => Promise<Result>,
): Promise<Result> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'check-bench-'));
  try {
    await makeSite(root, pages);
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

interface Timed {
  readonly ms: number;
  readonly broken: number;
}

async function timed(work: () => Promise<number>): Promise<Timed> {
  const from = performance.now();
  const broken = await work();
  return { ms: performance.now() - from, broken };
}

async function ours(root: string): Promise<number> {
  const found = await checkInWorker({
    script: path.resolve('dist/checkBundle.js'),
    root,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  if (found.outsideFetchCount > 0) throw new Error('The site fetches nothing from outside');
  return found.brokenCount;
}

/** With what *Check Bundle* does too: fragments and style sheets. */
async function peer(root: string): Promise<number> {
  const { links } = await new LinkChecker().check({
    path: root,
    recurse: true,
    checkCss: true,
    checkFragments: true,
  });
  return new Set(links.flatMap(({ state, url }) => (state === LinkState.BROKEN ? [url] : []))).size;
}

async function oursOn(root: string): Promise<number> {
  await ours(root);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { ms, broken } = await timed(() => ours(root));
    if (broken !== BROKEN) throw new Error(`${broken} broken links found, not ${BROKEN}`);
    times.push(ms);
  }
  return median(times);
}

async function main(): Promise<void> {
  const rows: BenchRow[] = [];
  await withSite(PAGES, async (root) => {
    const peerRun = await timed(() => peer(root));
    if (peerRun.broken < BROKEN) throw new Error(`The peer found ${peerRun.broken} broken links`);
    rows.push(
      against({
        name: `Check Bundle: ${PAGES.toLocaleString('en')} pages`,
        unit: 'ms',
        ours: await oursOn(root),
        peer: peerRun.ms,
        peerName: 'linkinator, with fragments and CSS',
        goal: 0.3,
        note: `of ${BROKEN} broken links we report ${BROKEN}, the peer ${peerRun.broken}`,
      }),
    );
  });
  const few = (await withSite(FEW_PAGES, oursOn)) / FEW_PAGES;
  const many = (await withSite(MANY_PAGES, oursOn)) / MANY_PAGES;
  rows.push(
    bounded({
      name: `Check Bundle: time per page, ${MANY_PAGES.toLocaleString('en')} by ${FEW_PAGES} pages`,
      unit: 'ratio',
      ours: many / few,
      goal: 1.2,
      note: `${few.toFixed(2)} ms and ${many.toFixed(2)} ms a page; below 1, as the thread starts once`,
    }),
  );
  report(rows);
}

await main();
