import type { ExportRecord } from '../../src/export/job/record';

/** Returns a running job, so that a test writes only the fields that matter. */
export function anExport(fields: Partial<ExportRecord> = {}): ExportRecord {
  return {
    schemaVersion: 1,
    id: 'e1',
    apiUrl: 'https://api.example.com',
    exportDomain: 'docs.example.com',
    jobId: 'job-1',
    startedAt: Date.parse('2025-01-01T00:00:00.000Z'),
    outcome: 'running',
    ...fields,
  };
}
