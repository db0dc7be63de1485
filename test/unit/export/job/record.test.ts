import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../../src/common/errors';
import { describeExportError, ExportError } from '../../../../src/export/exportErrors';
import { errorOfRecord, parseExportRecord } from '../../../../src/export/job/record';
import { anExport } from '../../../builders/exports';
import { MemoryExportRecords } from '../../../fakes/memoryExportRecords';
import { exportRecordStoreContract } from '../../contracts/exportRecordStoreContract';

exportRecordStoreContract('MemoryExportRecords', () => {
  const store = new MemoryExportRecords();
  return {
    store,
    corrupt: (id, record) => void store.records.set(id, JSON.stringify(record)),
    setAside: () => store.setAside,
  };
});

describe('parseExportRecord', () => {
  it('drops unknown fields', () => {
    assert.deepEqual(parseExportRecord({ ...anExport(), novelty: 1 }), anExport());
  });

  it('asks again about a job with an unknown outcome', () => {
    assert.equal(parseExportRecord({ ...anExport(), outcome: 'paused' })?.outcome, 'running');
  });

  it('accepts an export of the local docs service', () => {
    const record = anExport({ apiUrl: 'local' });
    assert.deepEqual(parseExportRecord(record), record);
  });

  for (const [what, change] of [
    ['status', { status: 7 }],
    ['number of pages', { pages: -1 }],
    ['peak of progress', { peakPercent: 101 }],
    ['end', { endedAt: 'yesterday' }],
    ['error', { errorCode: {}, errorMessage: [] }],
    ['archive without its hash', { archive: { path: '/a', sizeBytes: 1 } }],
    ['folder', { siteFolder: '' }],
    ['archive of the folder', { siteSha256: 'AB' }],
    ['list of results', { results: 'passed' }],
    ['link’s expiry', { linkExpiresAt: null }],
    ['bundle address with a query', { bundleAddresses: ['https://s.example.com/b?sig=1'] }],
  ] as const) {
    it(`leaves out an unreadable ${what} and keeps the rest`, () => {
      assert.deepEqual(parseExportRecord({ ...anExport(), ...change }), anExport());
    });
  }

  it('keeps results beside an unreadable one, without unknown fields', () => {
    const check = { at: 5, pages: 3, broken: 0, outsideFetches: 0 };
    const stored = {
      check: { ...check, novelty: 1 },
      diff: { at: 5, against: 'v1' },
      questions: { at: 5, passed: -1, failed: 0 },
      novelty: {},
    };
    assert.deepEqual(parseExportRecord({ ...anExport(), results: stored })?.results, { check });
  });

  it('cuts an overlong name of another bundle', () => {
    const questions = { at: 5, passed: 1, failed: 0, against: 'v'.repeat(5000) };
    const read = parseExportRecord({ ...anExport(), results: { questions } });
    assert.equal(read?.results?.questions?.against?.length, 200);
  });

  for (const [what, change] of [
    ['another version', { schemaVersion: 2 }],
    ['no id', { id: '' }],
    ['an API address that is none', { apiUrl: 'javascript:alert(1)' }],
    ['an API address without protection', { apiUrl: 'http://api.example.com' }],
    ['no domain', { exportDomain: undefined }],
    ['a job that climbs out of the path', { jobId: '..' }],
    ['a job with a line break', { jobId: 'a\nb' }],
    ['no start', { startedAt: '2025' }],
  ] as const) {
    it(`refuses a record with ${what}`, () => {
      assert.equal(parseExportRecord({ ...anExport(), ...change }), undefined);
    });
  }
});

describe('errorOfRecord', () => {
  it('describes why a job failed, with the sentence of the service', () => {
    const record = anExport({ errorCode: 'job-failed', errorMessage: 'No pages.' });
    const { code, message } = describeExportError(errorOfRecord(record));
    assert.equal(code, 'job-failed');
    assert.equal(message, 'The export of docs.example.com failed. (No pages.)');
  });

  it('accepts the error codes of both APIs, and no others', () => {
    const errorFor = (errorCode: string): unknown => errorOfRecord(anExport({ errorCode }));
    assert.ok(errorFor('unknown-job') instanceof ExportError);
    const kept = errorFor('secret-store-failed');
    assert.ok(kept instanceof DocsAssistantError && kept.code === 'secret-store-failed');
    const novel = errorFor('novel');
    assert.ok(novel instanceof DocsAssistantError && novel.code === 'unexpected');
    assert.equal(errorOfRecord(anExport()), undefined);
  });
});
