import assert from 'node:assert/strict';
import { resultLines } from '../../../../src/export/commands/resultTexts';
import { plainTranslate } from '../../../../src/common/errors';
import type { ExportResults } from '../../../../src/export/job/results';
import { anExport } from '../../../builders/exports';

const at = 5;
const check = { at, pages: 20, broken: 0, outsideFetches: 0 };
const same = { at, against: 'v1', added: 0, removed: 0, moved: 0, changed: 0 };
const diff = { ...same, brokenLinks: 0, mendedLinks: 0 };

const lineOf = (results: ExportResults) => {
  const [line, ...others] = resultLines(anExport({ results }), plainTranslate);
  assert.ok(line && others.length === 0);
  return [line.state, line.text, line.short];
};

describe('resultLines', () => {
  for (const [what, results, line] of [
    ['a whole bundle', { check }, ['good', 'self-contained, 20 pages', 'self-contained']],
    [
      'a bundle of one page',
      { check: { ...check, pages: 1 } },
      ['good', 'self-contained, 1 page', 'self-contained'],
    ],
    [
      'a bundle without pages',
      { check: { ...check, pages: 0 } },
      ['trouble', 'no pages', 'no pages'],
    ],
    [
      'a bundle of 200,000 pages with very many findings',
      { check: { ...check, pages: 200_000, broken: 1_234_567, outsideFetches: 1 } },
      [
        'trouble',
        '1,234,567 broken links, 1 resource from another host',
        '1,234,567 broken links, 1 resource from another host',
      ],
    ],
    [
      'two bundles without a difference',
      { diff },
      ['good', 'no page differs, compared with v1', 'no page differs'],
    ],
    [
      'two bundles that have no page in common',
      { diff: { ...diff, added: 200_000, removed: 1, mendedLinks: 2 } },
      [
        'good',
        '200,000 pages added, 1 page removed, 2 links mended, compared with v1',
        '200,001 pages differ',
      ],
    ],
    [
      'links that broke',
      { diff: { ...diff, moved: 1, changed: 2, brokenLinks: 3 } },
      [
        'trouble',
        '1 page moved, 2 pages changed, 3 links broke, compared with v1',
        '3 links broke',
      ],
    ],
    [
      'questions that all passed',
      { questions: { at, passed: 9, failed: 0 } },
      ['good', '9 of 9 questions passed', '9 of 9 questions passed'],
    ],
    [
      'questions compared with an earlier run',
      { questions: { at, passed: 7, failed: 2, skipped: 1, lost: 1, gained: 3, against: 'v1' } },
      [
        'trouble',
        '7 of 10 questions passed, 1 not run, 1 lost, 3 gained, compared with v1',
        '7 of 10 questions passed',
      ],
    ],
  ] as const) {
    it(`describes the results of ${what}`, () => {
      assert.deepEqual(lineOf(results), line);
    });
  }

  it('marks a result as outdated once the archive has changed', () => {
    const archive = { path: '/v2.tar.gz', sizeBytes: 1, sha256: '2b'.repeat(32) };
    const results = {
      check: { ...check, broken: 1, sha256: '1a'.repeat(32) },
      questions: { at, passed: 1, failed: 0, sha256: archive.sha256 },
    };
    const lines = resultLines(anExport({ archive, results }), plainTranslate);
    assert.deepEqual(
      lines.map(({ state, short }) => [state, short]),
      [
        ['stale', '1 broken link (outdated)'],
        ['good', '1 of 1 questions passed'],
      ],
    );
  });

  it('says nothing about an export without results', () => {
    assert.deepEqual(resultLines(anExport(), plainTranslate), []);
  });
});
