import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseCodeArgument, readCode } from '../../../../src/cli/ask/codeArgument';
import { CliError, exitCodes } from '../../../../src/cli/context';
import { plainTranslate as t } from '../../../../src/common/errors';

describe('parseCodeArgument', () => {
  it('reads a file with and without lines', () => {
    assert.deepEqual(parseCodeArgument('src/app.ts', t), { file: 'src/app.ts' });
    assert.deepEqual(parseCodeArgument('src/app.ts:10', t), {
      file: 'src/app.ts',
      firstLine: 10,
      lastLine: 10,
    });
    assert.deepEqual(parseCodeArgument('src/app.ts:10-20', t), {
      file: 'src/app.ts',
      firstLine: 10,
      lastLine: 20,
    });
  });

  it('treats a colon without lines as a part of the name', () => {
    assert.deepEqual(parseCodeArgument('C:\\src\\app.ts', t), { file: 'C:\\src\\app.ts' });
    assert.deepEqual(parseCodeArgument('C:\\src\\app.ts:3-4', t), {
      file: 'C:\\src\\app.ts',
      firstLine: 3,
      lastLine: 4,
    });
    assert.deepEqual(parseCodeArgument('a:b', t), { file: 'a:b' });
  });

  it('refuses lines that are not a range', () => {
    for (const text of ['', 'a.ts:20-10', 'a.ts:0', 'a.ts:0-3', 'a.ts:-3', 'a.ts:3-', 'a.ts:-']) {
      assert.throws(
        () => parseCodeArgument(text, t),
        (error) => error instanceof CliError && error.exitCode === exitCodes.usage,
        text,
      );
    }
  });
});

describe('readCode', () => {
  let folder: string;
  const read = (text: string, cwd = folder): ReturnType<typeof readCode> =>
    readCode(parseCodeArgument(text, t), { cwd, t });

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-code-'));
    await writeFile(path.join(folder, 'app.ts'), 'one\r\ntwo\r\nthree\r\n');
    await writeFile(path.join(folder, 'large.ts'), 'x'.repeat(100_001));
    await writeFile(path.join(folder, 'image.png'), Buffer.from([0x89, 0, 1, 2]));
    await writeFile(path.join(folder, 'empty.ts'), '\n\n');
  });
  after(() => rm(folder, { recursive: true }));

  it('returns the lines, and as many as there are', async () => {
    assert.deepEqual(await read('app.ts:2-3'), { text: 'two\nthree', path: 'app.ts' });
    assert.deepEqual(await read('app.ts:3-99'), { text: 'three\n', path: 'app.ts' });
    assert.deepEqual(await read('app.ts'), { text: 'one\r\ntwo\r\nthree\r\n', path: 'app.ts' });
  });

  it('names a file outside the folder without its path', async () => {
    const { path: sent } = await read(path.join(folder, 'app.ts'), path.join(folder, 'sub'));
    assert.equal(sent, 'app.ts');
  });

  // Shows faults.md L9.
  it('refuses files that are missing, too large, binary or empty, and lines after the end', async () => {
    for (const [text, exitCode, sentence] of [
      ['gone.ts', exitCodes.notFound, /gone\.ts doesn’t exist/],
      ['.', exitCodes.notFound, /not a file/],
      ['large.ts', exitCodes.usage, /101 KB.*up to 100 KB.*--code large\.ts:10-20/],
      ['image.png', exitCodes.usage, /not text/],
      ['empty.ts', exitCodes.usage, /no text/],
      ['app.ts:4', exitCodes.usage, /only 3 lines/],
    ] as const) {
      await assert.rejects(read(text), (error) => {
        assert.ok(error instanceof CliError, text);
        assert.equal(error.exitCode, exitCode, text);
        assert.match(error.message, sentence);
        return true;
      });
    }
  });
});
