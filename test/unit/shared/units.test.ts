import assert from 'node:assert/strict';
import {
  numberText,
  pageCountText,
  secondsText,
  setNumberLanguage,
  sizeText,
} from '../../../src/shared/units';
import { plainTranslate as t } from '../../../src/common/errors';

describe('sizeText', () => {
  for (const [bytes, text] of [
    [0, '0 B'],
    [-1, '0 B'],
    [999, '999 B'],
    [1000, '1 KB'],
    [4_213_000, '4.3 MB'],
    [12_340_000_000_000_000, '12,340 TB'],
    [100_000, '100 KB'],
    [100_001, '101 KB'],
    [999_001, '1 MB'],
    [5_000_000, '5 MB'],
    [5_242_880, '5.3 MB'],
    [123_400_000, '124 MB'],
    [5_000_000_000, '5 GB'],
  ] as const) {
    it(`says ${bytes} bytes as ${text}`, () => assert.equal(sizeText(bytes), text));
  }
});

describe('pageCountText', () => {
  afterEach(() => setNumberLanguage('en'));

  it('counts pages with the separators of the language', () => {
    assert.deepEqual([pageCountText(1, t), pageCountText(2431, t)], ['1 page', '2,431 pages']);
    setNumberLanguage('de');
    assert.equal(pageCountText(2431, t), '2.431 pages');
  });
});

describe('secondsText', () => {
  afterEach(() => setNumberLanguage('en'));

  it('shows at most one decimal, as the language writes it', () => {
    assert.deepEqual([secondsText(1234, t), secondsText(3000, t)], ['1.2 s', '3 s']);
    setNumberLanguage('de');
    assert.equal(secondsText(1234, t), '1,2 s');
  });
});

describe('setNumberLanguage', () => {
  afterEach(() => setNumberLanguage('en'));

  for (const [language, size, number] of [
    ['de', '4,3 MB', '100.001'],
    ['de-AT', '4,3 MB', '100\u00a0001'],
    ['en', '4.3 MB', '100,001'],
    ['not a language', '4.3 MB', '100,001'],
    ['', '4.3 MB', '100,001'],
  ] as const) {
    // Shows faults.md Q4.
    it(`writes numbers as ${language || 'no language'} does`, () => {
      setNumberLanguage(language);
      assert.deepEqual([sizeText(4_213_000), numberText(100_001)], [size, number]);
    });
  }
});
