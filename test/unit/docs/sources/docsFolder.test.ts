import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isBundleFolder } from '../../../../src/docs/sources/docsFolder';

describe('isBundleFolder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-folder-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const cases: readonly (readonly [name: string, files: readonly string[], isBundle: boolean])[] = [
    ['a site', ['index.html', 'guide/start.html'], true],
    ['a site below a folder of an archive', ['site/index.html', 'site/guide/start.html'], true],
    ['a site with its pages as Markdown', ['index.html', 'index.md', 'a.html', 'a.md'], true],
    ['a site with a file of its fonts', ['index.html', '_static/fonts/README.md'], true],
    ['Markdown', ['index.md', 'guide/start.mdx'], false],
    ['Markdown with a page that shows it', ['index.html', 'a.md', 'guide/b.md'], false],
    ...[
      'docusaurus.config.js',
      'astro.config.mjs',
      'next.config.ts',
      'hugo.toml',
      'mkdocs.yml',
      '_config.yml',
      'book.toml',
    ].map(
      (file) =>
        [
          `a project with ${file} and its build`,
          [file, 'docs/a.md', 'build/index.html', 'build/404.html'],
          false,
        ] as const,
    ),
    ['a bundle with the navigation of its docs', ['docs.json', 'index.html', 'index.md'], true],
    [
      'the build of a project without Markdown',
      ['conf.py', 'index.rst', '_build/index.html'],
      true,
    ],
    ['a site with an example of a configuration', ['index.html', 'a.md', 'x/mkdocs.yml'], true],
    ['a project with a site in its hidden folder', ['a.md', '.site/a.html', '.site/b.html'], false],
    ['nothing', ['notes.txt'], false],
  ];
  for (const [name, files, isBundle] of cases) {
    it(`says ${isBundle ? 'yes' : 'no'} to ${name}`, async () => {
      for (const file of files) {
        await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
        await writeFile(path.join(folder, file), '');
      }
      assert.equal(await isBundleFolder(folder), isBundle);
    });
  }

  it('says no to a folder that is gone', async () => {
    assert.equal(await isBundleFolder(path.join(folder, 'gone')), false);
  });
});
