import assert from 'node:assert/strict';
import { routeOf, versionOfPath } from '../../../../src/docs/pages/pagePath';
import { PageVersions } from '../../../../src/docs/search/pageVersions';

const pageAt = (path: string) => ({ path, route: routeOf(path), version: versionOfPath(path) });

function versionsOf(...paths: readonly string[]): PageVersions {
  const versions = new PageVersions();
  for (const path of paths) versions.count(pageAt(path), 1);
  return versions;
}

describe('the current version of docs', () => {
  it('is the newest one if each has a folder', () => {
    const { current } = versionsOf('v9/a.html', 'v10/a.html', 'v2/a.html');
    assert.equal(current, 'v10');
  });

  it('is that of pages without a version if older ones of them are in folders beside it', () => {
    const paths = ['a.html', 'guide/b.html', '6.x/a.html', '6.x/guide/b.html', '6.x/gone.html'];
    assert.equal(versionsOf(...paths).current, '');
    assert.equal(versionsOf(...paths.toReversed()).current, '');
    assert.equal(versionsOf('docs/a.md', 'versioned_docs/version-1.0/a.md').current, '');
  });

  it('is the newest one if only a few pages belong to all versions', () => {
    const paths = ['v1', 'v2'].flatMap((version) =>
      ['index.html', 'a.html', 'b.html', 'news.html'].map((name) => `${version}/${name}`),
    );
    const versions = versionsOf('index.html', 'news.html', ...paths);
    assert.equal(versions.current, 'v2');
    assert.deepEqual(versions.names, ['v1', 'v2']);
  });

  it('changes as pages come and go', () => {
    const versions = versionsOf('a.html', '6.x/a.html', '7.x/a.html');
    assert.equal(versions.current, '');
    versions.count(pageAt('a.html'), -1);
    assert.equal(versions.current, '7.x');
    versions.count(pageAt('7.x/a.html'), -1);
    assert.equal(versions.current, '6.x');
    versions.count(pageAt('a.html'), 1);
    assert.equal(versions.current, '');
    versions.count(pageAt('6.x/a.html'), -1);
    assert.equal(versions.current, undefined);
  });
});
