import assert from 'node:assert/strict';
import {
  chooseBundlePair,
  exportBefore,
  sideNames,
  bundleSiteName,
  type BundlePair,
  type ChosenBundle,
} from '../../../../src/export/commands/bundleChoice';
import type { OpenedSite } from '../../../../src/export/commands/storedSites';
import { aView, FakeExports } from '../../../fakes/fakeExports';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const DAY = 86_400_000;
const start = Date.parse('2025-03-01T09:00:00.000Z');

/** A completed export that was started that many days later. */
const exported = (id: string, day: number, record: Parameters<typeof aView>[0] = {}) =>
  aView({ id, outcome: 'completed', startedAt: start + day * DAY, ...record });

const first = exported('first', 1);
const second = exported('second', 2);
const third = exported('third', 3);
const other = exported('other', 2, { exportDomain: 'other.example.com' });
const all = [third, second, other, first];
const node = (id: string) => ({ kind: 'export', id });

const nameOf = (bundle: ChosenBundle): string =>
  bundle.kind === 'export' ? bundle.view.record.id : bundleSiteName(bundle);
const namesOf = (pair: BundlePair | undefined) => pair && [nameOf(pair.before), nameOf(pair.after)];

interface Asked {
  readonly views?: readonly ReturnType<typeof aView>[];
  readonly sites?: readonly OpenedSite[];
  readonly node?: unknown;
  readonly selection?: unknown;
  readonly answers?: readonly (string | undefined)[];
}

async function choose({ views = all, sites = [], node: argument, selection, answers = [] }: Asked) {
  const ui = new ScriptedUi().answer(...answers);
  const exports = new FakeExports(...views);
  const pair = await chooseBundlePair({ exports, sites: { list: sites }, ui }, argument, selection);
  return { pair: namesOf(pair), ui };
}

describe('chooseBundlePair', () => {
  it('uses two selected exports in order of time, without asking', async () => {
    for (const ids of [
      ['first', 'third'],
      ['third', 'first'],
    ] as const) {
      const selection = ids.map(node);
      const { pair, ui } = await choose({ node: selection[1], selection });
      assert.deepEqual(pair, ['first', 'third']);
      assert.deepEqual(ui.shown, []);
    }
  });

  it('offers the export of the same site before a single node first', async () => {
    const answers = ['The export before it'];
    const { pair, ui } = await choose({ node: node('third'), answers });
    assert.deepEqual(pair, ['second', 'third']);
    const [list] = ui.shown;
    assert.equal(list?.text, 'Compare docs.example.com With an Earlier Bundle');
    assert.deepEqual(list.options, [
      'The export before it',
      'other.example.com',
      'docs.example.com',
      'Another archive on this machine…',
      'A folder with an unpacked bundle…',
    ]);
  });

  it('puts the later export last, even if it was chosen as the earlier one', async () => {
    // No export is before the first one, so the first in the list is the newest.
    const { pair } = await choose({ node: node('first'), answers: ['docs.example.com'] });
    assert.deepEqual(pair, ['first', 'third']);
  });

  it('asks for both without a node, the later one first', async () => {
    const { pair, ui } = await choose({ answers: ['other.example.com', 'docs.example.com'] });
    assert.deepEqual(pair, ['other', 'third']);
    assert.equal(ui.texts('choose')[0], 'Compare Bundles: Choose the Later Bundle');
  });

  it('compares two archives or folders of this machine, in the order in which it asks for them', async () => {
    const { pair, ui } = await choose({
      views: [],
      answers: [
        'Another archive on this machine…',
        '/home/me/new.tar.gz',
        'A folder with an unpacked bundle…',
        '/home/me/old',
      ],
    });
    assert.deepEqual(pair, ['old', 'new']);
    assert.equal(ui.shown.length, 4);
  });

  it('asks which of two opened bundles is the earlier one, as their folders don’t say', async () => {
    const sites = [
      { folder: '/a/docs', label: 'A' },
      { folder: '/b/docs', label: 'B' },
    ];
    const selection = sites.map(({ folder }) => ({ kind: 'site', folder }));
    const { pair, ui } = await choose({ sites, node: selection[0], selection, answers: ['B'] });
    assert.deepEqual(pair, ['B', 'A']);
    assert.deepEqual(ui.shown[0]?.options, ['A', 'B']);
    assert.equal((await choose({ sites, node: selection[0], selection })).pair, undefined);
  });

  it('treats the rows below an export as the export', async () => {
    const detail = { kind: 'detail', id: 'first', name: 'job' };
    const selection = [detail, node('first'), node('second')];
    assert.deepEqual((await choose({ node: detail, selection })).pair, ['first', 'second']);
  });

  it('says so if more than two bundles are selected', async () => {
    const selection = ['first', 'second', 'third'].map(node);
    const { pair, ui } = await choose({ node: selection[0], selection });
    assert.equal(pair, undefined);
    assert.deepEqual(ui.texts(), ['Select two bundles to compare them.']);
  });

  it('says so if what is selected has no bundle, or only one of the two', async () => {
    const running = aView({ id: 'running' });
    for (const selection of [[node('running')], [node('running'), node('first')]]) {
      const { pair, ui } = await choose({ views: [running, first], node: selection[0], selection });
      assert.equal(pair, undefined);
      assert.deepEqual(ui.texts(), ['There is no bundle to compare yet.']);
    }
  });

  it('doesn’t offer a bundle to be compared with itself', async () => {
    const { ui } = await choose({ views: [first], node: node('first') });
    assert.deepEqual(ui.shown[0]?.options, [
      'Another archive on this machine…',
      'A folder with an unpacked bundle…',
    ]);
  });

  it('returns nothing if the user cancels at any step', async () => {
    assert.equal((await choose({})).pair, undefined);
    assert.equal((await choose({ answers: ['docs.example.com'] })).pair, undefined);
    assert.equal((await choose({ answers: ['Another archive on this machine…'] })).pair, undefined);
    assert.equal((await choose({ node: node('third') })).pair, undefined);
  });
});

