import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWholeFile } from '../../../../src/chat/history/wholeFile';
import { systemClock } from '../../../../src/common/clock';
import { useThreadFolders } from './threadFolder';

describe('writeWholeFile', () => {
  const { aFolder } = useThreadFolders();

  it('leaves nothing half written when the file can’t be put in its place', async () => {
    const folder = await aFolder();
    const taken = path.join(folder, 'taken');
    await mkdir(taken);
    await writeFile(path.join(taken, 'content'), '');
    const ports = { clock: systemClock, newId: () => 'new' };
    await assert.rejects(writeWholeFile(taken, 'text', ports));
    assert.deepEqual(await readdir(folder), ['taken']);
  });
});
