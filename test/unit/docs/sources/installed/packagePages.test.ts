import assert from 'node:assert/strict';
import path from 'node:path';
import type { PageFile } from '../../../../../src/docs/sources/docsFolder';
import {
  type FileEntry,
  type PackageFiles,
  pathWithin,
} from '../../../../../src/docs/sources/installed/packageFiles';
import {
  findPackagePages,
  isPlaceOfPage,
  MAX_PACKAGE_PAGES,
} from '../../../../../src/docs/sources/installed/packagePages';
import { RecordingLog } from '../../../../fakes/recordingLog';

/** Files of a package in memory, by path. */
class MemoryFiles implements PackageFiles {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #refused: string | undefined;

  constructor(texts: Readonly<Record<string, string>>, refused?: string) {
    this.#texts = new Map(Object.entries(texts));
    this.#refused = refused;
  }

  entries(folder: string): Promise<readonly FileEntry[]> {
    if (folder === this.#refused)
      return Promise.reject(Object.assign(new Error('refused'), { code: 'EACCES' }));
    const found = new Map<string, FileEntry>();
    for (const file of this.#texts.keys()) {
      const rest = path.posix.relative(folder, file);
      const [name = '', ...more] = rest.split('/');
      if (name !== '..') found.set(name, { name, kind: more.length > 0 ? 'folder' : 'file' });
    }
    return Promise.resolve([...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  kindOf(file: string): Promise<FileEntry['kind'] | undefined> {
    if (this.#texts.has(file)) return Promise.resolve('file');
    const isFolder = [...this.#texts.keys()].some((other) => other.startsWith(`${file}/`));
    return Promise.resolve(isFolder ? 'folder' : undefined);
  }

  readBytes(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const text = this.#texts.get(file);
    return Promise.resolve(text === undefined ? undefined : new TextEncoder().encode(text));
  }

  readPage(): Promise<PageFile | undefined> {
    return Promise.resolve(undefined);
  }

  stamp(): Promise<string | undefined> {
    return Promise.resolve('1');
  }
}

const none = new AbortController().signal;

async function pathsIn(
  texts: Readonly<Record<string, string>>,
  docs: readonly string[] = [],
  log = new RecordingLog(),
  refused?: string,
): Promise<readonly string[]> {
  const files = new MemoryFiles(texts, refused);
  return (await findPackagePages(files, { name: '@acme/sdk', docs }, log, none)).paths;
}

const filesNamed = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, '# Title']));

describe('pages of a package', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['begin with its readme', ['API.md', 'README.md'], ['README.md', 'API.md']],
    [
      'are in its folders with docs',
      ['ai-docs/a.md', 'Docs/b.mdx', 'dist/docs/c/d.md', 'guide/e.md', 'guides/f.markdown'],
      ['Docs/b.mdx', 'ai-docs/a.md', 'guide/e.md', 'guides/f.markdown', 'dist/docs/c/d.md'],
    ],
    [
      'end with its changelog, and have its guides to new versions',
      ['CHANGELOG.md', 'HISTORY.md', 'MIGRATION.md', 'UPGRADING.md', 'readme.markdown'],
      ['readme.markdown', 'MIGRATION.md', 'UPGRADING.md', 'CHANGELOG.md', 'HISTORY.md'],
    ],
    [
      'are no files about its project',
      ['LICENSE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md', 'GOVERNANCE.md'],
      [],
    ],
    ['are a readme without an ending', ['README', 'package.json'], ['README']],
    ['are one readme of two forms', ['README', 'README.md'], ['README.md']],
    ['are a readme of reStructuredText, if there is no other', ['README.rst'], ['README.rst']],
    ['are the readme of Markdown of both', ['README.md', 'README.rst'], ['README.md']],
    [
      'are the readme in one language',
      ['README.md', 'README.zh-CN.md', 'README_de.md'],
      ['README.md'],
    ],
    ['are notes for agents once', ['AGENTS.md', 'CLAUDE.md'], ['AGENTS.md']],
    [
      'are no examples, fixtures, tests or other packages',
      [
        'docs/a.md',
        'docs/examples/b.md',
        'docs/x/fixtures/c.md',
        'docs/tests/d.md',
        'docs/__tests__/e.md',
        'docs/node_modules/x/README.md',
        'docs/.vitepress/f.md',
        'examples/g.md',
        'src/h.md',
        'docs/testing/i.md',
      ],
      ['docs/a.md', 'docs/testing/i.md'],
    ],
    [
      'have no names with control characters',
      ['docs/a\n.md', 'a\u001B.md', 'docs/b.md'],
      ['docs/b.md'],
    ],
  ];
  for (const [what, files, pages] of cases) {
    it(what, async () => assert.deepEqual(await pathsIn(filesNamed(...files)), pages));
  }

  it('are no readme of a package with types only, which says nothing about them', async () => {
    const files = new MemoryFiles(filesNamed('README.md', 'index.d.ts'));
    const found = await findPackagePages(
      files,
      { name: '@types/acme', docs: [] },
      new RecordingLog(),
      none,
    );
    assert.deepEqual(found.paths, []);
  });

  it('are where its manifest says', async () => {
    const files = filesNamed('manual/a.md', 'other/b.md');
    assert.deepEqual(await pathsIn(files, ['./manual/']), ['manual/a.md']);
  });

  it('are where its llms.txt and AGENTS.md say', async () => {
    const files = {
      ...filesNamed('lib/reference/a.md', 'lib/b.md', 'notes/c d.md', 'other/e.md'),
      'llms.txt':
        '- [A](./lib/reference/) \n- [C](notes/c%20d.md#part) [X](https://x.dev/other/e.md)',
      'AGENTS.md': 'Read `node_modules/@acme/sdk/lib/b.md` first, `npm` and `other`.',
    };
    assert.deepEqual(await pathsIn(files), [
      'AGENTS.md',
      'lib/b.md',
      'notes/c d.md',
      'lib/reference/a.md',
    ]);
  });

  it('are where the llms.txt that the manifest names says, by the folder of that file', async () => {
    const files = { ...filesNamed('dist/text/a.md'), 'dist/llms.txt': '[A](text/a.md)' };
    assert.deepEqual(await pathsIn(files, ['dist/llms.txt']), ['dist/text/a.md']);
  });

  it('are never outside the package or in another one, whatever the package names', async () => {
    const files = {
      ...filesNamed('README.md', '../secret.md', 'node_modules/x/README.md', '.git/a.md'),
      'llms.txt':
        '[a](../secret.md) [b](%2e%2e/secret.md) [c](/../secret.md) `..\\secret.md` `node_modules/x/README.md` `.git/a.md` [d](.) `./`',
    };
    assert.deepEqual(await pathsIn(files, ['..', '/', '../secret.md']), ['README.md']);
  });

  it(`are ${MAX_PACKAGE_PAGES} at most, which the log says`, async () => {
    const names = Array.from({ length: MAX_PACKAGE_PAGES + 5 }, (_, count) => `docs/${count}.md`);
    const log = new RecordingLog();
    const pages = await pathsIn(filesNamed('README.md', ...names), [], log);
    assert.equal(pages.length, MAX_PACKAGE_PAGES);
    assert.equal(pages[0], 'README.md');
    assert.deepEqual(log.messages(), ['Left out 6 pages: the limit is 3000']);
  });

  it('are those of the other folders if one can not be read, which the log says', async () => {
    const log = new RecordingLog();
    const files = filesNamed('docs/a.md', 'docs/secret/b.md', 'docs/z/c.md');
    assert.deepEqual(await pathsIn(files, [], log, 'docs/secret'), ['docs/a.md', 'docs/z/c.md']);
    assert.deepEqual(log.messages(), [`Can't read the folder docs/secret: EACCES`]);
  });

  it('end for folders that are a thousand deep', async () => {
    const files = filesNamed('docs/a.md', `docs/${'b/'.repeat(1000)}c.md`);
    assert.deepEqual(await pathsIn(files), ['docs/a.md']);
  });
});

describe('isPlaceOfPage', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['README.md', true],
    ['LICENSE.md', false],
    ['docs/a.md', true],
    ['docs/b/a.txt', false],
    ['docs/examples/a.md', false],
    ['manual/a.md', true],
    ['manually/a.md', false],
    ['src/a.md', false],
  ];
  for (const [file, isPage] of cases) {
    it(`is ${isPage} for ${file}`, () => assert.equal(isPlaceOfPage(file, ['manual']), isPage));
  }
});

describe('pathWithin', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['./docs/', 'docs'],
    ['docs/../docs/a.md', 'docs/a.md'],
    ['/docs', 'docs'],
    ['.', ''],
    ['..', undefined],
    ['docs/../../x', undefined],
    ['docs\\..\\..\\x', undefined],
    ['a\0b', undefined],
    ['..docs', '..docs'],
  ];
  for (const [written, within] of cases) {
    it(`is ${String(within)} for ${JSON.stringify(written)}`, () =>
      assert.equal(pathWithin(written), within));
  }
});
