import assert from 'node:assert/strict';
import { sizeText } from '../../../src/staticExport/sizeText';

describe('sizeText', () => {
  for (const [bytes, text] of [
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1000, '1.0 KB'],
    [4_213_000, '4.2 MB'],
    [123_400_000, '123 MB'],
    [5_000_000_000, '5.0 GB'],
    [12_340_000_000_000_000, '12340 TB'],
    [-1, '0 bytes'],
  ] as const) {
    it(`says ${bytes} bytes as “${text}”`, () => assert.equal(sizeText(bytes), text));
  }
});
