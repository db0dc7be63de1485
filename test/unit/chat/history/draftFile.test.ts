import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DraftFile } from '../../../../src/chat/history/draftFile';
import { systemClock } from '../../../../src/common/clock';
import { aContextItem, aFile } from '../../../builders/asking';
import { RecordingLog } from '../../../fakes/recordingLog';
import { useThreadFolders } from './threadFolder';

const { aFolder } = useThreadFolders();

async function aDraftFile() {
  const folder = path.join(await aFolder(), 'workspace');
  const file = path.join(folder, 'draft.json');
  const log = new RecordingLog();
  const open = () => new DraftFile({ file, clock: systemClock, newId: randomUUID, log });
  return { folder, file, log, open };
}

const draft = { contextItems: [aContextItem()], files: [aFile()], page: '/guides/start' };

describe('DraftFile', () => {
  it('gives back what waited, in all its fields', async () => {
    const { folder, log, open } = await aDraftFile();
    await open().write(draft);
    assert.deepEqual(await open().read(), draft);
    assert.deepEqual(await readdir(folder), ['draft.json']);
    assert.deepEqual(log.lines, []);
  });

  it('knows of nothing before something waits, and after nothing does any more', async () => {
    const { log, open } = await aDraftFile();
    assert.equal(await open().read(), undefined);
    await open().write(undefined);
    await open().write(draft);
    await open().write(undefined);
    assert.equal(await open().read(), undefined);
    assert.deepEqual(log.lines, []);
  });

  for (const [what, content] of [
    ['no JSON', '{"schemaVersion":1,'],
    ['empty', ''],
    ['of another version', JSON.stringify({ schemaVersion: 2, ...draft })],
    ['of another shape', JSON.stringify({ schemaVersion: 1, contextItems: 'x', files: [] })],
    [
      'with too many files',
      JSON.stringify({ schemaVersion: 1, ...draft, files: Array(11).fill(aFile()) }),
    ],
  ] as const) {
    it(`treats a draft that is ${what} as empty, logs it, and can be written again`, async () => {
      const { folder, file, log, open } = await aDraftFile();
      await mkdir(folder);
      await writeFile(file, content);
      assert.equal(await open().read(), undefined);
      assert.equal(log.messages('warn').length, 1);
      await open().write(draft);
      assert.deepEqual(await open().read(), draft);
    });
  }

  it('does not read one that is far too large', async () => {
    const { folder, file, log, open } = await aDraftFile();
    await mkdir(folder);
    await writeFile(file, JSON.stringify({ schemaVersion: 1, ...draft }));
    // So large that reading it is an error; on Windows it would take the room.
    await truncate(file, process.platform === 'win32' ? 100_000_000 : 3 * 1024 ** 3);
    assert.equal(await open().read(), undefined);
    assert.equal(log.messages('warn').length, 1);
    log.assertNoErrors();
  });

  it('throws nothing where it cannot be read', async () => {
    const { file, log, open } = await aDraftFile();
    await mkdir(file, { recursive: true });
    assert.equal(await open().read(), undefined);
    assert.equal(log.errors.length, 1);
  });
});
