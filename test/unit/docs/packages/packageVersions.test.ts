import assert from 'node:assert/strict';
import { compareVersions, isVersion } from '../../../../src/docs/packages/packageVersions';

describe('versions of packages', () => {
  it('are ordered by their numbers, with pre-releases before their release', () => {
    const ordered = ['1.2.3', '1.10.0', '2.0.0-alpha.2', '2.0.0-alpha.10', '2.0.0-rc.1', '2.0.0'];
    assert.deepEqual(ordered.toReversed().toSorted(compareVersions), ordered);
    assert.equal(compareVersions('1.0.0+a', '1.0.0+b'), 0);
  });

  it('are found by the numbers that they begin with', () => {
    for (const [version, wanted, isWanted] of [
      ['15.5.1', '15', true],
      ['15.5.1', '15.5', true],
      ['15.5.1', '15.5.1', true],
      ['15.5.1', 'v15.x', true],
      ['15.5.1', '15.5.x', true],
      ['15.5.1', '1', false],
      ['15.50.1', '15.5', false],
      ['16.0.0-rc.1', '16.0.0-rc.1', true],
      ['16.0.0', '^16', false],
      ['16.0.0', '', false],
    ] as const)
      assert.equal(isVersion(version, wanted), isWanted, `${version} for ${wanted}`);
  });
});
