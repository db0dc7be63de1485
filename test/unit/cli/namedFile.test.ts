import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readNamedFile, readUtf8File } from '../../../src/cli/namedFile';
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

  it('is refused if it must be UTF-8 and an editor of Windows saved it in another encoding', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'named-file-'));
    try {
      const file = path.join(folder, 'questions.yaml');
      const question = '- Wie wechsle ich einen Schlüssel?';
      for (const encoding of ['latin1', 'utf16le'] as const) {
        await writeFile(file, question, encoding);
        await assert.rejects(readUtf8File(file, 'questions.yaml', 100, plainTranslate), {
          message: 'questions.yaml is not UTF-8. Save it with the encoding UTF-8.',
        });
      }
      await writeFile(file, question);
      assert.equal(await readUtf8File(file, 'questions.yaml', 100, plainTranslate), question);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
