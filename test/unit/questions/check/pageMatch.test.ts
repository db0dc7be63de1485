import assert from 'node:assert/strict';
import { distinctPages, isSamePage } from '../../../../src/questions/check/pageMatch';

const site = 'https://docs.acme.com';
const local = 'http://127.0.0.1:4100/docs';

describe('isSamePage', () => {
  for (const [named, url] of [
    ['guides/keys', `${site}/guides/keys`],
    ['/guides/keys/', `${site}/guides/keys`],
    ['./guides/keys.md', `${site}/guides/keys/`],
    ['guides/keys.mdx', `${site}/guides/keys.html`],
    ['Guides/Keys', `${site}/guides/keys`],
    ['guides\\keys.md', `${site}/guides/keys`],
    ['guides/keys', '/guides/keys'],
    ['guides/keys', `${local}/guides/keys#rotate`],
    ['guides/keys#rotate', `${local}/guides/keys#rotate`],
    ['guides/keys#rotate', `${site}/guides/keys`],
    ['guides/keys#rotate', `${local}/guides/keys#_top`],
    ['guides/index.md', `${site}/guides`],
    ['guides', `${local}/guides/README`],
    ['index.md', `${site}/`],
    ['guides/my page.md', `${site}/guides/my%20page`],
    ['guides/schlüssel', `${site}/guides/schl%C3%BCssel`],
    [`${site}/guides/keys`, `${local}/guides/keys`],
    ['https://www.acme.com/keys', 'https://acme.com/keys'],
    ['docs/guides/keys.md', `${site}/guides/keys`],
    ['guides/keys', `${site}/en/v2/guides/keys`],
    ['guides/keys', `${site}/docs/latest/guides/keys`],
    ['guides/keys', `${site}/zh-cn/1.x/guides/keys`],
    ['guides/keys', `${site}/guides/keys?theme=dark`],
  ] as const) {
    it(`matches ${url} with ${named}`, () => assert.equal(isSamePage(named, url), true));
  }

  for (const [named, url] of [
    ['keys', `${site}/guides/keys`],
    ['overview', `${site}/billing/overview`],
    ['quickstart', `${site}/js/quickstart`],
    ['v1/keys', `${site}/v2/keys`],
    ['guides/keys', `${site}/guides/key`],
    ['guides/keys', `${site}/guides`],
    ['guides/keys#rotate', `${local}/guides/keys#revoke`],
    [`${site}/guides/keys`, 'https://docs.other.com/guides/keys'],
    ['index', `${site}/guides`],
    ['guides/keys', ''],
  ] as const) {
    it(`doesn’t match ${url} with ${named}`, () => assert.equal(isSamePage(named, url), false));
  }

  it('resolves pages from the base of the docs', () => {
    const base = 'https://acme.com/product/handbook';
    assert.equal(isSamePage('keys', 'https://acme.com/product/handbook/keys', base), true);
    assert.equal(isSamePage('product/handbook/keys.md', `${local}/keys`, base), true);
    assert.equal(isSamePage('keys', 'https://acme.com/product/other/keys', base), false);
    assert.equal(isSamePage('keys', 'https://acme.com/product/handbook/keys'), false);
  });
});

describe('distinctPages', () => {
  it('keeps the order of pages and joins the sections of each', () => {
    const urls = [`${local}/a#x`, `${site}/b`, `${local}/a#y`, `${site}/b.html`];
    assert.deepEqual(
      distinctPages(urls.map((url) => ({ url }))).map((page) => page.map(({ url }) => url)),
      [
        [urls[0], urls[2]],
        [urls[1], urls[3]],
      ],
    );
  });
});
