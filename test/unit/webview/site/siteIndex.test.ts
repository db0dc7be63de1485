import assert from 'node:assert/strict';
import { SiteIndex } from '../../../../webview/site/siteIndex';

describe('SiteIndex.urlOf', () => {
  const root = 'https://docs.example.com/v2/';
  const index = new SiteIndex({ root, folder: `${root}_assistant/`, index: 'i' });

  it('leads to a folder only for the page that hosts serve there', () => {
    assert.equal(index.urlOf('guides/index.html', ''), `${root}guides/`);
    assert.equal(index.urlOf('index.html', 'start'), `${root}#start`);
    // No host of a generated configuration looks for it.
    assert.equal(index.urlOf('guides/index.htm', ''), `${root}guides/index.htm`);
  });
});
