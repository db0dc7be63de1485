import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import type { BundleComparison } from '../../../../src/export/compare/comparison';
import {
  comparisonNodes,
  pageName,
  type ComparisonNode,
} from '../../../../src/export/compare/comparisonNodes';
import { aComparison } from '../../../builders/comparison';

const text = { change: 'text', addedLines: 12, removedLines: 3 } as const;
const changedPage = (path: string) => ({ before: path, after: path, title: 'Title', ...text });
const page = (path: string) => ({ path, title: `Title of ${path}` });
const brokenLink = (
  file: string,
  line: number,
  address: string,
): BundleComparison['links']['broken'][number] => ({
  file,
  line,
  column: 5,
  kind: 'link',
  address,
  reason: 'missing-file',
});

const rootsOf = (comparison: BundleComparison) => comparisonNodes(comparison, plainTranslate);

/** Returns the labels and descriptions of a tree, with its levels as indents. */
function drawn(nodes: readonly ComparisonNode[], indent = ''): string[] {
  return nodes.flatMap((node) => [
    `${indent}${node.line.label}${node.line.description && ` | ${node.line.description}`}`,
    ...drawn(node.children(), `${indent}  `),
  ]);
}

function allOf(nodes: readonly ComparisonNode[]): ComparisonNode[] {
  return nodes.flatMap((node) => [node, ...allOf(node.children())]);
}

function named(comparison: BundleComparison, label: string): ComparisonNode {
  const found = allOf(rootsOf(comparison)).find(({ line }) => line.label === label);
  return found ?? assert.fail(`no node ${label}`);
}

const everything = aComparison({
  pages: {
    changed: [changedPage('guides/install.html'), changedPage('index.html')],
    removed: [page('old.html')],
    added: [page('guides/new/index.html')],
    moved: [
      {
        before: 'a.html',
        after: 'b/a.html',
        title: 'A',
        similarity: 1,
        isRedirected: false,
        change: 'none',
        addedLines: 0,
        removedLines: 0,
      },
      {
        before: 'c.html',
        after: 'b/c.html',
        title: 'C',
        similarity: 0.9,
        isRedirected: true,
        ...text,
      },
    ],
    restyled: [{ before: 's.html', after: 's.html', title: 'S' }],
  },
  assets: {
    changed: [{ before: 'a.1.js', after: 'a.2.js', sizeBefore: 1000, sizeAfter: 2000 }],
    added: [{ path: 'new.png', sizeBytes: 3000 }],
    removed: [{ path: 'old.png', sizeBytes: 4000 }],
  },
  links: {
    broken: [
      brokenLink('guides/install.html', 7, '/old'),
      brokenLink('guides/install.html', 9, '/old#x'),
      brokenLink('index.html', 3, '/old'),
    ],
    mended: [{ ...brokenLink('index.html', 4, '/typo'), target: 'guides/type.html' }],
  },
  lostAddresses: [
    {
      page: 'old.html',
      title: 'Old',
      address: '/old',
      links: 3,
      isInOldSitemap: true,
      linkedFrom: ['index.html', 'guides/install.html'],
      redirect: { from: '/old', to: '/guides/new', status: 302 },
      because: 'similar',
    },
    {
      page: 'gone.html',
      title: 'Gone',
      address: '/gone',
      links: 1,
      isInOldSitemap: false,
      linkedFrom: ['index.html'],
    },
  ],
});

