import assert from 'node:assert/strict';
import * as v from 'valibot';
import MarkdownIt from 'markdown-it';
import { findingsByFile } from '../../../../src/export/check/findingsByFile';
import { reportJson, reportMarkdown } from '../../../../src/export/check/report';
import {
  addressKinds,
  brokenReasons,
  bundleReportSchema,
  isSelfContained,
  noteCodes,
  type BrokenLink,
  type BundleReport,
  type OutsideFetch,
} from '../../../../src/export/check/reportTypes';

function aReport(parts: Partial<BundleReport> = {}): BundleReport {
  const { broken = [], outsideFetches = [] } = parts;
  return {
    schemaVersion: 1,
    pages: 38,
    files: 52,
    sizeBytes: 1_234_567,
    checkedLinks: 900,
    basePath: '',
    brokenCount: broken.length,
    broken,
    outsideFetchCount: outsideFetches.length,
    outsideFetches,
    outsideLinks: { count: 0, byHost: [] },
    notes: [],
    ...parts,
  };
}

function aBrokenLink(parts: Partial<BrokenLink> = {}): BrokenLink {
  const place = { file: 'guides/start.html', line: 12, column: 5, endColumn: 14 };
  return { ...place, kind: 'link', address: 'gone.html', reason: 'missing-file', ...parts };
}

function aFetch(parts: Partial<OutsideFetch> = {}): OutsideFetch {
  const address = 'https://cdn.example.com/a.js';
  return {
    file: 'index.html',
    line: 3,
    column: 14,
    kind: 'script',
    host: 'cdn.example.com',
    address,
    ...parts,
  };
}

const render = (report: BundleReport): string =>
  new MarkdownIt({ html: true }).render(reportMarkdown(report));

describe('isSelfContained', () => {
  it('is true for pages without broken links or content from other hosts', () => {
    const byHost = [{ host: 'example.com', count: 5 }];
    assert.equal(isSelfContained(aReport({ outsideLinks: { count: 5, byHost } })), true);
    assert.equal(isSelfContained(aReport({ broken: [aBrokenLink()] })), false);
    assert.equal(isSelfContained(aReport({ outsideFetches: [aFetch()] })), false);
    assert.equal(isSelfContained(aReport({ pages: 0 })), false);
  });
});

