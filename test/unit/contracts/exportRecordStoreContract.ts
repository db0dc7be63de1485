import assert from 'node:assert/strict';
import type { ExportRecord, ExportRecordStore } from '../../../src/export/job/record';
import { anExport } from '../../builders/exports';

/** A store under test, and what a test can ask about it. */
export interface RecordStoreUnderTest {
  readonly store: ExportRecordStore;
  /** Puts something into the place of the record, as another version would have. */
  readonly corrupt: (id: string, record: unknown) => void | Promise<void>;
  /** Returns the values that were set aside so far, in any order. */
  readonly setAside: () => readonly unknown[];
}

/** Tests the promises of every {@link ExportRecordStore}, for the real one and for the fake. */
export function exportRecordStoreContract(name: string, create: () => RecordStoreUnderTest): void {
  describe(`${name} as an ExportRecordStore`, () => {
    it('gives back a record as it was written, in all its fields', async () => {
      const { store } = create();
      const record: ExportRecord = {
        schemaVersion: 1,
        id: 'e1',
        apiUrl: 'https://api.example.com/some/prefix',
        exportDomain: 'docs.example.com',
        jobId: 'job/../1 ?',
        startedAt: 1_735_689_600_000,
        outcome: 'unwatchable',
        status: 'in der Schlange 🐍',
        pages: 12,
        endedAt: 1_735_689_700_000,
        errorCode: 'admin-key-rejected',
        errorMessage: 'The key has expired.',
        watchRound: 2,
        bundleAddresses: ['https://store.example.com/b/bundle.tar.gz'],
        linkExpiresAt: 1_735_689_800_000,
        archive: { path: '/exports/bundle.tar.gz', sizeBytes: 5, sha256: 'ab'.repeat(32) },
        siteFolder: '/exports/site',
      };
      await store.save(record);
      assert.deepEqual(await store.list(), [record]);
    });

    it('has no record before the first is saved', async () => {
      assert.deepEqual(await create().store.list(), []);
    });

    it('keeps the last of several states of an export', async () => {
      const { store } = create();
      await store.save(anExport({ pages: 1 }));
      await store.save(anExport({ pages: 2 }));
      assert.deepEqual(
        (await store.list()).map(({ pages }) => pages),
        [2],
      );
    });

    it('lists the newest start first', async () => {
      const { store } = create();
      await store.save(anExport({ id: 'old', startedAt: 1 }));
      await store.save(anExport({ id: 'new', startedAt: 3 }));
      await store.save(anExport({ id: 'mid', startedAt: 2 }));
      assert.deepEqual(
        (await store.list()).map(({ id }) => id),
        ['new', 'mid', 'old'],
      );
    });

    it('forgets one record and leaves the others', async () => {
      const { store } = create();
      await store.save(anExport());
      await store.save(anExport({ id: 'e2' }));
      await store.forget('e1');
      await store.forget('never-there');
      assert.deepEqual(
        (await store.list()).map(({ id }) => id),
        ['e2'],
      );
    });

    for (const [what, record] of [
      ['of a newer version', { ...anExport(), schemaVersion: 2 }],
      ['without its job', { schemaVersion: 1, id: 'e1' }],
      ['of another id than its key', anExport({ id: 'e9' })],
      ['that is no object', 'x'],
      ['that is null', null],
    ] as const) {
      it(`sets a record ${what} aside, keeps it there, and keeps the others`, async () => {
        const { store, corrupt, setAside } = create();
        await store.save(anExport({ id: 'other' }));
        await store.save(anExport());
        await corrupt('e1', record);
        assert.deepEqual(
          (await store.list()).map(({ id }) => id),
          ['other'],
        );
        assert.deepEqual(setAside(), [record]);
      });
    }
  });
}
