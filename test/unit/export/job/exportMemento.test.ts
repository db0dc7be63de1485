import assert from 'node:assert/strict';
import { ExportMemento } from '../../../../src/export/job/record';
import { anExport } from '../../../builders/exports';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { RecordingLog } from '../../../fakes/recordingLog';
import { exportRecordStoreContract } from '../../contracts/exportRecordStoreContract';

function aStore() {
  const memento = new MemoryMemento();
  const log = new RecordingLog();
  const store = new ExportMemento({ memento, clock: new FakeClock(), log });
  const setAside = () =>
    memento
      .keys()
      .filter((key) => key.startsWith('exportSetAside:'))
      .map((key) => memento.get<unknown>(key));
  return { memento, log, store, setAside };
}

exportRecordStoreContract('ExportMemento', () => {
  const { memento, store, setAside } = aStore();
  return { store, corrupt: (id, record) => memento.update(`export:${id}`, record), setAside };
});

describe('ExportMemento', () => {
  it('logs once that it set a record aside', async () => {
    const { memento, log, store } = aStore();
    await memento.update('export:e1', { schemaVersion: 99 });
    await store.list();
    await store.list();
    assert.deepEqual(log.messages('warn'), [
      'A stored export could not be read and was set aside: export:e1',
    ]);
  });

  it('keeps no more than five records that were set aside', async () => {
    const { memento, store, setAside } = aStore();
    for (let index = 0; index < 8; index++) {
      await memento.update(`export:e${index}`, 'corrupt');
      await store.list();
    }
    assert.equal(setAside().length, 5);
  });

  it('keeps the 100 newest exports and every job that runs', async () => {
    const { store } = aStore();
    await store.save(anExport({ id: 'running', startedAt: 0 }));
    for (let index = 1; index <= 102; index++) {
      await store.save(anExport({ id: `e${index}`, startedAt: index, outcome: 'completed' }));
    }
    const ids = (await store.list()).map(({ id }) => id);
    assert.equal(ids.length, 100);
    assert.ok(ids.includes('running'));
    assert.ok(!ids.includes('e3') && ids.includes('e4'));
  });

  it('does not touch other values in the state', async () => {
    const { memento, store } = aStore();
    await memento.update('exportSites', { schemaVersion: 1, sites: [] });
    await memento.update('recentExportSites', 'x');
    assert.deepEqual(await store.list(), []);
    assert.deepEqual(memento.keys(), ['exportSites', 'recentExportSites']);
  });
});
