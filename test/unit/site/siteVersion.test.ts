import assert from 'node:assert/strict';
import {
  installedSiteVersion,
  otherVersionNamed,
  otherVersionsOf,
  versionFor,
} from '../../../src/site/siteVersion';

const next = (version: string, ...versions: string[]) => ({
  installed: { name: 'next', version },
  versions,
});

describe('versionFor', () => {
  for (const [installed, versions, wanted] of [
    ['15.5.2', ['v14', 'v15', 'v16'], 'v15'],
    ['15.5.2', ['14.x', '15.x', 'latest'], '15.x'],
    ['15.5.2', ['15', '15.5', '15.4'], '15.5'],
    ['15.5.2', ['v15.x', 'v15.5.2', '15.5'], 'v15.5.2'],
    ['15.5.2', ['version-14', 'version-15'], 'version-15'],
    ['0.34.1', ['0.33', '0.34', '1.0'], '0.34'],
    ['16.0.0-beta.1', ['15', '16', '16.0.0-beta.1'], '16.0.0-beta.1'],
    ['1.5.0', ['15', '1.50'], undefined],
    ['17.0.0', ['v15', 'v16', 'latest', 'next', 'stable'], undefined],
    ['15.5.2', ['15.5.1', '15.4.x', '5'], undefined],
    ['', ['15'], undefined],
    ['15.5.2', [], undefined],
  ] as const) {
    it(`chooses ${wanted ?? 'nothing'} of ${versions.join(', ')} for ${installed || 'no version'}`, () => {
      assert.equal(versionFor(next(installed, ...versions)), wanted);
    });
  }
});

describe('installedSiteVersion', () => {
  const about = { packages: ['@acme/core', 'next'], versions: [] as readonly string[] };
  const find = (name: string) => Promise.resolve(name === 'next' ? '15.5.2' : undefined);
  const offered = () => Promise.resolve(['v15']);

  it('takes the first package that is installed, and the versions that the pages have', async () => {
    assert.deepEqual(await installedSiteVersion(about, { find, offered }), next('15.5.2', 'v15'));
  });

  it('asks the service for no versions if the workspace names them', async () => {
    const named = { ...about, versions: ['15.x'] };
    const refuse = () => Promise.reject(new Error('asked'));
    assert.deepEqual(
      await installedSiteVersion(named, { find, offered: refuse }),
      next('15.5.2', '15.x'),
    );
  });

  it('knows nothing if no package is installed', async () => {
    const found = { find: () => Promise.resolve(undefined), offered };
    assert.equal(await installedSiteVersion(about, found), undefined);
  });
});

describe('otherVersionsOf', () => {
  const versions = ['v13', 'v14', '15.x', 'canary'];
  const cited = (...urls: string[]) =>
    otherVersionsOf(
      urls.map((url) => ({ url })),
      next('15.5.2', ...versions),
    );

  it('finds the version in the path of a page, as a URL or alone', () => {
    assert.deepEqual(cited('https://next.example/docs/14/routing', '/docs/v13/caching#x'), [
      'v14',
      'v13',
    ]);
    assert.deepEqual(cited('https://next.example/docs/V14', 'https://next.example/14.x/b'), [
      'v14',
    ]);
  });

  it('finds the version in the metadata of a source', () => {
    const page = {
      url: 'https://next.example/routing',
      providerMetadata: { docs: { version: '14' } },
    };
    assert.deepEqual(otherVersionsOf([page], next('15.5.2', ...versions)), ['v14']);
  });

  it('finds nothing in pages of the installed version', () => {
    assert.deepEqual(cited('https://next.example/docs/15.x/a', '/15/b', '/v15/c'), []);
  });

  it('guesses nothing from a version that the site doesn’t list, or that has no numbers', () => {
    assert.deepEqual(cited('https://next.example/docs/12/a', '/canary/b', '/docs/c', '', ':'), []);
    assert.deepEqual(otherVersionsOf([{ url: '/v14/a' }], next('15.5.2')), []);
    const broken = { url: '/a', providerMetadata: { a: null, b: { version: 14 }, c: 'v14' } };
    assert.deepEqual(otherVersionsOf([broken], next('15.5.2', ...versions)), []);
  });
});

describe('otherVersionNamed', () => {
  it('returns a listed version that the installed one doesn’t belong to', () => {
    const version = next('15.5.2', 'v14', 'v15', 'latest');
    assert.equal(otherVersionNamed('v14', version), 'v14');
    for (const same of ['v15', 'latest', 'v12', undefined]) {
      assert.equal(otherVersionNamed(same, version), undefined, same);
    }
  });
});
