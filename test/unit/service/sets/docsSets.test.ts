import assert from 'node:assert/strict';
import type { LocalDocs } from '../../../../src/service/server/servedDocs';
import { DocsSets, isSameDocs, MAX_SETS } from '../../../../src/service/sets/docsSets';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { RecordingLog } from '../../../fakes/recordingLog';

const guide: LocalDocs = { kind: 'folder', folder: '/docs/guide', label: 'guide' };
const site: LocalDocs = {
  kind: 'site',
  url: 'https://docs.example.com/',
  folder: '/own/1/pages',
  label: 'docs.example.com',
};

/** Returns the stores of several windows over one global state. */
function windows() {
  const memento = new MemoryMemento();
  const clock = new FakeClock();
  const log = new RecordingLog();
  let ids = 0;
  const open = () => new DocsSets({ memento, clock, newId: () => `id-${++ids}`, log });
  return { memento, clock, log, open };
}

describe('DocsSets', () => {
  it('keeps sets for later windows, and lists the last used set first', async () => {
    const { clock, open, log } = windows();
    const sets = open();
    await sets.add(guide, { pages: 3, fetchedAt: 5 });
    await clock.advance(1000);
    await sets.add(site, { pages: 200, sizeBytes: 4_000_000, ownFolder: 'own-1' });
    const [first, second] = open().list;
    assert.deepEqual(first?.docs, site);
    assert.equal(first.sizeBytes, 4_000_000);
    assert.equal(first.ownFolder, 'own-1');
    assert.deepEqual(second?.docs, guide);
    assert.equal(second.pages, 3);
    log.assertNoErrors();
  });

  it('recognizes docs by folder and kind, and sites by URL, whatever their names are', async () => {
    const { open } = windows();
    const sets = open();
    const { id } = await sets.add(guide);
    assert.equal(sets.find({ ...guide, label: 'another name' })?.id, id);
    assert.equal(sets.find({ ...guide, kind: 'bundle' }), undefined);
    const { id: siteId } = await sets.add(site);
    assert.equal(sets.find({ ...site, folder: '' })?.id, siteId);
    assert.equal(sets.find({ ...site, url: 'https://docs.example.com/v2' }), undefined);
  });

  it('keeps the name that the reader gave to a set when its docs are added again', async () => {
    const { open } = windows();
    const sets = open();
    const { id } = await sets.add(guide);
    await sets.change(id, (set) => ({ ...set, docs: { ...set.docs, label: 'Handbook' } }));
    const again = await sets.add(guide, { pages: 7 });
    assert.equal(again.id, id);
    assert.equal(again.docs.label, 'Handbook');
    assert.equal(again.threadName, 'guide', 'its threads stay where they are');
    assert.equal(again.pages, 7);
  });

  it('numbers a name that another set has or had, because threads are stored by name', async () => {
    const { open } = windows();
    const sets = open();
    const { id } = await sets.add(guide);
    await sets.change(id, (set) => ({ ...set, docs: { ...set.docs, label: 'Handbook' } }));
    const second = await sets.add({ ...guide, folder: '/other/guide' });
    assert.equal(second.docs.label, 'guide (2)');
    const third = await sets.add({ ...guide, folder: '/third/guide' });
    assert.equal(third.docs.label, 'guide (3)');
  });

  // Shows faults.md I8.
  it('loses nothing when two windows change one set, or different ones', async () => {
    const { open } = windows();
    const [one, other] = [open(), open()];
    const { id } = await one.add(guide);
    await other.add(site);
    await one.change(id, (set) => ({ ...set, pages: 12 }));
    await other.change(id, (set) => ({ ...set, usedAt: 99 }));
    assert.equal(one.get(id)?.pages, 12);
    assert.equal(one.get(id)?.usedAt, 99);
    assert.equal(one.list.length, 2);
  });

  it('does not bring back a set that another window removed', async () => {
    const { open, memento } = windows();
    const [one, other] = [open(), open()];
    const { id } = await one.add(guide);
    await other.remove(id);
    assert.equal(await one.change(id, (set) => ({ ...set, pages: 1 })), undefined);
    assert.deepEqual(memento.keys(), []);
  });

  // Shows faults.md I10.
  it('ignores unreadable sets, keeps them stored, and logs each once', async () => {
    const { open, memento, log } = windows();
    const sets = open();
    await sets.add(guide);
    const newer = { schemaVersion: 2, id: 'newer', docs: guide };
    await memento.update('docsSet:newer', newer);
    await memento.update('docsSet:text', 'no set');
    await memento.update('docsSet:elsewhere', { schemaVersion: 1, id: 'x', docs: guide });
    assert.equal(sets.list.length, 1);
    assert.equal(sets.list.length, 1);
    assert.deepEqual(memento.get('docsSet:newer'), newer);
    assert.equal(log.messages('warn').length, 3);
  });

  it('drops what it can’t read of a set, but not the set', async () => {
    const { open, memento } = windows();
    await memento.update('docsSet:a', {
      schemaVersion: 1,
      id: 'a',
      docs: guide,
      pages: -1,
      sizeBytes: 'large',
      ownFolder: '../..',
      addedAt: 'yesterday',
      color: 'red',
    });
    const [set] = open().list;
    assert.deepEqual(set, { schemaVersion: 1, id: 'a', docs: guide, addedAt: 0, usedAt: 0 });
  });

  it('returns the least recently used sets beyond its limit', async () => {
    const { open, clock } = windows();
    const sets = open();
    for (let number = 0; number < MAX_SETS + 2; number++) {
      await sets.add({ ...guide, folder: `/docs/${number}` });
      clock.sleep(1);
    }
    assert.deepEqual(
      sets.surplus.map(({ docs }) => docs.folder),
      ['/docs/1', '/docs/0'],
    );
  });
});

describe('isSameDocs', () => {
  it('distinguishes packages alone from packages with docs beside them', () => {
    const packages: LocalDocs = { kind: 'installed', folder: '/app', label: 'Packages' };
    const both: LocalDocs = { ...packages, label: 'Both', beside: guide };
    assert.equal(isSameDocs(both, { ...both, label: 'Other' }), true);
    assert.equal(isSameDocs(packages, both), false);
    assert.equal(isSameDocs(both, packages), false);
    assert.equal(isSameDocs(both, { ...both, beside: site }), false);
  });
});
