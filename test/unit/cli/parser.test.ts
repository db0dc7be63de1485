import assert from 'node:assert/strict';
import { InvalidArgumentError } from 'commander';
import { wholeSeconds } from '../../../src/cli/parser';
import { plainTranslate } from '../../../src/common/errors';

describe('wholeSeconds', () => {
  const secondsOf = wholeSeconds(plainTranslate, 5, 600);

  it('reads whole seconds within its limits', () => {
    assert.deepEqual(['5', '60', '600'].map(secondsOf), [5, 60, 600]);
  });

  for (const text of ['4', '601', '-60', '5.5', 'soon', '']) {
    it(`refuses “${text}”, and says what it takes`, () => {
      assert.throws(
        () => secondsOf(text),
        new InvalidArgumentError('Enter a whole number of seconds from 5 to 600.'),
      );
    });
  }
});
