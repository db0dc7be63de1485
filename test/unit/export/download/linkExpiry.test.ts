import assert from 'node:assert/strict';
import { expiryInLink } from '../../../../src/export/download/bundleLink';

const noon = Date.UTC(2025, 0, 31, 12);

describe('expiryInLink', () => {
  for (const [what, query, expected] of [
    ['AWS, version 4', 'X-Amz-Date=20250131T115500Z&X-Amz-Expires=300&X-Amz-Signature=0a', noon],
    ['AWS, in small letters', 'x-amz-date=20250131T110000Z&x-amz-expires=3600', noon],
    ['AWS, version 2', `AWSAccessKeyId=A&Expires=${noon / 1000}&Signature=x%3D`, noon],
    ['Google Cloud Storage', 'X-Goog-Date=20250131T110000Z&X-Goog-Expires=3600', noon],
    ['Azure', 'sv=2022-11-02&se=2025-01-31T12%3A00%3A00Z&sr=b&sig=x', noon],
    ['Azure, without seconds', 'se=2025-01-31T12:00Z', noon],
    ['Azure, with fractions', 'se=2025-01-31T12:00:00.0000000Z', noon],
    ['Azure, a day', 'se=2025-01-31', noon - 12 * 3600_000],
    ['the local docs service, in seconds', `X-Expires=${noon / 1000}&X-Signature=x`, noon],
    ['the local docs service, in milliseconds', `X-Expires=${noon}&X-Signature=x`, noon],
    ['the first of two', `Expires=${noon / 1000}&Expires=1`, noon],
  ] as const) {
    it(`reads the form of ${what}`, () =>
      assert.equal(expiryInLink(`https://store.example.com/b.tgz?${query}`), expected));
  }

  for (const query of [
    '',
    'X-Amz-Expires=300',
    'X-Amz-Date=20250131T115500Z',
    'X-Amz-Date=20250131T115500Z&X-Amz-Expires=-1',
    'X-Amz-Date=20250131T115500Z&X-Amz-Expires=1e9',
    'X-Amz-Date=20251331T115500Z&X-Amz-Expires=300',
    'X-Amz-Date=yesterday&X-Amz-Expires=300',
    'Expires=',
    'Expires=never',
    'Expires=9999999999999999',
    'Expires=-1',
    'se=31.01.2025',
    'se=5',
    'se=2025-02-31T99:00Z',
    'exp=1738324800',
  ]) {
    it(`is undefined for ${query === '' ? 'a link without a query' : query}`, () =>
      assert.equal(expiryInLink(`https://store.example.com/b.tgz?${query}`), undefined));
  }

  for (const text of ['', 'not a link', 'https://', 'http://[', '\u0000', '?Expires=1']) {
    it(`is undefined for ${JSON.stringify(text)}`, () =>
      assert.equal(expiryInLink(text), undefined));
  }

  it('survives a query with broken percent signs', () => {
    assert.equal(expiryInLink(`https://s/b?%=%E0%A4%A&Expires=${noon / 1000}`), noon);
  });
});
