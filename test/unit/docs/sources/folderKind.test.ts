import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { folderKind } from '../../../../src/docs/sources/folderKind';

describe('folderKind', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-folder-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const cases: readonly (readonly [
    name: string,
    files: readonly string[],
    kind: 'folder' | 'bundle',
  ])[] = [
    ['a site', ['index.html', 'guide/start.html'], 'bundle'],
    ['a site below a folder of an archive', ['site/index.html', 'site/guide/start.html'], 'bundle'],
    ['a site with its pages as Markdown', ['index.html', 'index.md', 'a.html', 'a.md'], 'bundle'],
    ['a site with a file of its fonts', ['index.html', '_static/fonts/README.md'], 'bundle'],
    ['Markdown', ['index.md', 'guide/start.mdx'], 'folder'],
    ['Markdown with a page that shows it', ['index.html', 'a.md', 'guide/b.md'], 'folder'],
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
          'folder',
        ] as const,
    ),
    ['a bundle with the navigation of its docs', ['docs.json', 'index.html', 'index.md'], 'bundle'],
    [
      'the build of a project without Markdown',
      ['conf.py', 'index.rst', '_build/index.html'],
      'bundle',
    ],
    ['a site with an example of a configuration', ['index.html', 'a.md', 'x/mkdocs.yml'], 'bundle'],
    [
      'a project with a site in its hidden folder',
      ['a.md', '.site/a.html', '.site/b.html'],
      'folder',
    ],
    ['nothing', ['notes.txt'], 'folder'],
  ];
  for (const [name, files, kind] of cases) {
    it(`takes ${name} for a ${kind}`, async () => {
      for (const file of files) {
        await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
        await writeFile(path.join(folder, file), '');
      }
      assert.equal(await folderKind(folder), kind);
    });
  }

  it('takes a folder that is gone for a folder', async () => {
    assert.equal(await folderKind(path.join(folder, 'gone')), 'folder');
  });
});
