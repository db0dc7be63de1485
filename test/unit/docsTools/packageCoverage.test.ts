import assert from 'node:assert/strict';
import type { SearchResponse } from '../../../src/common/localDocsApi';
import { type CoverageSite, PackageCoverage } from '../../../src/docsTools/packageCoverage';
import { FakeClock, settled } from '../../fakes/fakeClock';

const found = (...excerpts: string[]): SearchResponse => ({
  sections: excerpts.map((excerpt) => ({ title: 'Page', url: 'u', path: 'p', excerpt })),
  isWeak: false,
  isIndexed: true,
  pages: 3,
});

/** Docs on this machine that answer searches as given, and what was searched. */
function localDocs(answer: (query: string) => SearchResponse | Promise<SearchResponse>) {
  const searched: string[] = [];
  const site: CoverageSite = {
    id: 'local Sample docs',
    label: 'Sample docs · 127.0.0.1:4000',
    search: async (query) => {
      searched.push(query);
      return answer(query);
    },
  };
  return { site, searched };
}

describe('PackageCoverage', () => {
  const packages = [
    { name: '@parcelwren/sdk', symbols: ['Parcelwren'] },
    { name: 'left-pad', symbols: [] },
  ];
  const mentions = (query: string): SearchResponse =>
    found(query === '@parcelwren/sdk' ? 'npm install @parcelwren/sdk' : 'Pad the left side.');

  it('returns the packages that docs on this machine mention', async () => {
    const { site } = localDocs(mentions);
    const covered = await new PackageCoverage(new FakeClock()).covered(packages, site);
    assert.deepEqual(covered, packages.slice(0, 1));
  });

  it('returns packages named like a site that has no search', async () => {
    const site = { id: 's', label: 'parcelwren · docs.example.com' };
    const covered = await new PackageCoverage(new FakeClock()).covered(packages, site);
    assert.deepEqual(covered, packages.slice(0, 1));
  });

  it('returns nothing before a site is set up', async () => {
    const { site, searched } = localDocs(mentions);
    const coverage = new PackageCoverage(new FakeClock());
    assert.deepEqual(await coverage.covered(packages, { ...site, label: '' }), []);
    assert.deepEqual(searched, []);
  });

  it('searches once for each package and site, and anew after a while', async () => {
    const clock = new FakeClock();
    const coverage = new PackageCoverage(clock);
    const { site, searched } = localDocs(mentions);
    await coverage.covered(packages, site);
    await coverage.covered(packages, site);
    assert.equal(searched.length, 2);
    await coverage.covered(packages, { ...site, id: 'local Other docs' });
    assert.equal(searched.length, 4);
    clock.sleep(6 * 60_000);
    await coverage.covered(packages, site);
    assert.equal(searched.length, 6);
  });

  it('remembers nothing of a search that failed or came too early', async () => {
    let answer: SearchResponse | Error = new Error('The service is down');
    const { site } = localDocs(() => {
      if (answer instanceof Error) throw answer;
      return answer;
    });
    const coverage = new PackageCoverage(new FakeClock());
    assert.deepEqual(await coverage.covered(packages, site), []);
    answer = { ...found(), isIndexed: false };
    assert.deepEqual(await coverage.covered(packages, site), []);
    answer = found('Use @parcelwren/sdk.');
    assert.deepEqual(await coverage.covered(packages, site), packages.slice(0, 1));
  });

  // Shows faults.md N2.
  it('does not wait long for a search', async () => {
    const clock = new FakeClock();
    const { site } = localDocs(() => new Promise(() => undefined));
    const covered = new PackageCoverage(clock).covered(packages, site);
    await settled();
    await clock.advance(1_000);
    assert.deepEqual(await covered, []);
    assert.equal(clock.pendingCount, 0);
  });
});