describe('comparisonNodes', () => {
  it('has a section for each kind of difference, the ones that need work first', () => {
    assert.deepEqual(drawn(rootsOf(everything)), [
      'Links that broke | 3',
      '  guides/install | 2',
      '    /old | line 7 · the bundle has no such file',
      '    /old#x | line 9 · the bundle has no such file',
      '  / | 1',
      '    /old | line 3 · the bundle has no such file',
      'Lost URLs | 2',
      '  /old | redirect to /guides/new (302)',
      '  /gone | no target for a redirect',
      'Changed pages | 2',
      '  guides/install | +12 −3 · Title',
      '  / | +12 −3 · Title',
      'Removed pages | 1',
      '  old | Title of old.html',
      'Added pages | 1',
      '  guides/new | Title of guides/new/index.html',
      'Moved pages | 2',
      '  b/a | from a · A',
      '  b/c | +12 −3 · from c · C',
      'Links that were mended | 1',
      '  / | 1',
      '    /typo | line 4 · leads to guides/type',
      'Pages that changed only around their text | 1',
      '  s | S',
      'Other files | 3',
      '  a.2.js | 1 KB → 2 KB',
      '  new.png | 3 KB',
      '  old.png | 4 KB',
    ]);
  });

  it('has no section for a kind without differences', () => {
    assert.deepEqual(rootsOf(aComparison()), []);
    const one = aComparison({ pages: { removed: [page('a.html')] } });
    assert.deepEqual(drawn(rootsOf(one)), ['Removed pages | 1', '  a | Title of a.html']);
  });

  it('says first that the bundles seem to be of different sites', () => {
    const comparison = aComparison({
      notes: [{ code: 'different-hosts', before: 'a.example.com', after: 'b.example.com' }],
      pages: { removed: [page('a.html')] },
    });
    const { line } = rootsOf(comparison)[0] ?? assert.fail('no note');
    assert.match(line.label, /different sites: a\.example\.com and b\.example\.com/);
    assert.equal(line.icon, 'warning');
  });

  const targets: readonly (readonly [label: string, target: ComparisonNode['target']])[] = [
    ['/old#x', { kind: 'place', side: 'after', file: 'guides/install.html', line: 9, column: 5 }],
    ['/typo', { kind: 'place', side: 'before', file: 'index.html', line: 4, column: 5 }],
    ['/gone', { kind: 'texts', before: 'gone.html' }],
    ['old', { kind: 'texts', before: 'old.html' }],
    ['guides/new', { kind: 'texts', after: 'guides/new/index.html' }],
    ['b/c', { kind: 'texts', before: 'c.html', after: 'b/c.html' }],
    // A diff of equal texts shows nothing.
    ['b/a', { kind: 'texts', before: undefined, after: 'b/a.html' }],
    ['s', { kind: 'files', before: 's.html', after: 's.html' }],
    ['a.2.js', { kind: 'files', before: 'a.1.js', after: 'a.2.js' }],
    ['old.png', { kind: 'files', before: 'old.png' }],
    ['new.png', { kind: 'files', after: 'new.png' }],
  ];
  for (const [label, target] of targets) {
    it(`opens ${JSON.stringify(target)} for ${label}`, () => {
      assert.deepEqual(named(everything, label).target, target);
    });
  }

  it('opens both texts of a changed page', () => {
    const comparison = aComparison({ pages: { changed: [changedPage('guides/install.html')] } });
    const both = { before: 'guides/install.html', after: 'guides/install.html' };
    assert.deepEqual(named(comparison, 'guides/install').target, { kind: 'texts', ...both });
  });

  it('tells screen readers in words what icons and signs mean', () => {
    const spoken = allOf(rootsOf(everything)).map(({ line }) => line.spoken);
    for (const words of [
      'Links that broke: 3',
      'Broken link /old · guides/install · line 7 · the bundle has no such file',
      'Lost URL /old · Old · redirect to /guides/new (302) · 3 links lead to it · the old sitemap lists it',
      'Changed page · Title · / · lines added: 12, lines removed: 3',
      'Removed page · Title of old.html · old',
      'Moved page · A · b/a · from a',
      'Page that changed only around its text · S · s',
      'Removed file · old.png · 4 KB',
    ]) {
      assert.ok(spoken.includes(words), `“${words}” is not among ${spoken.join('\n')}`);
    }
  });

  // Shows faults.md R8.
  it('never shows a text of the bundle as an icon or a second line', () => {
    const title = 'An $(error)\nin two lines';
    const comparison = aComparison({ pages: { removed: [{ path: 'a$(x).html', title }] } });
    const [label] = drawn(rootsOf(comparison)).slice(1);
    assert.equal(label, '  a$ (x) | An $ (error) in two lines');
  });

  it('groups a long section by folder, without folders of one page', () => {
    const paths = [
      ...Array.from({ length: 60 }, (_, i) => `guides/deep/page-${i}.html`),
      ...Array.from({ length: 60 }, (_, i) => `guides/other/page-${i}.html`),
      'reference/api/one.html',
      'start.html',
    ];
    const [section] = rootsOf(aComparison({ pages: { added: paths.map(page) } }));
    const rows = section?.children() ?? [];
    assert.deepEqual(
      rows.map(({ line }) => line.label),
      ['guides', 'reference/api/one', 'start'],
    );
    assert.deepEqual(
      rows[0]?.children().map(({ line }) => `${line.label} ${line.description}`),
      ['deep 60', 'other 60'],
    );
    assert.equal(rows[0].children()[0]?.children()[7]?.line.label, 'page-7');
  });

  // Shows faults.md R4.
  it('shows 1,000 of 200,000 pages of a folder, and says how many more there are', () => {
    const added = Array.from({ length: 50_000 }, (_, i) => page(`page-${i}.html`));
    const comparison = aComparison({ pages: { added }, counts: { addedPages: 200_000 } });
    const rows = rootsOf(comparison)[0]?.children() ?? [];
    assert.equal(rows.length, 1001);
    assert.equal(rows.at(-1)?.line.label, '199,000 more. The comparison saved as JSON lists all.');
  });

  it('has no duplicate ID, which VS Code would refuse', () => {
    const comparison = aComparison({
      ...everything,
      pages: { ...everything.pages, added: [page('a.html'), page('a/index.html')] },
    });
    const ids = allOf(rootsOf(comparison)).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, ids.join('\n'));
    assert.ok(!ids.includes(''));
  });
});

describe('pageName', () => {
  for (const [path, name] of [
    ['index.html', '/'],
    ['guides/index.html', 'guides'],
    ['guides/install.html', 'guides/install'],
    ['a.htm', 'a'],
    ['data.xml', 'data.xml'],
  ] as const) {
    it(`is ${name} for ${path}`, () => {
      assert.equal(pageName(path), name);
    });
  }
});