describe('reportMarkdown', () => {
  it('starts with the verdict', () => {
    const [first] = reportMarkdown(aReport()).split('\n');
    assert.equal(
      first,
      '# Self-contained: 38 pages, no broken links, nothing loaded from other hosts',
    );
    const [spoiled] = reportMarkdown(
      aReport({ pages: 1, broken: [aBrokenLink()], outsideFetches: [aFetch(), aFetch()] }),
    ).split('\n');
    assert.equal(
      spoiled,
      '# Not self-contained: 1 page, 1 broken link, 2 resources from other hosts',
    );
    assert.match(reportMarkdown(aReport({ pages: 0 })), /^# No site/);
  });

  // Shows faults.md O16.
  it('fails resources from other hosts on an air-gapped site', () => {
    const airGapped = { isAirGapped: true } as const;
    const text = reportMarkdown(aReport({ ...airGapped, outsideFetches: [aFetch()] }));
    assert.match(
      text,
      /^# Fails on an air-gapped site: 38 pages, 0 broken links, 1 resource from another host\n/,
    );
    assert.match(text, /always fail there/);
    assert.match(reportMarkdown(aReport(airGapped)), /^# Self-contained/);
    const broken = reportMarkdown(aReport({ ...airGapped, broken: [aBrokenLink()] }));
    assert.match(broken, /^# Not self-contained/);
  });

  it('leaves no gap for a section that has nothing to say', () => {
    assert.doesNotMatch(reportMarkdown(aReport()), /\n{3}/);
  });

  it('gives the figures in readable units', () => {
    const text = reportMarkdown(aReport({ durationMs: 1234, basePath: '/a|b' }));
    assert.match(text, /\| Pages \| 38 \|/);
    assert.match(text, /\| Size \| 1\.3 MB \|/);
    assert.match(text, /\| Time \| 1\.2 s \|/);
    assert.match(text, /\| Base path \| `\/a\\\|b` \|/);
  });

  it('lists broken links by page, with line and suggestion', () => {
    const text = reportMarkdown(
      aReport({
        broken: [
          aBrokenLink(),
          aBrokenLink({
            line: 20,
            kind: 'image',
            address: 'A.png',
            reason: 'wrong-case',
            suggestion: 'guides/a.png',
          }),
        ],
      }),
    );
    assert.match(text, /### `guides\/start\.html` \(2\)/);
    assert.match(text, /- Line 12: `gone\.html`: the bundle has no such file\n/);
    assert.match(text, /- Line 20: `A\.png` \(image\): only `guides\/a\.png` exists/);
  });

  it('lists content from other hosts by host, each URL once with its first places', () => {
    const pages = ['a', 'b', 'c', 'd', 'e'].map((name) => aFetch({ file: `${name}.html` }));
    const text = reportMarkdown(
      aReport({
        outsideFetches: [
          aFetch({ host: 'a.example.com', address: 'https://a.example.com/', kind: 'font' }),
          ...pages,
        ],
      }),
    );
    assert.ok(text.indexOf('### `cdn.example.com` (5)') < text.indexOf('### `a.example.com` (1)'));
    assert.match(
      text,
      /- `https:\/\/cdn\.example\.com\/a\.js` \(script\): `a\.html` line 3, `b\.html` line 3, `c\.html` line 3, and 2 more places\n/,
    );
  });

  it('cuts long lists, and says how many entries are left and where all are', () => {
    const broken = Array.from({ length: 60 }, (_, page) =>
      Array.from({ length: 30 }, (_, line) =>
        aBrokenLink({ file: `p${page}.html`, line: line + 1 }),
      ),
    ).flat();
    const text = reportMarkdown(aReport({ broken }));
    assert.match(text, /## Broken links \(1,800\)/);
    assert.match(text, /- 10 more on this page\. The report saved as JSON lists all/);
    assert.match(text, /- 10 more pages\. The report saved as JSON lists all/);
    assert.equal(text.match(/^- Line/gm)?.length, 50 * 20);
  });

  it('escapes texts of the bundle, so that none becomes Markdown or HTML', () => {
    const hostile =
      '`</code>`` <img src=x onerror=alert(1)>\n\n# [x](command:a) \u202egnp.exe | ![](https://evil.example/)';
    const html = render(
      aReport({
        broken: [
          aBrokenLink({ file: hostile, address: hostile, suggestion: hostile }),
          aBrokenLink({ file: 'b.html', address: '`' }),
          aBrokenLink({ file: 'c.html', address: '   ' }),
        ],
        outsideFetches: [aFetch({ file: hostile, host: hostile, address: hostile })],
        outsideLinks: { count: 1, byHost: [{ host: hostile, count: 1 }] },
        notes: [{ code: 'unreadable-script', file: hostile, line: 1, detail: hostile }],
        basePath: `/${hostile}`,
      }),
    );
    assert.doesNotMatch(html, /<img|<a |command:a"|\u202e/);
    assert.equal(html.match(/<h1>/g)?.length, 1);
    assert.ok(html.includes('&lt;img src=x'));
  });

  it('has a sentence for every reason, kind and note', () => {
    const text = reportMarkdown(
      aReport({
        broken: [
          ...brokenReasons.map((reason) => aBrokenLink({ reason, suggestion: 'x' })),
          ...addressKinds.map((kind) => aBrokenLink({ kind, file: 'b.html' })),
        ],
        notes: noteCodes.map((code) => ({ code, file: 'a', line: 1, count: 2, detail: 'why' })),
      }),
    );
    assert.doesNotMatch(text, /undefined|\{\d\}|\?/);
    assert.equal(
      new Set(text.split('\n').filter((line) => line.startsWith('- `a` line'))).size,
      noteCodes.length,
    );
  });

  // Shows faults.md D29.
  it('stays short and says what it leaves out for 200,000 pages with findings on each', () => {
    const broken = Array.from({ length: 50_000 }, (_, index) =>
      aBrokenLink({ file: `p${index}.html` }),
    );
    const notes = [{ code: 'capped', count: 350_000 } as const];
    const size = { pages: 200_000, files: 200_001, checkedLinks: 2_000_000 };
    const text = reportMarkdown(aReport({ ...size, broken, brokenCount: 400_000, notes }));
    assert.match(text, /^# Not self-contained: 200,000 pages, 400,000 broken links, /);
    assert.match(text, /49,950 more pages\. The report saved as JSON lists all\./);
    assert.match(text, /Findings not listed in this report: 350,000/);
    assert.ok(text.split('\n').length < 300, `${text.split('\n').length} lines`);
  });

  it('is in the user’s language', () => {
    const text = reportMarkdown(aReport({ broken: [aBrokenLink()] }), (message) => `«${message}»`);
    assert.match(text, /^# «Not self-contained/);
    assert.match(text, /«the bundle has no such file»/);
  });
});

describe('reportJson', () => {
  it('can be parsed into the same report', () => {
    const report = aReport({
      broken: [aBrokenLink({ suggestion: 'x' })],
      outsideFetches: [aFetch()],
      notes: [{ code: 'capped', count: 2 }],
      durationMs: 5,
    });
    const text = reportJson(report);
    assert.deepEqual(v.parse(bundleReportSchema, JSON.parse(text)), report);
    assert.ok(text.endsWith('}\n'));
  });

  it('is refused if it has another version or lacks its lists', () => {
    assert.equal(v.is(bundleReportSchema, { ...aReport(), schemaVersion: 2 }), false);
    assert.equal(v.is(bundleReportSchema, { ...aReport(), broken: undefined }), false);
  });
});

describe('findingsByFile', () => {
  it('marks outside fetches as errors on an air-gapped site, and as warnings elsewhere', () => {
    const severity = (parts: Partial<BundleReport>): string | undefined =>
      findingsByFile(aReport({ outsideFetches: [aFetch()], ...parts })).get('index.html')?.[0]
        ?.severity;
    assert.equal(severity({}), 'warning');
    assert.equal(severity({ isAirGapped: true }), 'error');
  });

  it('returns errors, warnings and information by file, in order of their lines', () => {
    const findings = findingsByFile(
      aReport({
        broken: [aBrokenLink({ file: 'index.html', line: 9, suggestion: 'got.html' })],
        outsideFetches: [aFetch(), aFetch({ file: 'b.html' })],
        notes: [
          { code: 'unreadable-script', file: 'index.html', line: 4, column: 2, detail: 'why' },
          { code: 'no-home-page' },
        ],
      }),
    );
    assert.deepEqual([...findings.keys()], ['b.html', 'index.html']);
    assert.deepEqual(findings.get('index.html'), [
      {
        line: 3,
        column: 14,
        endColumn: undefined,
        message: 'Loaded from another host (script): https://cdn.example.com/a.js',
        severity: 'warning',
      },
      {
        line: 4,
        column: 2,
        message: 'This script can’t be parsed, so what it loads is unknown: “why”',
        severity: 'information',
      },
      {
        line: 9,
        column: 5,
        endColumn: 14,
        message: 'Broken link “gone.html”: the bundle has no such file, but it has “got.html”',
        severity: 'error',
      },
    ]);
  });

  it('says how many findings there are if it returns only the first ones', () => {
    const broken = ['a.html', 'b.html', 'c.html'].flatMap((file) =>
      [1, 2, 3].map((line) => aBrokenLink({ file, line })),
    );
    const report = aReport({ broken, outsideFetches: [aFetch({ file: 'a.html', line: 9 })] });
    const placesOf = (most: number) =>
      [...findingsByFile(report, undefined, most)].map(([file, findings]) => [
        file,
        ...findings.map(({ line, severity }) => (severity === 'information' ? 'note' : line)),
      ]);
    assert.deepEqual(placesOf(10).length, 3);
    assert.deepEqual(placesOf(5), [
      ['a.html', 1, 2, 3, 9],
      ['b.html', 1, 'note'],
    ]);
    assert.deepEqual(placesOf(4), [['a.html', 1, 2, 3, 9, 'note']]);
    assert.deepEqual(placesOf(0), [['a.html', 'note']]);
    const note = findingsByFile(report, undefined, 4).get('a.html')?.at(-1)?.message;
    assert.match(note ?? '', /^4 of 10 findings in this bundle are listed here\./);
  });

  it('formats no message for findings that it does not return', () => {
    const broken = Array.from({ length: 50_000 }, (_, index) => aBrokenLink({ line: index + 1 }));
    let sentences = 0;
    const counting = (message: string): string => {
      sentences++;
      return message;
    };
    const report = aReport({ pages: 200_000, broken, brokenCount: 1_234_567 });
    const findings = findingsByFile(report, counting, 1000);
    assert.equal(findings.get('guides/start.html')?.length, 1001);
    assert.ok(sentences < 5000, `${sentences} sentences`);
  });

  it('limits messages to one short line', () => {
    const [finding] =
      findingsByFile(aReport({ broken: [aBrokenLink({ address: 'a\n\u0007'.repeat(400) })] })).get(
        'guides/start.html',
      ) ?? [];
    assert.ok(finding && finding.message.length < 300);
    assert.doesNotMatch(finding.message, /\p{Cc}/u);
  });
});
