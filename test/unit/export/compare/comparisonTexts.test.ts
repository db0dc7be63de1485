import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import type { ComparisonNote } from '../../../../src/export/compare/comparison';
import {
  differencesText,
  comparisonNoteText,
} from '../../../../src/export/compare/comparisonTexts';
import { aComparison } from '../../../builders/comparison';

describe('differencesText', () => {
  it('counts each kind of difference, the ones that need work first', () => {
    const counts = {
      addedPages: 1,
      removedPages: 2,
      movedPages: 1,
      changedPages: 1200,
      mendedLinks: 3,
      brokenLinks: 1,
      lostAddresses: 2,
      addedAssets: 1,
      changedAssets: 1,
      restyledPages: 9,
    };
    assert.equal(
      differencesText(aComparison({ counts }), plainTranslate),
      '1 broken link, 2 lost URLs, 1,200 changed pages, 2 removed pages, 1 added page, 1 moved page, 3 mended links, 2 changed files',
    );
  });

  it('says that bundles are the same, also if only the markup of pages differs', () => {
    const same = 'The texts, files and links are the same.';
    assert.equal(differencesText(aComparison(), plainTranslate), same);
    const restyled = aComparison({ counts: { restyledPages: 2 } });
    assert.equal(differencesText(restyled, plainTranslate), same);
  });
});

describe('comparisonNoteText', () => {
  const comparison = aComparison();
  const sentences: readonly (readonly [note: ComparisonNote, sentence: string])[] = [
    [
      { code: 'different-hosts', before: 'a.example.com', after: 'b.example.com' },
      'The bundles seem to be of different sites: a.example.com and b.example.com.',
    ],
    [
      { code: 'different-base-paths', before: '', after: '/docs' },
      'The sites have different base paths, so all URLs differ: / and /docs.',
    ],
    [
      { code: 'little-in-common', count: 4 },
      'The bundles seem to be of different sites: they have 4 % of their pages in common.',
    ],
    [{ code: 'no-pages', side: 'after' }, 'new contains no pages.'],
    [
      { code: 'unreadable', side: 'before', count: 1, file: 'a.html' },
      '1 file of old can’t be read: a.html',
    ],
    [
      { code: 'unreadable', side: 'before', count: 1000, file: 'a.html' },
      '1,000 files of old can’t be read, such as a.html',
    ],
    [{ code: 'capped', count: 2000 }, 'Differences not listed: 2,000'],
  ];
  for (const [note, sentence] of sentences) {
    it(`says “${sentence}”`, () => {
      assert.equal(comparisonNoteText(note, comparison, plainTranslate), sentence);
    });
  }
});
