import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readNamedFile } from '../../../src/cli/namedFile';
import { plainTranslate } from '../../../src/common/errors';

describe('a file that an argument names', () => {
  it('is refused at once if it is a pipe, though nobody writes to it', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = await mkdtemp(path.join(tmpdir(), 'named-file-'));
    try {
      const pipe = path.join(folder, 'pipe');
      await promisify(execFile)('mkfifo', [pipe]);
      await assert.rejects(readNamedFile(pipe, 'pipe', 10, plainTranslate), {
        message: 'pipe is not a file.',
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
