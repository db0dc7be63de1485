import assert from 'node:assert/strict';
import { bundleDigest, isStale } from '../../../../src/export/job/results';
import { anExport } from '../../../builders/exports';
import { ExportMachine, never, target } from '../../../builders/exportWindow';

const archive = { path: '/exports/v2.tar.gz', sizeBytes: 9, sha256: '2b'.repeat(32) };
const older = { path: '/exports/v1.tar.gz', sizeBytes: 8, sha256: '1a'.repeat(32) };
const clean = { pages: 20, broken: 0, outsideFetches: 0 };

describe('StaticExports noting a result', () => {
  let machine: ExportMachine;
  beforeEach(() => {
    machine = new ExportMachine();
  });
  afterEach(() => machine.close());

  it('stores the result with its time and the archive that the folder came from', async () => {
    const window = await machine.open();
    const { record } = await window.exports.start(target, never);
    await window.exports.noteFiles(record.id, { archive });
    await window.exports.noteFiles(record.id, { siteFolder: '/exports/v2' });
    const before = window.changes.length;
    await window.exports.noteResult('/exports/v2', 'check', clean);
    const check = { ...clean, at: machine.clock.now(), sha256: archive.sha256 };
    assert.deepEqual((await machine.records.list())[0]?.results, { check });
    assert.deepEqual(window.changes.slice(before), [record.id]);
  });

  it('replaces the earlier result of its kind and keeps those of other kinds', async () => {
    const window = await machine.open();
    const { record } = await window.exports.start(target, never);
    await window.exports.noteFiles(record.id, { siteFolder: '/site' });
    await window.exports.noteResult('/site', 'check', { ...clean, broken: 3 });
    await window.exports.noteResult('/site', 'questions', { passed: 4, failed: 1, lost: 1 });
    await window.exports.noteResult('/site', 'check', clean);
    const at = machine.clock.now();
    assert.deepEqual(window.view.record.results, {
      check: { ...clean, at },
      questions: { passed: 4, failed: 1, lost: 1, at },
    });
  });

  it('keeps the result that another window noted since this one read the list', async () => {
    const [one, two] = [await machine.open(), await machine.open()];
    const { record } = await one.exports.start(target, never);
    await one.exports.noteFiles(record.id, { siteFolder: '/site' });
    await two.exports.restore();
    await one.exports.noteResult('/site', 'check', clean);
    await two.exports.noteResult('/site', 'questions', { passed: 1, failed: 0 });
    const [stored] = await machine.records.list();
    assert.deepEqual(Object.keys(stored?.results ?? {}).sort(), ['check', 'questions']);
  });

  it('drops only the result if the export was removed in the meantime', async () => {
    const [one, two] = [await machine.open(), await machine.open()];
    const { record } = await one.exports.start(target, never);
    await one.exports.noteFiles(record.id, { siteFolder: '/site' });
    await two.exports.restore();
    await two.exports.forget(record.id);
    await one.exports.noteResult('/site', 'check', clean);
    assert.deepEqual(await machine.records.list(), []);
  });

  it('stores the result only with exports that own the archive or folder', async () => {
    for (const record of [
      anExport({ id: 'folder', siteFolder: '/exports/v2', archive: older }),
      anExport({ id: 'archive', archive }),
      anExport({ id: 'other', archive: older, siteFolder: '/exports/v1' }),
    ]) {
      await machine.records.save({ ...record, outcome: 'completed' });
    }
    const { exports } = await machine.open();
    await exports.noteResult('/exports/v2', 'check', clean);
    await exports.noteResult(archive.path, 'check', clean);
    await exports.noteResult('/elsewhere', 'check', clean);
    const at = machine.clock.now();
    const noted = new Map(exports.list.map(({ record }) => [record.id, record.results]));
    assert.deepEqual(noted.get('folder'), { check: { ...clean, at } });
    assert.deepEqual(noted.get('archive'), { check: { ...clean, at, sha256: archive.sha256 } });
    assert.equal(noted.get('other'), undefined);
  });
});

// Shows faults.md C11.
describe('isStale', () => {
  it('is true once the export has a different archive than the result', () => {
    assert.equal(isStale({ sha256: older.sha256 }, { archive }), true);
    assert.equal(isStale({ sha256: archive.sha256 }, { archive }), false);
  });

  it('is false if no archive is known', () => {
    assert.equal(isStale({}, { archive }), false);
    assert.equal(isStale({ sha256: older.sha256 }, { siteFolder: '/exports/v2' }), false);
  });
});

describe('bundleDigest', () => {
  it('uses the digest of the folder, which an older archive may have filled', () => {
    const files = { archive, siteFolder: '/exports/v1', siteSha256: older.sha256 };
    assert.equal(bundleDigest(files), older.sha256);
    assert.equal(bundleDigest({ archive }), archive.sha256);
  });

  it('is unknown for a folder whose archive was not noted', () => {
    assert.equal(bundleDigest({ archive, siteFolder: '/exports/v1' }), undefined);
  });
});
