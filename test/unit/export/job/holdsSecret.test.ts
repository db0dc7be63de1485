import assert from 'node:assert/strict';
import { holdsSecret } from '../../../../src/export/job/refusals';

describe('holdsSecret', () => {
  const secret = 'acme_CANARY4f9a';
  for (const [text, expected] of [
    ['acme_CANARY4f9a', true],
    ['https://x.example/?k=acme_CANARY4f9a&l=1', true],
    ['https://acme_canary4f9a.example/', true],
    ['https://x.example/%61cme%5FCANARY4f9a', true],
    ['100 % acme_CANARY4f9', false],
    ['', false],
  ] as const) {
    it(`is ${expected} for “${text}”`, () => {
      assert.equal(holdsSecret(text, secret), expected);
    });
  }

  it('does not treat a short string as a secret', () => {
    assert.equal(holdsSecret('a cat', 'cat'), false);
    assert.equal(holdsSecret('a cat', ''), false);
  });
});
