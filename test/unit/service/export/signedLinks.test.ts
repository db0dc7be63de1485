import assert from 'node:assert/strict';
import { SignedLinks } from '../../../../src/service/export/exportRoutes';
import { FakeClock } from '../../../fakes/fakeClock';

const PATH = '/v1/bundles/7/bundle.tar.gz';

function signed(secret = 'a'.repeat(64)) {
  const clock = new FakeClock();
  const links = new SignedLinks(secret, { clock, lifetimeMs: 5 });
  const { url, expiresAt } = links.sign('http://127.0.0.1:4310', PATH);
  const { searchParams } = new URL(url);
  return { clock, links, url, expiresAt, searchParams };
}

describe('SignedLinks', () => {
  it('signs a URL for its lifetime, to the millisecond', async () => {
    const { clock, links, url, expiresAt, searchParams } = signed();
    assert.ok(url.startsWith(`http://127.0.0.1:4310${PATH}?`));
    assert.equal(expiresAt, clock.now() + 5);
    await clock.advance(4);
    assert.equal(links.check(PATH, searchParams), 'valid');
    await clock.advance(1);
    assert.equal(links.check(PATH, searchParams), 'expired');
  });

  it('recognizes its links by the secret alone, so that they outlive it', () => {
    const { searchParams } = signed();
    assert.equal(signed().links.check(PATH, searchParams), 'valid');
    assert.equal(signed('b'.repeat(64)).links.check(PATH, searchParams), 'forged');
  });

  it('treats a link for another path as forged', () => {
    const { links, searchParams } = signed();
    assert.equal(links.check(PATH.replace('7', '8'), searchParams), 'forged');
  });

  for (const expires of ['9999999999999', 'Infinity', '-1', '', '1e99']) {
    it(`treats a link that was made to expire at “${expires}” as forged`, () => {
      const { links, searchParams } = signed();
      searchParams.set('X-Expires', expires);
      assert.equal(links.check(PATH, searchParams), 'forged');
    });
  }

  it('says that an expired link which was tampered with is forged', async () => {
    const { clock, links, searchParams } = signed();
    await clock.advance(5);
    searchParams.set('X-Signature', '0'.repeat(64));
    assert.equal(links.check(PATH, searchParams), 'forged');
  });

  for (const name of ['X-Expires', 'X-Signature']) {
    it(`treats a link without ${name} as unsigned`, () => {
      const { links, searchParams } = signed();
      searchParams.delete(name);
      assert.equal(links.check(PATH, searchParams), 'unsigned');
    });
  }
});
