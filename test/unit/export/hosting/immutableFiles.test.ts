import assert from 'node:assert/strict';
import { immutableGroups, wholeFolders } from '../../../../src/export/hosting/immutableFiles';

const shown = (files: readonly string[]): string[] =>
  immutableGroups(files).map(
    ({ folder, extension, isDeep }) => `${folder}/*.${extension}${isDeep ? ' deep' : ''}`,
  );

describe('files that browsers can cache forever', () => {
  it('are those of webpack, Next.js, Docusaurus and Vite', () => {
    assert.deepEqual(shown(['_next/static/chunks/main-4f2a9c1b0d8e7f6a.js']), [
      '_next/static/chunks/*.js deep',
    ]);
    assert.deepEqual(shown(['_next/static/css/9d8e7f6a5b4c3d2e.css']), [
      '_next/static/css/*.css deep',
    ]);
    assert.deepEqual(shown(['_next/static/media/a34f9d1faa5f3315-s.p.woff2']), [
      '_next/static/media/*.woff2 deep',
    ]);
    assert.deepEqual(shown(['assets/images/logo-0a1b2c3d4e5f60718293a4b5c6d7e8f9.png']), [
      'assets/images/*.png deep',
    ]);
    assert.deepEqual(shown(['assets/index-BfX3kq9Z.js', 'assets/page-D_x-kqQw.js']), [
      'assets/*.js deep',
    ]);
  });

  it('are never plain names, dates, versions or words', () => {
    for (const name of [
      'site.js',
      'screenshot-20240115.png',
      'release-v1.2.3.js',
      'guide-introduction.js',
      'getting-started-overview.css',
      'jquery-3.7.1.min.js',
      'bootstrap5.min.css',
      'IMG_20240115_101112.jpg',
      'decade-facade.png',
    ]) {
      assert.deepEqual(shown([name]), [], name);
    }
  });

  it('are never pages, whatever their names', () => {
    assert.deepEqual(shown(['posts/4f2a9c1b.html', 'posts/4f2a9c1b.md', 'feed-4f2a9c1b.xml']), []);
  });

  it('count only together with all others of their folder and extension', () => {
    assert.deepEqual(
      shown(['a/app.4f2a9c1b.js', 'a/sw.js', 'a/app.9d8e7f6a.css', 'a/sub/x.4f2a9c1b.js']),
      ['a/*.css deep', 'a/sub/*.js deep'],
    );
  });

  it('do not include deep folders if a folder below has a plain name', () => {
    assert.deepEqual(shown(['a/app.4f2a9c1b.js', 'a/b/c/plain.js']), ['a/*.js']);
  });

  it('are a whole folder only if nothing else is in it or below it', () => {
    const files = ['a/x.4f2a9c1b.js', 'a/b/y.9d8e7f6a.css', 'c/x.4f2a9c1b.js', 'c/logo.png'];
    assert.deepEqual(wholeFolders(files, immutableGroups(files)), ['a']);
    const root = ['x.4f2a9c1b.js'];
    assert.deepEqual(wholeFolders(root, immutableGroups(root)), []);
  });
});
