import assert from 'node:assert/strict';
import { parsePresetSite } from '../../../src/site/activeSite';

const site = { url: 'http://127.0.0.1:4567', domain: 'sample', key: 'local_dsc_abc' };

describe('parsePresetSite', () => {
  it('reads a local service', () => {
    assert.deepEqual(parsePresetSite(JSON.stringify(site)), site);
  });

  it('reads the admin key and the name of a service that exports', () => {
    const exporting = { ...site, adminKey: 'local_admin_abc', label: 'Sample docs' };
    assert.deepEqual(parsePresetSite(JSON.stringify(exporting)), exporting);
    const started = { ...exporting, takesWriter: true };
    assert.deepEqual(parsePresetSite(JSON.stringify(started)), started);
  });

  for (const url of ['https://evil.example', 'http://127.0.0.1.evil.example', 'nonsense', 4]) {
    it(`refuses ${url}, which is not on this machine`, () => {
      assert.equal(parsePresetSite(JSON.stringify({ ...site, url })), undefined);
    });
  }

  for (const json of [undefined, '', '{', 'null', '[]']) {
    it(`returns nothing for ${json ?? 'no variable'}`, () => {
      assert.equal(parsePresetSite(json), undefined);
    });
  }
});
