import assert from 'node:assert/strict';
import { cutText } from '../../../../src/common/text/strings';

describe('cutText', () => {
  for (const [text, maxLength, start] of [
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab😀', 4, 'ab😀'],
    ['ab😀', 3, 'ab'],
    ['😀😀', 2, '😀'],
    ['ab', 0, ''],
  ] as const) {
    it(`takes ${JSON.stringify(start)} of ${JSON.stringify(text)} where ${maxLength} fit`, () => {
      assert.equal(cutText(text, maxLength), start);
    });
  }
});
