import assert from 'node:assert/strict';
import { compareVersions } from '../../../../src/docs/pages/pageFilter';

describe('compareVersions', () => {
  it('puts newer versions first, by number', () => {
    assert.deepEqual(['v1', 'v10', 'v2', 'v2.1', 'latest'].sort(compareVersions), [
      'latest',
      'v10',
      'v2.1',
      'v2',
      'v1',
    ]);
  });
});
