import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as tar from 'tar';
import * as v from 'valibot';
import { bundleComparisonSchema, differenceKinds } from '../../../src/export/compare/comparison';
import { redirectFileSchema } from '../../../src/export/hosting/redirects';
import { differencesOf, plantDifferences, plantedDifferences } from '../../builders/spoiledBundle';
import { unpackedSample } from '../service/localServiceExporting';
import { run, runHere, type Ran } from './running';

const comparedSchema = v.object({
  event: v.literal('compared'),
  failed: v.array(v.string()),
  comparison: bundleComparisonSchema,
});

/** Returns the lines of a section of the document. */
function sectionOf(document: string, title: string): string[] {
  const section = document.split(/^## /m).find((part) => part.startsWith(`${title} (`)) ?? '';
  return section.split('\n').filter((line) => /^(?:- |### |\| (?!:?-|URL|Change))/.test(line));
}

/** Returns the first code in each line of a section. */
const codesOf = (document: string, title: string): string[] =>
  sectionOf(document, title).map((line) => /`([^`]+)`/.exec(line)?.[1] ?? line);

describe('docs-assistant bundle diff on two releases of the sample docs', () => {
  let folder = '';
  let release1 = '';
  let archive = '';
  let caches = '';

  const diffBy = (how: typeof run, ...options: readonly string[]): Promise<Ran> =>
    how(['bundle', 'diff', release1, archive, ...options], {
      cwd: folder,
      env: { DOCS_ASSISTANT_CACHE: caches },
    });
  const diff = (...options: readonly string[]): Promise<Ran> => diffBy(runHere, ...options);

  before(async function () {
    this.timeout(120_000);
    folder = await mkdtemp(path.join(os.tmpdir(), 'bundle-diff-'));
    caches = path.join(folder, 'cache');
    release1 = path.join(folder, 'release-1');
    await plantDifferences(await unpackedSample(folder), release1, path.join(folder, 'release-2'));
    archive = path.join(folder, 'release-2.tar.gz');
    await tar.create({ cwd: path.join(folder, 'release-2'), gzip: true, file: archive }, ['.']);
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A comparison that can only fail for a kind of differences that there is none of. */
  let whole: Ran;
  before(async () => {
    whole = await diffBy(
      run,
      ...['--report', 'diff.json', '--markdown', 'diff.md', '--redirects', 'redirects.json'],
      ...['--fail-on', 'different-sites'],
    );
  });

  it('finds exactly the planted differences, in JSON, Markdown and redirects', async () => {
    const { code, stdout, stderr } = whole;
    assert.equal(code, 0, stderr);
    const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');
    const comparison = v.parse(bundleComparisonSchema, JSON.parse(await read('diff.json')));
    assert.deepEqual(differencesOf(comparison), plantedDifferences);
    assert.deepEqual(comparison.notes, []);
    assert.deepEqual(
      [comparison.before.name, comparison.after.name],
      ['release-1', 'release-2.tar.gz'],
    );

    const document = await read('diff.md');
    const planted = plantedDifferences;
    const first = (entry: string): string => entry.split(/ → | \(/)[0] ?? '';
    const last = (entry: string): string => entry.split(' → ')[1] ?? '';
    assert.deepEqual(codesOf(document, 'Added pages'), planted.added);
    assert.deepEqual(codesOf(document, 'Removed pages'), planted.removed);
    assert.deepEqual(codesOf(document, 'Moved pages'), planted.moved.map(first));
    assert.deepEqual(codesOf(document, 'Changed pages'), planted.changed.map(first));
    assert.deepEqual(
      codesOf(document, 'Pages that changed only around their text'),
      planted.restyled,
    );
    assert.deepEqual(
      codesOf(document, 'Lost URLs'),
      planted.lost.map((entry) => entry.split(/ → |, /)[0]),
    );
    assert.deepEqual(codesOf(document, 'Other files'), [
      ...planted.changedAssets.map(last),
      ...planted.removedAssets,
      ...planted.addedAssets,
    ]);
    assert.match(document, /## Links that broke \(12\)/);
    assert.match(document, /## Links that were mended \(2\)/);
    assert.match(document, /\n-A key is remembered for 24 hours.*\n\+A key is remembered for 48/);

    const { redirects } = v.parse(redirectFileSchema, JSON.parse(await read('redirects.json')));
    assert.deepEqual(redirects, [
      { from: '/v2/en/guides/file-uploads', to: '/v2/en/guides/uploads.html', status: 301 },
      { from: '/v2/en/resources/rates', to: '/v2/en/resources/', status: 302 },
      { from: '/v2/en/sdk/go', to: '/v2/en/sdk/golang.html', status: 301 },
    ]);

    const lines = stdout.trim().split('\n');
    assert.ok(lines.includes('R100 v2/en/sdk/go.html → v2/en/sdk/golang.html'), stdout);
    assert.ok(lines.includes('M v2/en/idempotency.html (+1 −1)'), stdout);
    assert.ok(lines.includes('D v2/en/troubleshooting.html'), stdout);
    assert.ok(lines.includes('lost URL: /v2/en/troubleshooting: no good target'), stdout);
  });

  it('prints the comparison as an event, with the kinds that fail', async () => {
    const { code, stdout } = await diff('--json', '--fail-on', differenceKinds.join());
    assert.equal(code, 12);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    const { failed, comparison } = v.parse(comparedSchema, events.at(-1));
    assert.deepEqual(
      failed,
      differenceKinds.filter((kind) => kind !== 'different-sites'),
    );
    assert.deepEqual(differencesOf(comparison), plantedDifferences);
    assert.ok(events.slice(0, -1).every(({ event }) => event === 'comparing'));
  });

  it('fails only on kinds of differences that there are', async () => {
    assert.equal(whole.code, 0, whole.stdout);
    const same = await runHere([
      'bundle',
      'diff',
      release1,
      release1,
      '--fail-on',
      differenceKinds.join(),
    ]);
    assert.equal(same.code, 0, same.stdout);
    assert.equal(same.stdout, 'The texts, files and links are the same.\n');
  });

  it('refuses a kind that does not exist, a missing bundle, and a damaged one', async () => {
    const unknown = await diff('--fail-on', 'typos');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /typos.*broken-links/);
    const missing = await runHere(['bundle', 'diff', release1, path.join(folder, 'none')]);
    assert.equal(missing.code, 5);
    const damaged = path.join(folder, 'damaged.tar.gz');
    await writeFile(damaged, (await readFile(archive)).subarray(0, 5000));
    const broken = await runHere(['bundle', 'diff', damaged, release1], {
      env: { DOCS_ASSISTANT_CACHE: caches },
    });
    assert.notEqual(broken.code, 0);
    assert.match(broken.stderr, /damaged/);
  });
});
