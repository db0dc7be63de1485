import assert from 'node:assert/strict';
import { routeOf, versionOfPath } from '../../../../src/docs/pages/pagePath';
import { Editions } from '../../../../src/docs/search/editions';

const pageAt = (path: string) => ({ path, route: routeOf(path), version: versionOfPath(path) });

function versionsOf(...paths: readonly string[]): Editions {
  const versions = new Editions();
  for (const path of paths) versions.count(pageAt(path), undefined, 1);
  return versions;
}

describe('the current version of docs', () => {
  it('is the newest one if each has a folder', () => {
    const { currentVersion } = versionsOf('v9/a.html', 'v10/a.html', 'v2/a.html');
    assert.equal(currentVersion, 'v10');
  });

  it('is that of pages without a version if older ones of them are in folders beside it', () => {
    const paths = ['a.html', 'guide/b.html', '6.x/a.html', '6.x/guide/b.html', '6.x/gone.html'];
    assert.equal(versionsOf(...paths).currentVersion, '');
    assert.equal(versionsOf(...paths.toReversed()).currentVersion, '');
    assert.equal(versionsOf('docs/a.md', 'versioned_docs/version-1.0/a.md').currentVersion, '');
  });

  it('is the newest one if only a few pages belong to all versions', () => {
    const paths = ['v1', 'v2'].flatMap((version) =>
      ['index.html', 'a.html', 'b.html', 'news.html'].map((name) => `${version}/${name}`),
    );
    const versions = versionsOf('index.html', 'news.html', ...paths);
    assert.equal(versions.currentVersion, 'v2');
    assert.deepEqual(versions.versions, ['v1', 'v2']);
  });

  it('changes as pages come and go', () => {
    const versions = versionsOf('a.html', '6.x/a.html', '7.x/a.html');
    assert.equal(versions.currentVersion, '');
    versions.count(pageAt('a.html'), undefined, -1);
    assert.equal(versions.currentVersion, '7.x');
    versions.count(pageAt('7.x/a.html'), undefined, -1);
    assert.equal(versions.currentVersion, '6.x');
    versions.count(pageAt('a.html'), undefined, 1);
    assert.equal(versions.currentVersion, '');
    versions.count(pageAt('6.x/a.html'), undefined, -1);
    assert.equal(versions.currentVersion, undefined);
  });
});
