import assert from 'node:assert/strict';
import { failuresOf, parseFailOn } from '../../../../src/cli/bundle/failOn';
import { CliError } from '../../../../src/cli/context';
import { plainTranslate as t } from '../../../../src/common/errors';
import type { BundleReport } from '../../../../src/export/check/reportTypes';

const whole: BundleReport = {
  schemaVersion: 1,
  pages: 3,
  files: 4,
  sizeBytes: 5,
  checkedLinks: 6,
  basePath: '',
  brokenCount: 0,
  broken: [],
  outsideFetchCount: 0,
  outsideFetches: [],
  outsideLinks: { count: 0, byHost: [] },
  notes: [],
};
const anchor: BundleReport['broken'][number] = {
  file: 'a.html',
  line: 1,
  column: 1,
  kind: 'link',
  address: '#no',
  reason: 'missing-anchor',
};
const every = parseFailOn(
  { failOn: 'broken-links,broken-anchors,outside-fetches,no-pages,no-home-page' },
  t,
);

describe('--fail-on', () => {
  it('fails on broken links and on a bundle without pages by default', () => {
    assert.deepEqual(parseFailOn({}, t), ['broken-links', 'no-pages']);
    assert.deepEqual(parseFailOn({ failOn: ' NONE ' }, t), []);
    assert.deepEqual(parseFailOn({ failOn: 'broken-anchors , no-pages' }, t), [
      'broken-anchors',
      'no-pages',
    ]);
    for (const value of ['', 'links', 'none,no-pages', 'no-pages,']) {
      assert.throws(() => parseFailOn({ failOn: value }, t), CliError, value);
    }
  });

  it('fails on every outside fetch of an air-gapped site, whatever else is named', () => {
    assert.deepEqual(parseFailOn({ failOn: 'none', airGapped: true }, t), ['outside-fetches']);
    assert.deepEqual(parseFailOn({ airGapped: true }, t), [
      'broken-links',
      'no-pages',
      'outside-fetches',
    ]);
  });

  it('distinguishes broken anchors from other broken links', () => {
    assert.deepEqual(failuresOf(whole, every), []);
    assert.deepEqual(failuresOf({ ...whole, brokenCount: 1, broken: [anchor] }, every), [
      'broken-anchors',
    ]);
    const link = { ...anchor, reason: 'missing-file' } as const;
    assert.deepEqual(failuresOf({ ...whole, brokenCount: 1, broken: [link] }, every), [
      'broken-links',
    ]);
  });

  it('fails on broken links even if the report lists only some of them', () => {
    const cut = { ...whole, brokenCount: 2, broken: [anchor] };
    assert.deepEqual(failuresOf(cut, every), ['broken-links', 'broken-anchors']);
  });

  it('finds the other kinds of findings', () => {
    const empty: BundleReport = {
      ...whole,
      pages: 0,
      outsideFetchCount: 1,
      notes: [{ code: 'no-home-page' }],
    };
    assert.deepEqual(failuresOf(empty, every), ['outside-fetches', 'no-pages', 'no-home-page']);
  });
});
