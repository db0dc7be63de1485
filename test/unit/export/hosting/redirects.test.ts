import assert from 'node:assert/strict';
import * as v from 'valibot';
import { redirectFileSchema, redirectsJson } from '../../../../src/export/hosting/redirects';

describe('the file of redirects', () => {
  it('is read as it was written', () => {
    const redirects = [{ from: '/a', to: '/b/', status: 301 as const }];
    const text = redirectsJson(redirects);
    assert.deepEqual(v.parse(redirectFileSchema, JSON.parse(text)), { version: 1, redirects });
  });

  for (const [what, redirect] of [
    ['another host', { from: '/a', to: 'https://evil.example/', status: 301 }],
    ['two slashes, which lead to a host', { from: '/a', to: '//evil.example/', status: 301 }],
    ['a path without a slash', { from: 'a', to: '/b', status: 301 }],
    ['another status', { from: '/a', to: '/b', status: 200 }],
  ] as const) {
    it(`accepts no redirect with ${what}`, () => {
      const file = { version: 1, redirects: [redirect] };
      assert.equal(v.safeParse(redirectFileSchema, file).success, false);
    });
  }
});
