import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ReportFile } from '../../../src/cli/reportFile';
import { describeExportError, ExportError } from '../../../src/export/exportErrors';
import { startFailure } from '../../../src/export/job/refusals';

describe('the sentence of an export error', () => {
  it('names a file whose name is too long, and not its folder', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'export-errors-'));
    try {
      const name = `${'n'.repeat(250)}.json`;
      const error = await ReportFile.reserve(path.join(folder, name)).catch(
        (caught: unknown) => caught,
      );
      assert.equal(
        describeExportError(error).message,
        `The name “${name}” is too long. Choose a shorter name.`,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('says that the folder of a file doesn’t exist', async () => {
    const folder = path.join(os.tmpdir(), 'no-such-folder');
    const error = await ReportFile.reserve(path.join(folder, 'report.json')).catch(
      (caught: unknown) => caught,
    );
    assert.equal(
      describeExportError(error).message,
      `“${folder}” can’t be written (ENOENT), because it doesn’t exist. Create it, or choose another folder.`,
    );
  });

  it('asks to check the URL if a start got a response without a job', () => {
    const answered = new ExportError('bad-answer', { host: 'api.example.com', field: 'jobId' });
    const error = startFailure(answered, 'https://api.example.com');
    assert.ok(error instanceof ExportError);
    assert.equal(error.code, 'start-unclear');
    assert.match(
      describeExportError(error).message,
      /without a job, but it may have started\. Check the URL of the export API, and/,
    );
  });

  it('names the file server that sent a web page instead of the bundle', () => {
    const sent = new ExportError('not-an-archive', {
      entry: 'bundle.tar.gz',
      host: 'files.example.com',
    });
    assert.match(describeExportError(sent).message, /^files\.example\.com sent a web page/);
    const chosen = new ExportError('not-an-archive', { entry: 'bundle.tar.gz' });
    assert.match(describeExportError(chosen).message, /^“bundle\.tar\.gz” can’t be unpacked/);
  });
});
