import assert from 'node:assert/strict';
import {
  type BundleComparison,
  differenceCount,
  differenceKinds,
} from '../../../../src/export/compare/comparison';
import { aComparison } from '../../../builders/comparison';

const countNames = {
  'added-pages': 'addedPages',
  'removed-pages': 'removedPages',
  'moved-pages': 'movedPages',
  'changed-pages': 'changedPages',
  'restyled-pages': 'restyledPages',
  'added-assets': 'addedAssets',
  'removed-assets': 'removedAssets',
  'changed-assets': 'changedAssets',
  'broken-links': 'brokenLinks',
  'lost-addresses': 'lostAddresses',
} as const satisfies Readonly<Record<string, keyof BundleComparison['counts']>>;

describe('differenceCount', () => {
  it('counts the differences of one kind and no others', () => {
    for (const [kind, name] of Object.entries(countNames)) {
      const comparison = aComparison({ counts: { [name]: 3 } });
      assert.deepEqual(
        differenceKinds.filter((each) => differenceCount(comparison, each) > 0),
        [kind],
      );
    }
  });

  it('counts different sites once, however they differ', () => {
    const notes = [{ code: 'different-hosts' }, { code: 'little-in-common' }] as const;
    assert.equal(differenceCount(aComparison({ notes: [...notes] }), 'different-sites'), 1);
    assert.equal(
      differenceCount(aComparison({ notes: [{ code: 'no-pages' }] }), 'different-sites'),
      0,
    );
  });
});