describe('exportBefore', () => {
  it('is the newest earlier export of the same site that has a bundle', () => {
    const failed = aView({ id: 'failed', outcome: 'failed', startedAt: start + 2.5 * DAY });
    assert.equal(exportBefore(third, [...all, failed]), second);
    assert.equal(exportBefore(first, all), undefined);
    assert.equal(exportBefore(other, all), undefined);
  });
});

describe('sideNames', () => {
  const names = (before: ChosenBundle, after: ChosenBundle) =>
    sideNames({ before, after }, 'en-US');
  const site = (folder: string, label: string): ChosenBundle => ({
    kind: 'site',
    site: { folder, label },
  });

  it('are the dates of two exports of one site', () => {
    const both = names({ kind: 'export', view: first }, { kind: 'export', view: third });
    assert.match(both.before, /^Mar 2, 2025, /);
    assert.match(both.after, /^Mar 4, 2025, /);
  });

  it('are the version labels of two exports of one site, unless both have the same one', () => {
    const named = (id: string, day: number, label: string): ChosenBundle => ({
      kind: 'export',
      view: exported(id, day, { label }),
    });
    const labels = names(named('a', 1, 'v1'), named('b', 2, 'v2'));
    assert.deepEqual(labels, { before: 'v1', after: 'v2' });
    const dates = names(named('a', 1, 'v2'), named('b', 2, 'v2'));
    assert.match(dates.before, /^Mar 2, 2025, /);
  });

  it('are the sites if they differ', () => {
    const both = names({ kind: 'export', view: other }, { kind: 'export', view: third });
    assert.deepEqual(both, { before: 'other.example.com', after: 'docs.example.com' });
  });

  it('are the ends of the paths of folders with the same name', () => {
    assert.deepEqual(names(site('/x/old/docs', 'docs'), site('/x/new/docs', 'docs')), {
      before: 'old/docs',
      after: 'new/docs',
    });
    assert.deepEqual(names(site('/x/1/docs/site', 'site'), site('/x/2/docs/site', 'site')), {
      before: '/x/1/docs/site',
      after: '/x/2/docs/site',
    });
  });
});
