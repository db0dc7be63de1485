import assert from 'node:assert/strict';
import { sitemapFiles } from '../../../../../src/service/export/site/siteIndexes';
import { SitePaths } from '../../../../../src/service/export/site/sitePaths';
import type { SitePage } from '../../../../../src/service/export/site/siteSurvey';

describe('the sitemap of an exported site', () => {
  it('lists sitemaps of 50,000 URLs at most, which have every page once', () => {
    const pages = Array.from({ length: 50_001 }, (_, number): SitePage => ({
      file: `pages/p${number}.html`,
      title: '',
      description: '',
      order: Infinity,
      isHidden: false,
      headings: [],
    }));
    const files = [...sitemapFiles(pages, 'docs.example.com', new SitePaths())];
    const urls = files.map(({ content }) =>
      [...content.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url),
    );
    assert.deepEqual(
      files.map(({ path }, index) => [path, urls[index]?.length]),
      [
        ['sitemap-1.xml', 50_000],
        ['sitemap-2.xml', 1],
        ['sitemap.xml', 2],
      ],
    );
    assert.deepEqual(urls[2], [
      'https://docs.example.com/sitemap-1.xml',
      'https://docs.example.com/sitemap-2.xml',
    ]);
    assert.equal(new Set(urls.slice(0, 2).flat()).size, 50_001);
    assert.deepEqual(urls[1], ['https://docs.example.com/pages/p50000']);
  });
});
