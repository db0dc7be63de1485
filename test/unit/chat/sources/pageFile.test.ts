import assert from 'node:assert/strict';
import {
  isPageOf,
  matchPageFiles,
  outlineOf,
  sectionQuote,
  type PageHints,
} from '../../../../src/chat/sources/pageFile';

const certain = (files: readonly string[], pathname: string, hints?: PageHints) =>
  matchPageFiles(files, pathname, hints)
    .filter(({ isCertain }) => isCertain)
    .map(({ path }) => path);
const uncertain = (files: readonly string[], pathname: string) =>
  matchPageFiles(files, pathname)
    .filter(({ isCertain }) => !isCertain)
    .map(({ path }) => path);

describe('a page’s own file', () => {
  for (const [name, file, pathname] of [
    ['the same path', 'guides/start.md', '/guides/start'],
    ['MDX', 'guides/start.mdx', '/guides/start'],
    ['a slash at the end', 'guides/start.md', '/guides/start/'],
    ['an ending', 'guides/start.md', '/guides/start.html'],
    ['a folder’s page', 'guides/index.mdx', '/guides/'],
    ['a folder’s page by name', 'guides/index.md', '/guides/index.html'],
    ['a folder’s README', 'guides/README.md', '/guides'],
    ['a folder’s page with the folder’s name', 'guides/guides.md', '/guides'],
    ['the first page', 'index.md', '/'],
    ['the first page below a base', 'index.md', '/docs/'],
    ['a base in the address', 'guides/start.md', '/docs/guides/start'],
    ['a base in the path', 'content/docs/guides/start.md', '/guides/start'],
    ['a language in the address', 'guides/start.md', '/en/guides/start'],
    ['a language in the path', 'en/guides/start.md', '/guides/start'],
    ['a region', 'pt-BR/guides/start.md', '/guides/start'],
    ['a version in the address', 'guides/start.md', '/v2/guides/start'],
    ['a version in the path', 'v2/en/guides/start.md', '/guides/start'],
    ['both, in another order', 'en/v2/guides/start.md', '/v2/en/guides/start'],
    ['numbered names', '02-guides/01-start.md', '/guides/start'],
    ['numbers in both', '02-guides/01-start.md', '/02-guides/01-start'],
    ['a route group', '(public)/guides/start.mdx', '/guides/start'],
    ['encoded letters', 'guides/größe.md', '/guides/gr%C3%B6%C3%9Fe'],
    ['upper case', 'Guides/Start.md', '/guides/start'],
    ['two letters that are no language', 'sdk/go.md', '/docs/sdk/go'],
  ] as const) {
    it(`is found by ${name}`, () => {
      assert.deepEqual(certain(['other/page.md', file, 'guides/other.md'], pathname), [file]);
    });
  }

  it('has the version and language of the URL', () => {
    const files = ['v1/en/limits.md', 'v2/de/limits.md', 'v2/en/limits.md'];
    assert.deepEqual(certain(files, '/v1/en/limits'), ['v1/en/limits.md']);
    assert.deepEqual(certain(files, '/docs/v2/de/limits'), ['v2/de/limits.md']);
    assert.deepEqual(matchPageFiles(files, '/v3/en/limits'), []);
    assert.deepEqual(matchPageFiles(['de/limits.md'], '/fr/limits'), []);
  });

  it('is of the set version and language, else the newest in English, where the address has none', () => {
    const files = ['v1/en/limits.md', 'v10/de/limits.md', 'v10/en/limits.md', 'v2/en/limits.md'];
    assert.equal(certain(files, '/limits')[0], 'v10/en/limits.md');
    assert.equal(certain(files, '/limits', { version: '2', language: 'en' })[0], 'v2/en/limits.md');
    assert.equal(certain(files, '/limits', { language: 'de' })[0], 'v10/de/limits.md');
    assert.equal(
      certain(['versioned_docs/version-1.0/limits.md', 'docs/limits.md'], '/limits')[0],
      'docs/limits.md',
    );
  });

  it('is uncertain if only the URL or only the path has a folder', () => {
    assert.deepEqual(uncertain(['start.md'], '/product/start'), ['start.md']);
    assert.deepEqual(uncertain(['handbook/start.md'], '/start'), ['handbook/start.md']);
    assert.equal(
      matchPageFiles(['start.md', 'guides/start.md'], '/product/guides/start')[0]?.path,
      'guides/start.md',
    );
  });

  it('is never another folder’s page of the same name', () => {
    assert.deepEqual(matchPageFiles(['guides/errors.md'], '/api/errors'), []);
    assert.deepEqual(matchPageFiles(['index.md', 'guides/index.md'], '/api/'), []);
  });

  it('is never what an odd address names', () => {
    const files = ['../secret.md', 'a/secret.md', 'secret.md', 'start.ts', 'node.json'];
    for (const pathname of ['/../secret', '/%2e%2e/secret', '/a%2fsecret', '/a%5csecret', '/%zz']) {
      assert.deepEqual(matchPageFiles(files, pathname), [], pathname);
    }
    assert.deepEqual(matchPageFiles(files, '/start'), []);
  });

  it('is known by its heading or by its title', () => {
    const outline = outlineOf('start.md', '---\ntitle: "Get started"\n---\n\n## Install it\n');
    assert.ok(isPageOf(outline, { fragment: '#install-it' }));
    assert.ok(isPageOf(outline, { fragment: '', title: 'Get Started › Install' }));
    assert.ok(isPageOf(outline, { fragment: '#gone', title: 'Acme docs: get started' }));
    assert.ok(!isPageOf(outline, { fragment: '', title: 'Restarted' }));
    assert.ok(!isPageOf(outline, { fragment: '' }));
  });
});

