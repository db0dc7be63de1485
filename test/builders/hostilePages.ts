/**
 * Pages of one shape each, of any length, with which a reader's time could grow faster than the page. The readers are
 * the functions through which all pages of others go.
 */
import { SetIndex } from '../../src/docs/search/setIndex';
import { absoluteLinks } from '../../src/docs/pages/links';
import { parsePage } from '../../src/docs/pages/page';
import { renderPage } from '../../src/docs/pages/pageHtml';
import { readLlmsIndex } from '../../src/docs/sources/site/llmsIndex';
import { splitLlmsFull } from '../../src/docs/sources/site/llmsFull';
import { readSitemap } from '../../src/docs/sources/site/sitemap';

const noPause = (): Promise<void> => Promise.resolve();
const anyPage = parsePage('any.md', '# Any\n');

export const pageReaders = {
  Markdown: (text: string) => {
    const page = parsePage('page.md', text);
    renderPage(page, text, (href) => href);
    absoluteLinks(text, new SetIndex(), anyPage, { write: (href) => href });
  },
  MDX: (text: string) => void parsePage('page.mdx', text),
  HTML: (text: string) => void parsePage('page.html', text),
  'llms-full.txt': async (text: string) => {
    for await (const { title, markdown } of splitLlmsFull(text, 'https://x.dev/', noPause))
      parsePage(`${title}.md`, markdown);
    readLlmsIndex(text, 'https://x.dev/', 100_000);
    await readSitemap(text, 100_000, noPause);
  },
} as const satisfies Record<string, (text: string) => void | Promise<void>>;

export type PageReader = keyof typeof pageReaders;

export interface PageShape {
  readonly name: string;
  readonly start?: string;
  readonly unit: string;
  readonly end?: string;
}

/** Returns a page of a shape, with about so many characters. */
export function pageOf({ start = '', unit, end = '' }: PageShape, length: number): string {
  return start + unit.repeat(Math.ceil(length / unit.length)) + end;
}

const blanks = ' '.repeat(2000);

/** Shapes for each reader. Each took the square of its length once, or more. */
export const pageShapes: readonly PageShape[] = [
  { name: 'a rule and empty lines', start: '# A\n\n---', unit: '\n' },
  { name: 'rules', unit: '---\n' },
  { name: 'empty lines before a tag', start: 'a', unit: '\n', end: 'b <b>' },
  { name: 'headings of blanks', unit: `# a${blanks}b\n` },
  { name: 'blanks in a line', start: 'a <b>b</b>', unit: ' ', end: 'c' },
  { name: 'code with tags', start: '<pre>', unit: '&lt;a\n', end: '</pre>' },
  { name: 'headings', start: '<main>', unit: '<h1>x</h1>' },
  { name: 'equal titles', unit: '# Same\n\ntext\n\n' },
  { name: 'tags of a template in a line', unit: '{{< a >}}' },
  { name: 'tags of a template without an end', unit: '{% a b=\n{{< a ' },
  { name: 'blocks of slashes', unit: '/// a | b\n' },
  { name: 'blocks of MDC', unit: '::a\n---\n::\n' },
  { name: 'blocks of MDC without an end', unit: '::a\n', end: '::\n' },
  { name: 'included files', unit: '{{#include a.md:b}}\n' },
  { name: 'opening brackets', unit: '[' },
  { name: 'opening images', unit: '![' },
  { name: 'opening links', unit: '[a](' },
  { name: 'links of links', unit: '[a][' },
  { name: 'opening elements', unit: '<div>\n' },
  { name: 'opening components', unit: '<A><B>\n' },
  { name: 'components, closed', unit: '<A>\n', end: '</A>\n' },
  { name: 'closing tags', start: '<b><i><A>\n', unit: '</x>' },
  { name: 'comments without an end', unit: '<!--\n\n' },
  { name: 'scripts without an end', unit: '<script\n\n' },
  { name: 'tags without an end', unit: '<a ' },
  { name: 'tags on a line', unit: 'x <b>y</b> ' },
  { name: 'quotes and tags on a line', start: '>'.repeat(500), unit: '<b></b>' },
  { name: 'nested quotes', unit: '<blockquote>', end: 'x' },
  { name: 'nested lists', unit: '<ul><li>', end: 'x' },
  { name: 'rows of a wide table', start: `<table><tr>${'<td>a'.repeat(1000)}`, unit: '<tr><td>b' },
  { name: 'cells that span', start: '<table>', unit: '<tr><td colspan=50 rowspan=50>a' },
  { name: 'tabs', start: '<main>', unit: '<div role="tablist"><div role="tab">x</div></div>' },
  { name: 'tab sets', start: '<main>', unit: '<div class="tabbed-set"><label>a</label>' },
  { name: 'blocks of code', start: `<main>${'<p>x</p>'.repeat(500)}`, unit: '<pre>x</pre>' },
  { name: 'a long word in an attribute', start: '<Card note="', unit: 'a', end: '" />\n' },
  { name: 'a long language', start: '<html lang="en', unit: '_', end: '!"><body>x' },
  {
    name: 'a title of dashes',
    start: '<meta property="og:site_name" content="S"><title>a',
    unit: '-',
    end: 'b S</title>',
  },
  { name: 'expressions without an end', unit: '{\n\n' },
  { name: 'modules without an end', unit: 'export {\n\n' },
  { name: 'constants', unit: 'export const a = {b: 1}\n' },
  { name: 'a string of escapes', start: 'export const a = "', unit: '\\a', end: '\n\nx' },
  { name: 'links that are no MDX', start: '<a\n', unit: '<https://a' },
  { name: 'an included file and blanks', start: '<<< a', unit: ' ', end: 'x' },
  { name: 'a note and blanks', start: '!!! a', unit: ' ', end: '"x' },
  { name: 'a note of one word', start: '!!! ', unit: 'a', end: '"x' },
  { name: 'a fence with a long word', start: '```js ', unit: 'a', end: '\nx\n```\n' },
  { name: 'fences with braces', start: '```js ', unit: '{', end: '\nx\n```\n' },
  { name: 'lists of attributes', unit: '[a](b){: .c }' },
  { name: 'lists of attributes in a heading', start: '# a {: ', unit: '.b ', end: '}\n' },
  { name: 'lists of attributes without an end', unit: '[a](b){ .c=' },
  { name: 'definitions', unit: 'a\n: b\n' },
  { name: 'definitions of one term', start: 'a\n', unit: ': b\n' },
  { name: 'terms without a definition', unit: 'a\n', end: ': b\n' },
  { name: 'imports', unit: "import a from 'b'\n" },
  { name: 'an import without an end', start: 'import a', unit: ' from ', end: '\n' },
  { name: 'backticks of one length', unit: '` a ``` ' },
  { name: 'front matter of many keys', start: '---\n', unit: 'k: 1\n', end: '---\n' },
  { name: 'elements of a sitemap', unit: '<a>' },
  { name: 'URLs without titles', unit: 'Source: https://x.dev/a\n' },
];
