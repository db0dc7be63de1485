/** Made-up docs for benchmarks of searches, in words as rare and as frequent as those of a language. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { silentLog } from '../../src/common/ports';
import { renderSite } from '../../src/service/export/site/siteRenderer';
import { seededRandom } from '../builders/seededRandom';

const SECTIONS = 8;
const WORDS_A_SECTION = 110;
const VOCABULARY = 20_000;
const PAGES_A_FOLDER = 100;

const random = seededRandom(11);
const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');

/** The n-th word is n times rarer than the first. */
const words = Array.from({ length: VOCABULARY }, (_, rank) => {
  let word = '';
  for (let rest = rank + 20; rest > 0; rest = Math.floor(rest / 20))
    word += syllables[rest % 20] ?? '';
  return word;
});

const word = (): string => words[Math.floor(VOCABULARY ** (random(10_000) / 10_000)) - 1] ?? '';

/** Returns a rare and a less rare word, as a search has them. */
export const query = (): string => `${words[900 + random(4000)]} ${words[200 + random(700)]}`;

/** Words of a heading that one page has, which every search must find. */
export const KNOWN_HEADING = `${words[2000]} ${words[3000]}`;

const text = (): string =>
  Array.from({ length: WORDS_A_SECTION }, (_, at) => word() + (at % 11 === 10 ? '.' : '')).join(
    ' ',
  );

function pageMarkdown(page: number): string {
  const sections = Array.from({ length: SECTIONS }, (_, section) => {
    const heading = page === 5 && section === 3 ? KNOWN_HEADING : `${word()} ${word()}`;
    return `## ${heading}\n\n${text()}\n`;
  });
  return `# ${word()} ${page}\n\n${sections.join('\n')}`;
}

/** Path of a page of the site. */
export const SOME_PAGE = 'part-0/page-0.html';

/**
 * Writes so many pages as Markdown into `docs` and exports them to `site`, both below the folder.
 * @returns the folder of the site.
 */
export async function writeMadeUpSite(folder: string, pages: number): Promise<string> {
  const docs = path.join(folder, 'docs');
  const site = path.join(folder, 'site');
  const write = async (file: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  };
  for (let page = 0; page < pages; page++) {
    const part = `part-${Math.floor(page / PAGES_A_FOLDER)}`;
    await write(path.join(docs, part, `page-${page}.md`), pageMarkdown(page));
  }
  await renderSite({
    root: docs,
    siteHost: 'made-up.localhost',
    signal: new AbortController().signal,
    log: silentLog,
    write: ({ path: name, content }) => write(path.join(site, name), content),
    onProgress: () => undefined,
  });
  return site;
}
