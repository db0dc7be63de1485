import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { exportCommands } from '../../../../src/common/contributions';
import {
  compareHandlers,
  type ComparedBundles,
  type Comparisons,
} from '../../../../src/export/commands/compareCommands';
import type { OpenedSite } from '../../../../src/export/commands/storedSites';
import type { BundleComparison, LostAddress } from '../../../../src/export/compare/comparison';
import { ExportError } from '../../../../src/export/exportErrors';
import { aTar } from '../../../builders/archive';
import { aComparison } from '../../../builders/comparison';
import { FakeClock } from '../../../fakes/fakeClock';
import { aView, FakeExports } from '../../../fakes/fakeExports';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { RecordingLog } from '../../../fakes/recordingLog';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const redirect = { from: '/old', to: '/new', status: 301 } as const;
const lost: LostAddress = {
  page: 'old.html',
  title: 'Old',
  address: '/old',
  links: 1,
  isInOldSitemap: false,
  linkedFrom: ['index.html'],
  redirect,
  because: 'moved',
};
const differing = aComparison({
  counts: { changedPages: 12, removedPages: 1, brokenLinks: 2, mendedLinks: 1 },
  lostAddresses: [lost],
});

describe('compareHandlers', () => {
  let folder = '';

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'compare-commands-'));
    for (const name of ['old', 'new']) await mkdir(path.join(folder, name));
    await writeFile(
      path.join(folder, 'bundle.tar'),
      aTar([{ name: 'index.html', content: '<p>' }]),
    );
    await writeFile(path.join(folder, 'old', 'index.html'), '<p>');
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const inFolder = (name: string): string => path.join(folder, name);

  /** Writes a worker that answers with a comparison as soon as it is asked. */
  async function workerWith(comparison: BundleComparison): Promise<string> {
    const script = inFolder('worker.mjs');
    const messages = [
      { name: 'progress', progress: { step: 'after', pages: 1, totalPages: 2 } },
      { name: 'result', result: comparison },
    ];
    await writeFile(
      script,
      `import { parentPort, workerData } from 'node:worker_threads';
      for (const message of ${JSON.stringify(messages)}) {
        if (message.result) {
          message.result.before.name = workerData.before.name;
          message.result.after.name = workerData.after.name;
        }
        parentPort.postMessage(message);
      }`,
    );
    return script;
  }

  async function window(
    views: readonly ReturnType<typeof aView>[] = [],
    comparison = differing,
    sites: readonly OpenedSite[] = [],
  ) {
    const ui = new ScriptedUi();
    const exports = new FakeExports(...views);
    const comparisons = new FakeComparisons();
    const handlers = compareHandlers({
      exports,
      ui,
      comparisons,
      log: new RecordingLog(),
      clock: new FakeClock(),
      compareScript: await workerWith(comparison),
      sites: { list: sites, add: () => Promise.resolve() },
      memento: new MemoryMemento(),
      timeouts: () => ({ headersTimeoutMs: 1000, idleTimeoutMs: 1000 }),
      fetch: () => Promise.reject(new Error('No request was planned')),
      random: () => 0.5,
      newId: () => 'unpacking',
    });
    const run = async (
      command: keyof typeof exportCommands,
      node?: unknown,
      selection?: readonly unknown[],
    ): Promise<void> => handlers[exportCommands[command]]?.(node, selection);
    return { ui, exports, comparisons, run };
  }

  const anUnpacked = (id: string, name: string, record: Parameters<typeof aView>[0] = {}) =>
    aView({ id, outcome: 'completed', siteFolder: inFolder(name), ...record });
  const older = () => anUnpacked('a', 'old', { startedAt: 1000 });
  const newer = () => anUnpacked('b', 'new', { startedAt: 100_000 });
  const both = [
    { kind: 'export', id: 'b' },
    { kind: 'export', id: 'a' },
  ];

  it('compares two exports, shows the result and stores it with the later one', async () => {
    const { ui, exports, comparisons, run } = await window([newer(), older()]);
    ui.answer('Show as Document');
    await run('compareBundles', both[0], both);
    const { before, after, comparison } = comparisons.shown ?? assert.fail('nothing is shown');
    assert.deepEqual([before.folder, after.folder], [inFolder('old'), inFolder('new')]);
    assert.notEqual(before.name, after.name);
    assert.equal(comparison.counts.changedPages, 12);
    const result = {
      against: before.name,
      added: 0,
      removed: 1,
      moved: 0,
      changed: 12,
      brokenLinks: 2,
      mendedLinks: 1,
    };
    const noted = `noteResult ${inFolder('new')} diff ${JSON.stringify(result)}`;
    assert.deepEqual(exports.calls, [noted]);
    const [progress] = ui.progresses;
    assert.equal(progress?.isOpen, false);
    assert.match(progress.reports[0]?.message ?? '', /: 1 of 2 pages$/);
    assert.deepEqual(ui.shown.at(-1), {
      kind: 'inform',
      text: '2 broken links, 1 lost URL, 12 changed pages, 1 removed page, 1 mended link',
      options: ['Show as Document', 'Show All Changes', 'Save Redirects…'],
    });
    await Promise.resolve();
    assert.deepEqual(ui.ran, [[exportCommands.showComparisonReport]]);
  });

  it('offers only useful actions after a comparison without differences', async () => {
    const { ui, run } = await window([newer(), older()], aComparison());
    await run('compareBundles', both[0], both);
    assert.deepEqual(ui.shown.at(-1)?.options, ['Show as Document']);
    assert.equal(ui.shown.at(-1)?.text, 'The texts, files and links are the same.');
  });

  // Shows faults.md R1.
  it('asks before two exports of different sites are compared', async () => {
    const other = anUnpacked('a', 'old', { startedAt: 1000, exportDomain: 'other.example.com' });
    const { ui, comparisons, run } = await window([newer(), other]);
    await run('compareBundles', both[0], both);
    assert.match(ui.texts('confirm')[0] ?? '', /^other\.example\.com and docs\.example\.com are/);
    assert.equal(comparisons.shown, undefined);
    ui.answer('Compare');
    await run('compareBundles', both[0], both);
    assert.ok(comparisons.shown);
  });

  it('warns that two folders seem to be of different sites', async () => {
    const comparison = aComparison({ notes: [{ code: 'little-in-common', count: 3 }] });
    const { ui, run } = await window([newer(), older()], comparison);
    await run('compareBundles', both[0], both);
    assert.match(ui.texts('warn')[0] ?? '', /different sites.* 3 % of their pages/);
  });

  it('unpacks an archive that was not unpacked yet, and says nothing about it', async () => {
    const archive = { path: inFolder('bundle.tar'), sizeBytes: 1, sha256: '0'.repeat(64) };
    const packed = aView({ id: 'b', outcome: 'completed', startedAt: 100_000, archive });
    const { ui, exports, comparisons, run } = await window([packed, older()]);
    exports.noteFiles = () => Promise.resolve();
    ui.answer('Next to the archive');
    await run('compareBundles', both[0], both);
    assert.equal(comparisons.shown?.after.folder, inFolder('bundle'));
    assert.deepEqual(
      ui.shown.map(({ kind }) => kind),
      ['choose', 'progress', 'progress', 'inform'],
    );
  });

  // Shows faults.md R2.
  it('downloads a bundle that is not on this machine first', async () => {
    const remote = aView({ id: 'b', outcome: 'completed', startedAt: 100_000 });
    const { ui, comparisons, run } = await window([remote, older()]);
    await run('compareBundles', both[0], both);
    assert.deepEqual(ui.texts('dialog'), ['Download the Bundle of docs.example.com']);
    assert.equal(comparisons.shown, undefined);
  });

  it('stops without a comparison when the user cancels a question', async () => {
    const { ui, comparisons, run } = await window([newer(), older()]);
    await run('compareBundles');
    await run('compareBundles', both[0]);
    assert.equal(comparisons.shown, undefined);
    assert.deepEqual(ui.progresses, []);
  });

  // Shows faults.md R6.
  it('shows nothing if the comparison is canceled', async () => {
    const { ui, exports, comparisons, run } = await window([newer(), older()]);
    ui.delay = () => {
      ui.progresses.at(-1)?.cancel();
      return Promise.resolve();
    };
    await run('compareBundles', both[0], both);
    assert.equal(comparisons.shown, undefined);
    assert.deepEqual(exports.calls, []);
  });

  // Shows faults.md R3.
  it('refuses a folder for both sides', async () => {
    const { ui, comparisons, run } = await window([newer()], differing, [
      { folder: inFolder('new'), label: 'Same' },
    ]);
    ui.answer('Same');
    await run('compareBundles', { kind: 'export', id: 'b' });
    assert.equal(comparisons.shown, undefined);
    assert.match(ui.texts('inform')[0] ?? '', /^Both bundles are the same folder/);
  });

  it('fails with the error of the comparison, and keeps no result', async () => {
    const { exports, comparisons, run } = await window([newer(), older()]);
    await writeFile(inFolder('worker.mjs'), 'throw new RangeError("out of memory");');
    await assert.rejects(
      run('compareBundles', both[0], both),
      (error) => error instanceof ExportError && error.code === 'compare-failed',
    );
    assert.equal(comparisons.shown, undefined);
    assert.deepEqual(exports.calls, []);
  });

  // Shows faults.md R7.
  it('shows the comparison of an export again, and compares again if this window has none', async () => {
    const { ui, comparisons, run } = await window([newer(), older()]);
    await run('compareBundles', both[0], both);
    const first = comparisons.shown;
    await comparisons.close();
    await run('showComparison', { kind: 'detail', id: 'b', name: 'diff' });
    assert.equal(comparisons.shown, first);
    comparisons.all.length = 0;
    ui.answer('The export before it');
    await run('showComparison', { kind: 'export', id: 'b' });
    assert.notEqual(comparisons.shown, first);
    assert.ok(comparisons.shown);
  });

  it('copies and saves the whole comparison as JSON', async () => {
    const { ui, comparisons, run } = await window([newer(), older()]);
    await run('compareBundles', both[0], both);
    ui.answer(inFolder('comparison.json'));
    await run('copyComparison');
    await run('saveComparison');
    const { comparison } = comparisons.shown ?? assert.fail();
    for (const text of [ui.copied[0], ui.saved[0]])
      assert.deepEqual(JSON.parse(text ?? ''), comparison);
  });

  it('saves the redirects in the form that hosting configurations are made of', async () => {
    const { ui, run } = await window([newer(), older()]);
    await run('compareBundles', both[0], both);
    ui.answer(inFolder('redirects.json'));
    await run('saveRedirects');
    assert.deepEqual(JSON.parse(ui.saved[0] ?? ''), { version: 1, redirects: [redirect] });
  });

  it('says so if a comparison needs no redirects', async () => {
    const { ui, run } = await window([newer(), older()], aComparison());
    await run('compareBundles', both[0], both);
    await run('saveRedirects');
    assert.equal(ui.texts('inform').at(-1), 'This comparison needs no redirects.');
    assert.deepEqual(ui.saved, []);
  });

  it('says so if there is no comparison to copy or save', async () => {
    const { ui, run } = await window();
    for (const command of ['copyComparison', 'saveComparison', 'saveRedirects'] as const)
      await run(command);
    assert.deepEqual(ui.texts(), Array(3).fill('Compare two bundles first.'));
  });
});

/** Keeps comparisons as the view does. */
class FakeComparisons implements Comparisons {
  readonly all: ComparedBundles[] = [];
  shown: ComparedBundles | undefined;

  show(compared: ComparedBundles): Promise<void> {
    this.all.push(compared);
    this.shown = compared;
    return Promise.resolve();
  }

  of(siteFolder: string): ComparedBundles | undefined {
    return this.all.findLast(({ after }) => after.folder === siteFolder);
  }

  showReport(): Promise<void> {
    return Promise.resolve();
  }

  showAllChanges(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.shown = undefined;
    return Promise.resolve();
  }
}
