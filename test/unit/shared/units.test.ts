import assert from 'node:assert/strict';
import { sizeText } from '../../../src/shared/units';

describe('sizeText', () => {
  for (const [bytes, text] of [
    [0, '0 B'],
    [-1, '0 B'],
    [999, '999 B'],
    [1000, '1 KB'],
    [4_213_000, '4.3 MB'],
    [12_340_000_000_000_000, '12340 TB'],
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
