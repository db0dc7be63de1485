/** A generated site for benchmarks. Its pages are as generators of docs write them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const PAGES_PER_FOLDER = 50;
const SECTIONS = 8;

/** Links that lead nowhere, on pages all over the site. */
export const BROKEN = 5;

const heading = (section: number): string => `section-${section}`;
/** Returns the path of a page. */
export const pathOf = (page: number): string =>
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

/**
 * Returns a page like those of real docs: head, navigation of its part, contents, text with links,
 * code, an image.
 */
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

/** Writes a site of a home page and this many other pages. */
export async function makeSite(root: string, pages: number): Promise<void> {
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

/** Lets `use` work on a site in a temporary folder, which is gone afterwards. */
export async function withSite<Result>(
  pages: number,
  use: (root: string) => Promise<Result>,
): Promise<Result> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'site-bench-'));
  try {
    await makeSite(root, pages);
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
