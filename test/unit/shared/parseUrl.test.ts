import assert from 'node:assert/strict';
import { parseUrl } from '../../../src/shared/links';

describe('parseUrl', () => {
  it('reads an address, also one that is relative to another', () => {
    assert.equal(parseUrl('https://docs.example.com/a?b#c')?.host, 'docs.example.com');
    assert.equal(parseUrl('../x', 'https://docs.example.com/a/b/')?.pathname, '/a/x');
  });

  it('gives nothing for what is no address', () => {
    for (const text of ['', 'https://', '/x', 'https://a b/', 'https://[::1']) {
      assert.equal(parseUrl(text), undefined, text);
    }
  });

  it('reads letters beyond ASCII as often as it is asked', () => {
    let read = 0;
    for (let round = 0; round < 200_000; round++) read += parseUrl('https://dökü.example') ? 1 : 0;
    assert.equal(read, 200_000);
  });
});
