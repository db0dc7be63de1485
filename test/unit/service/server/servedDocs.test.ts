import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import { servedText } from '../../../../src/service/server/servedDocs';

describe('servedText', () => {
  for (const [pages, expected] of [
    [0, 'No pages found in Sample Docs. The local docs service reads Markdown, MDX and HTML.'],
    [1, 'The local docs service is ready: 1 page of Sample Docs.'],
    [38, 'The local docs service is ready: 38 pages of Sample Docs.'],
  ] as const) {
    it(`describes what is served after ${pages} pages were read`, () => {
      const docs = { kind: 'folder' as const, folder: '/docs', label: 'Sample Docs' };
      assert.equal(servedText({ pages }, docs, plainTranslate), expected);
    });
  }

  for (const [packages, expected] of [
    [1, 'You can ask about 1 installed package now.'],
    [1200, 'You can ask about 1,200 installed packages now.'],
  ] as const) {
    it(`counts packages, whose pages are still being read, after ${packages} were listed`, () => {
      const docs = { kind: 'installed' as const, folder: '/app', label: 'Installed Packages' };
      assert.equal(servedText({ packages }, docs, plainTranslate), expected);
    });
  }
});
