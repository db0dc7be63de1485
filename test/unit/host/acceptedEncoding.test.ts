import assert from 'node:assert/strict';
import { acceptedEncoding, isWorthCompressing } from '../../../src/host/compressedFiles';

describe('the encoding that a request accepts', () => {
  const cases: [string | undefined, ReturnType<typeof acceptedEncoding>][] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity, *;q=0', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['deflate', undefined],
    ['br;q=nonsense, gzip', 'gzip'],
  ];
  for (const [header, encoding] of cases) {
    it(`is ${encoding ?? 'none'} for “${header ?? 'no header'}”`, () => {
      assert.equal(acceptedEncoding(header), encoding);
    });
  }

  it('matters only for files that are neither tiny nor huge', () => {
    assert.deepEqual([10, 5000, 1e9].map(isWorthCompressing), [false, true, false]);
  });
});
