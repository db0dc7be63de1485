import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkBundle } from '../../../src/export/check/checkBundle';
import { isSelfContained, type BundleReport } from '../../../src/export/check/reportTypes';
import { unpackedSample } from '../service/localServiceExporting';

const going = new AbortController().signal;

const check = (root: string): Promise<BundleReport> =>
  checkBundle({ root, signal: going, onProgress: () => undefined });

/** The place of a text in a file, as the report counts. */
const placeOf = (file: string, text: string, part: string): string => {
  const at = text.indexOf(part);
  assert.ok(at >= 0, `${part} stands in ${file}`);
  const before = text.slice(0, at).split('\n');
  return `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
};

describe('Check Bundle on the bundle that the local docs service makes of the sample docs', () => {
  let folder = '';
  let site = '';

  before(async function () {
    this.timeout(120_000);
    folder = await mkdtemp(path.join(os.tmpdir(), 'check-sample-'));
    site = await unpackedSample(folder);
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('finds no broken links and nothing loaded from other hosts', async () => {
    const report = await check(site);
    assert.deepEqual(report.broken, []);
    assert.deepEqual(report.outsideFetches, []);
    assert.deepEqual(report.notes, []);
    assert.ok(isSelfContained(report));
    // The sample has more than 30 pages, each with its navigation.
    assert.ok(report.pages > 30 && report.checkedLinks > 1000);
  });

  it('finds exactly the planted errors of a copy', async () => {
    const expected: string[] = [];
    const spoil = async (
      file: string,
      from: RegExp,
      to: string,
      address: string,
      finding: string,
    ): Promise<void> => {
      const text = await readFile(path.join(site, file), 'utf8');
      assert.match(text, from);
      const spoiled = text.replace(from, to);
      await writeFile(path.join(site, file), spoiled);
      expected.push(`${placeOf(file, spoiled, address)} ${finding}`);
    };

    await spoil(
      'v2/en/webhooks.html',
      /<main[^>]*>/,
      '$&<a href="nowhere.html">x</a>',
      'nowhere.html',
      'missing-file',
    );
    await spoil(
      'v2/en/errors.html',
      /href="#(?!site)[^"]+"/,
      'href="#no-such-heading"',
      '#no-such-heading',
      'missing-anchor',
    );

    await spoil(
      'v2/en/cli.html',
      /href="(\.\.\/)+assets\/site\.css"/,
      'href="../../assets/Site.css"',
      '../../assets/Site.css',
      'wrong-case',
    );
    await spoil(
      'v2/de/shipping.html',
      /src="(\.\.\/)+assets\/theme\.js"/,
      'src="https://cdn.example.com/theme.js"',
      'https://cdn.example.com/theme.js',
      'cdn.example.com',
    );
    await spoil(
      'assets/site.css',
      /$/,
      '@font-face{src:url(//fonts.example.com/a.woff2)}',
      '//fonts.example.com/a.woff2',
      'fonts.example.com',
    );
    await spoil(
      'assets/site.js',
      /$/,
      ';fetch("https://search.example.com/?q=1");',
      'https://search.example.com/?q=1',
      'search.example.com',
    );
    await spoil(
      'sitemap.xml',
      /(?<=<loc>)[^<]+\/v2\/en\/webhooks(?=<)/,
      'https://docs.example.com/v2/en/gone',
      'https://docs.example.com/v2/en/gone',
      'missing-file',
    );

    // A file that is gone breaks each place that shows it, and no other.
    await rename(
      path.join(site, 'images/webhook-retries.svg'),
      path.join(site, 'images/other.svg'),
    );
    const names = await readdir(site, { recursive: true });
    for (const name of names.filter((file) => file.endsWith('.html'))) {
      const text = await readFile(path.join(site, name), 'utf8');
      for (const { index } of text.matchAll(/(?<=(?:src|href)=")[^"]*webhook-retries\.svg/g)) {
        const before = text.slice(0, index).split('\n');
        const column = (before.at(-1) ?? '').length + 1;
        const file = name.replaceAll(path.sep, '/');
        expected.push(`${file}:${before.length}:${column} missing-file`);
      }
    }
    assert.ok(expected.length > 7);

    const report = await check(site);
    const found = [
      ...report.broken.map((link) => ({ ...link, what: link.reason })),
      ...report.outsideFetches.map((fetched) => ({ ...fetched, what: fetched.host })),
    ].map(({ file, line, column, what }) => `${file}:${line}:${column} ${what}`);
    assert.deepEqual(found.sort(), expected.sort());
    assert.equal(isSelfContained(report), false);
  });
});
