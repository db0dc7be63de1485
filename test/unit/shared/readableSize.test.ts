import assert from 'node:assert/strict';
import { readableSize } from '../../../src/shared/readableSize';

describe('readableSize', () => {
  for (const [bytes, text] of [
    [999, '999 B'],
    [1000, '1 kB'],
    [100_000, '100 kB'],
    [100_001, '101 kB'],
    [5_000_000, '5 MB'],
    [5_242_880, '5.3 MB'],
  ] as const) {
    it(`says ${bytes} bytes as ${text}`, () => assert.equal(readableSize(bytes), text));
  }
});
