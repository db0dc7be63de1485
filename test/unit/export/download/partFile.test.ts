import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PartFile } from '../../../../src/export/download/partFile';
import { ExportError } from '../../../../src/export/exportErrors';
import { FakeClock } from '../../../fakes/fakeClock';
import { RecordingLog } from '../../../fakes/recordingLog';

const going = new AbortController().signal;
const MEGABYTE = Buffer.alloc(1024 * 1024);

describe('PartFile', () => {
  let folder = '';
  let target = '';

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'part-file-'));
    target = path.join(folder, 'bundle.tar.gz');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** A part file with so many megabytes, whose handle is first changed as told. */
  const partOf = async (
    megabytes: number,
    change: (handle: FileHandle) => void,
  ): Promise<PartFile> => {
    const part = await PartFile.claim({
      target,
      overwrite: false,
      clock: new FakeClock(),
      log: new RecordingLog(),
      openFile: async (file, flags) => {
        const handle = await open(file, flags);
        change(handle);
        return handle;
      },
    });
    await part.open();
    for (let count = 0; count < megabytes; count++) await part.append(MEGABYTE);
    return part;
  };

  it('is synced to disk while data arrives, one sync at a time, without blocking writes', async () => {
    let syncs = 0;
    let release = (): void => undefined;
    const part = await partOf(140, (handle) => {
      handle.datasync = () => {
        syncs += 1;
        return new Promise((resolve) => {
          release = resolve;
        });
      };
    });
    await part.flush();
    assert.equal(syncs, 1);
    release();
    await part.finish(going);
    assert.deepEqual(readdirSync(folder), ['bundle.tar.gz']);
  });

  it('is synced to disk before it gets its final name', async () => {
    const namesAtSync: string[][] = [];
    const part = await partOf(1, (handle) => {
      handle.sync = () => {
        namesAtSync.push(readdirSync(folder));
        return Promise.resolve();
      };
    });
    await part.finish(going);
    assert.equal(namesAtSync.length, 1);
    assert.ok(!namesAtSync[0]?.includes('bundle.tar.gz'));
  });

  it('is not finished if the disk lost bytes that it accepted', async () => {
    const part = await partOf(70, (handle) => {
      handle.datasync = () => Promise.reject(Object.assign(new Error('lost'), { code: 'EIO' }));
    });
    await assert.rejects(
      part.finish(going),
      (error) => error instanceof ExportError && error.details.causeCode === 'EIO',
    );
    await part.discard();
    assert.ok(!existsSync(target));
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is not finished after the download was stopped', async () => {
    const part = await partOf(1, () => undefined);
    const reason = new Error('stopped');
    await assert.rejects(part.finish(AbortSignal.abort(reason)), reason);
    await part.discard();
    assert.deepEqual(readdirSync(folder), []);
  });
});