describe('the quote of a section in a page’s file', () => {
  const page = `---
title: Keys
---
import Note from './note';

Keys open doors.

## Rotate

### By hand

Rotate **each** [key](../x.md) every 90 days:

- first \`the old\`
- then the new

\`\`\`sh
# rotate
rotate --all
\`\`\`

## Revoke

At once.
`;
  const prose = (text: string) => ({ text, isCode: false });
  const quoteOf = (fragment: string, maxLength = 600) =>
    sectionQuote(page, outlineOf('keys.mdx', page), fragment, maxLength);

  it('is the text below its heading, without marks, and its code apart', () => {
    assert.deepEqual(quoteOf('#rotate'), [
      prose('Rotate each key every 90 days:\n• first the old\n• then the new'),
      { text: '# rotate\nrotate --all', isCode: true },
    ]);
    assert.deepEqual(quoteOf('#revoke'), [prose('At once.')]);
  });

  it('is the start of the page without a heading', () => {
    assert.deepEqual(quoteOf(''), [prose('Keys open doors.')]);
    assert.deepEqual(quoteOf('#gone'), [prose('Keys open doors.')]);
  });

  it('is cut between words, and all of its blocks together', () => {
    assert.deepEqual(quoteOf('#rotate', 20), [prose('Rotate each key …')]);
    assert.deepEqual(quoteOf('#rotate', 72)?.at(-1), { text: '# rotate …', isCode: true });
    const [first] = quoteOf('#rotate') ?? [];
    assert.ok(first);
    for (const more of [0, 1, 2])
      assert.deepEqual(quoteOf('#rotate', first.text.length + more), [first]);
  });

  it('is cut anywhere where no words are parted', () => {
    const unspaced = `# T\n\n概要 ${'鍵'.repeat(200)}`;
    const quote = sectionQuote(unspaced, outlineOf('t.md', unspaced), '', 100);
    assert.deepEqual(quote, [prose(`概要 ${'鍵'.repeat(95)} …`)]);
  });

  it('is nothing for an empty page', () => {
    assert.equal(sectionQuote('# T\n', outlineOf('t.md', '# T\n'), '', 100), undefined);
  });
});
