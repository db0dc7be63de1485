import assert from 'node:assert/strict';
import { numberText, setNumberLanguage, sizeText } from '../../../src/shared/units';

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
    [5_000_000, '5 MB'],
    [5_242_880, '5.3 MB'],
    [123_400_000, '124 MB'],
    [5_000_000_000, '5 GB'],
  ] as const) {
    it(`says ${bytes} bytes as ${text}`, () => assert.equal(sizeText(bytes), text));
  }
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
    it(`writes numbers as ${language || 'no language'} does`, () => {
      setNumberLanguage(language);
      assert.deepEqual([sizeText(4_213_000), numberText(100_001)], [size, number]);
    });
  }
});
