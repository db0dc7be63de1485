import assert from 'node:assert/strict';
import { brokenOf, checked, checkedPage, fetchesOf, page } from './site';

describe('Check Bundle on app manifests', () => {
  it('resolves icons, start page and shortcuts relative to the manifest', async () => {
    const report = await checked({
      'index.html': page('', '<link rel="manifest" href="app/manifest.json">'),
      'app/manifest.json': `{
  "start_url": "../index.html",
  "icons": [{ "src": "a.png" }, { "src": "gone.png" }, { "sizes": "1x1" }],
  "screenshots": [{ "src": "https://img.example.com/a.png" }],
  "shortcuts": [{ "name": "x", "url": "/gone" }]
}`,
      'app/a.png': '',
    });
    assert.deepEqual(brokenOf(report), [
      'app/manifest.json:3 gone.png → missing-file',
      'app/manifest.json:5 /gone → missing-file',
    ]);
    assert.deepEqual(fetchesOf(report), ['image https://img.example.com/a.png']);
  });

  for (const text of ['', 'no JSON', '[]', 'null', '{"icons": 5, "start_url": {}}']) {
    it(`survives ${JSON.stringify(text)}`, async () => {
      const link = '<link rel="manifest" href="a.webmanifest">';
      const report = await checkedPage(link, { 'a.webmanifest': text });
      assert.deepEqual(report.broken, []);
    });
  }
});
