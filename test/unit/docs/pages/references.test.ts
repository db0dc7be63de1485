import assert from 'node:assert/strict';
import { absoluteLinks, resolveLink, sectionFragment } from '../../../../src/docs/pages/links';
import { type DocsPage, parsePage } from '../../../../src/docs/pages/page';
import { SetIndex } from '../../../../src/docs/search/setIndex';

const definitions = '[Big owl]: https://x.dev/owl "Owl"\n[k]: <https://x.dev/k>';

/** Returns a text of a page with these definitions as it stands in a reply. */
function replied(markdown: string): string {
  const page = parsePage('birds.md', `${markdown}\n\n${definitions}`);
  return absoluteLinks(markdown, new SetIndex(), page, { write: (href) => href });
}

describe('References in a text of a page', () => {
  it('are links, in each of the three forms', () => {
    assert.equal(
      replied('An [owl][big Owl], a [big\nowl][] and a [Big owl].'),
      'An [owl](https://x.dev/owl), a [big\nowl](https://x.dev/owl) and a [Big owl](https://x.dev/owl).',
    );
    assert.equal(replied('![k] and [[k]]'), '[k](https://x.dev/k) and [[k](https://x.dev/k)]');
  });

  it('are links around the text of an image', () => {
    assert.equal(
      replied('[![An owl][k]](./owl.md) and [![](a.png)](https://x.dev/a)'),
      '[An owl](/docs/owl.md) and [image](https://x.dev/a)',
    );
    const long = `[![a](${'b'.repeat(2001)})](https://x.dev/a)`;
    assert.equal(replied(long), long);
    assert.equal(replied('[`![k]`](https://x.dev/a)'), '[`![k]`](https://x.dev/a)');
  });

  it('leave their definitions out of the text', () => {
    assert.equal(
      replied(`- [k]\n- b\n\n  [k]: https://x.dev/k\n  [Big owl]: https://x.dev/owl "Owl"\n\n- c`),
      '- [k](https://x.dev/k)\n- b\n\n\n- c',
    );
  });

  it('are told from other text in brackets', () => {
    for (const text of [
      '[x] and [ ] and [constructor]',
      '`[k]` \\[k\\]',
      '[k](',
      `[${'k'.repeat(2000)}]`,
    ])
      assert.equal(replied(text), text.replace(/^\[k\]\($/, '[k](https://x.dev/k)('));
    assert.equal(replied('[k]: is a bird'), '[k](https://x.dev/k): is a bird');
  });
});

describe('A link to a file that a package has in its repository only', () => {
  const folder = 'https://github.com/acme/birds/blob/HEAD/packages/owl/';
  const index = new SetIndex();
  index.roots = {
    contentFolder: '',
    basePaths: [],
    publicFolders: [],
    web: { folder, site: undefined },
  };
  index.put(parsePage('guide/start.md', '# Start\n\nBegin.'));
  const page = parsePage('guide/more (1).md', '# More\n\nGo on.');
  index.put(page);
  const led = (href: string): string => resolveLink(index, page, href);

  it('leads there, from the folder of the page, also above that of the package', () => {
    assert.equal(led('wing.md?plain=1#bones'), `${folder}guide/wing.md?plain=1#bones`);
    assert.equal(led('../LICENSE'), `${folder}LICENSE`);
    assert.equal(
      led('../../duck/a b.md'),
      'https://github.com/acme/birds/blob/HEAD/packages/duck/a%20b.md',
    );
  });

  it('leads nowhere else', () => {
    const outside = '../../../../../../other/repository';
    assert.equal(led(outside), outside);
    assert.equal(led('https://x.dev/a.md'), 'https://x.dev/a.md');
    assert.equal(led('//x.dev/a.md'), '//x.dev/a.md');
    assert.equal(led('/docs/fly.md'), '/docs/docs/fly.md');
    assert.equal(led(''), '');
  });

  it('leads to the page or its section if the package has it, and to images beside the pages', () => {
    assert.equal(led('start.md'), '/docs/guide/start');
    assert.equal(led('start'), '/docs/guide/start');
    assert.equal(led('#more'), '/docs/guide/more%20(1)#more');
    assert.equal(led('owl.PNG'), '/docs/guide/owl.PNG');
  });
});

describe('A link from the root of the site that publishes a package’s docs', () => {
  const index = new SetIndex();
  const page = parsePage('guide/start.md', '# Start\n\nBegin.');
  index.put(page);

  it('leads there unless the package has the page', () => {
    index.roots = {
      contentFolder: '',
      basePaths: [],
      publicFolders: [],
      web: { folder: undefined, site: 'https://birds.dev' },
    };
    assert.equal(resolveLink(index, page, '/api/owl?a=b#c'), 'https://birds.dev/api/owl?a=b#c');
    assert.equal(resolveLink(index, page, '/guide/start'), '/docs/guide/start');
    assert.equal(resolveLink(index, page, 'wing.md'), '/docs/guide/wing.md');
  });
});

describe('A link to a page that a site publishes', () => {
  const index = new SetIndex();
  const published = (path: string): DocsPage => ({
    ...parsePage(path, '# Page\n\n## Rotate'),
    canonicalUrl: `http://127.0.0.1:8765/${path.replace('.md', '')}`,
  });
  const page = published('start.md');
  for (const each of [page, published('keys.md'), parsePage('draft.md', '# Draft')])
    index.put(each);
  const markdown = '[a](/keys) [b](keys.md#rotate) [c](draft.md)';
  const write = (href: string): string => `127.0.0.1:8765${href}`;

  it('has its URL there, as a source has, if the addresses only name pages', () => {
    assert.equal(
      absoluteLinks(markdown, index, page, { write, linksToSite: true }),
      '[a](http://127.0.0.1:8765/keys) [b](http://127.0.0.1:8765/keys#rotate) [c](127.0.0.1:8765/docs/draft)',
    );
  });

  it('leads to a service that shows the page', () => {
    assert.match(
      absoluteLinks(markdown, index, page, { write }),
      /^\[a\]\(127.0.0.1:8765\/docs\/keys\)/,
    );
  });
});

describe('A link to a section of a page', () => {
  const page = parsePage('birds.md', '# Birds\n\nBoth.\n\n## Owls & Wrens\n\nBirds.');
  for (const [written, fragment] of [
    ['#owls--wrens', '#owls--wrens'],
    ['#Owls--Wrens', '#owls--wrens'],
    ['#owls-wrens', '#owls--wrens'],
    ['#ducks', '#ducks'],
    ['', ''],
  ] as const) {
    it(`leads to “${fragment}” if it is written “${written}”, as other generators may`, () =>
      assert.equal(sectionFragment(page, written), fragment));
  }
});
