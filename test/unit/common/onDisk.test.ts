import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import {
  exists,
  isFile,
  isFolder,
  makeFolder,
  readJson,
  readUpTo,
} from '../../../src/common/onDisk';

describe('paths on this machine', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'docs-assistant-on-disk-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are told apart by what they lead to, also through links', async () => {
    const file = path.join(folder, 'a.md');
    await writeFile(file, '');
    await symlink(file, path.join(folder, 'to-file'));
    await symlink(path.join(folder, 'gone'), path.join(folder, 'to-nothing'));
    const kinds = await Promise.all(
      [folder, file, 'to-file', 'to-nothing', 'a.md/below', 'gone', 'nul\0'].map(async (name) => {
        const at = path.resolve(folder, name);
        return [await exists(at), await isFolder(at), await isFile(at)];
      }),
    );
    assert.deepEqual(kinds, [
      [true, true, false],
      [true, false, true],
      [true, false, true],
      [false, false, false],
      [false, false, false],
      [false, false, false],
      [false, false, false],
    ]);
  });

  it('are read as JSON, unless they are missing, cut off or of something else', async () => {
    const file = path.join(folder, 'a.json');
    const read = (): Promise<unknown> => readJson(file, v.object({ pages: v.number() }));
    assert.equal(await read(), undefined);
    for (const [text, expected] of [
      ['{"pages":3,"more":1}', { pages: 3 }],
      ['{"pages":3', undefined],
      ['{"pages":"3"}', undefined],
      ['', undefined],
    ] as const) {
      await writeFile(file, text);
      assert.deepEqual(await read(), expected);
    }
  });

  it('are read up to a size, also where no size is told', async () => {
    const file = path.join(folder, 'a.txt');
    await writeFile(file, 'abc');
    assert.equal((await readUpTo(file, 3))?.toString(), 'abc');
    assert.equal(await readUpTo(file, 2), undefined);
    await assert.rejects(readUpTo(path.join(folder, 'gone'), 3), { code: 'ENOENT' });
    if (process.platform !== 'win32') assert.equal(await readUpTo('/dev/zero', 3), undefined);
  });

  it('become folders, unless a file is in the way', async () => {
    const deep = path.join(folder, 'a', 'b');
    await makeFolder(deep);
    await makeFolder(deep);
    assert.equal(await isFolder(deep), true);
    await writeFile(path.join(deep, 'file'), '');
    await assert.rejects(makeFolder(path.join(deep, 'file')), { code: 'EEXIST' });
    await assert.rejects(makeFolder(path.join(deep, 'file', 'c', 'd')), /ENOTDIR|ENOENT|EEXIST/);
  });

  it('are refused at once where the system makes no folders', async () => {
    // Other systems have no /proc, and can't make it because of the null character.
    const place = process.platform === 'linux' ? '/proc/nope/state' : 'nope\0/state';
    await assert.rejects(makeFolder(place));
    assert.equal(await exists(place), false);
  });
});
