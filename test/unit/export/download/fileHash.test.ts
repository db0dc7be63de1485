import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FileHash } from '../../../../src/export/download/fileHash';
import { ExportError } from '../../../../src/export/exportErrors';
import { RecordingLog } from '../../../fakes/recordingLog';

const going = new AbortController().signal;
const content = randomBytes(3_000_001);
const expected = createHash('sha256').update(content).digest('hex');
const worker = path.resolve('dist/hashArchive.js');

describe('FileHash', () => {
  let folder = '';
  let handle: FileHandle;
  let log: RecordingLog;
  let hash: FileHash;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'file-hash-'));
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    log = new RecordingLog();
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC;
    handle = await open(path.join(folder, 'file'), flags);
  });

  afterEach(async () => {
    await hash.stop();
    await handle.close();
  });

  const start = (script: string | undefined): void => {
    hash = new FileHash({ handle, script, log });
  };

  const workerThat = async (does: string): Promise<string> => {
    const file = path.join(folder, 'other.mjs');
    await writeFile(file, does);
    return file;
  };

  const write = async (bytes: Uint8Array, from: number): Promise<void> => {
    await handle.write(bytes, 0, bytes.length, from);
    hash.written(from + bytes.length);
  };

  const writeAll = async (): Promise<void> => {
    for (let from = 0; from < content.length; from += 400_000) {
      await write(content.subarray(from, from + 400_000), from);
    }
  };

  for (const [place, script] of [
    ['on this thread', undefined],
    ['in a worker', worker],
  ] as const) {
    describe(place, () => {
      afterEach(() => {
        assert.deepEqual(log.lines, []);
      });

      it('hashes written data chunk by chunk', async () => {
        start(script);
        await writeAll();
        assert.equal(await hash.digest(content.length, going), expected);
      });

      it('hashes an empty file', async () => {
        start(script);
        const nothing = createHash('sha256').digest('hex');
        assert.equal(await hash.digest(0, going), nothing);
      });

      it('hashes data that an earlier download left in the file', async () => {
        await handle.write(content.subarray(0, 2_000_000), 0, 2_000_000, 0);
        start(script);
        hash.written(2_000_000);
        await write(content.subarray(2_000_000), 2_000_000);
        assert.equal(await hash.digest(content.length, going), expected);
      });

      it('forgets what was in the file before it was emptied', async () => {
        start(script);
        await write(content.subarray(1_000_000), 0);
        await handle.truncate(0);
        hash.startOver();
        await writeAll();
        assert.equal(await hash.digest(content.length, going), expected);
      });

      it('stops when the signal aborts', async () => {
        start(script);
        await writeAll();
        const stopping = new AbortController();
        stopping.abort(new Error('stopped'));
        await assert.rejects(hash.digest(content.length, stopping.signal), /stopped/);
      });
    });
  }

  it('refuses a file that is shorter than expected', async () => {
    start(worker);
    await writeAll();
    await assert.rejects(
      hash.digest(content.length + 1, going),
      (error) => error instanceof ExportError && error.code === 'bundle-size-wrong',
    );
  });

  it('waits for no worker once the signal aborts, and ends one that never answers', async () => {
    const stopping = new AbortController();
    start(await workerThat('for (;;);'));
    await writeAll();
    const outcome = hash.digest(content.length, stopping.signal);
    stopping.abort(new Error('stopped'));
    await assert.rejects(outcome, /stopped/);
  });

  const broken: Readonly<Record<string, () => Promise<string> | string>> = {
    'breaks down': () => workerThat('throw new TypeError("x")'),
    'ends early': () => workerThat('process.exit(3)'),
    'cannot read the file': () =>
      workerThat(
        "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.postMessage({ name: 'failed', causeCode: 'EIO' }));",
      ),
    'does not exist': () => path.join(folder, 'none.mjs'),
    'has no absolute path': () => 'none.mjs',
  };
  for (const [does, script] of Object.entries(broken)) {
    it(`hashes on this thread and logs it if the worker ${does}`, async () => {
      start(await script());
      await writeAll();
      assert.equal(await hash.digest(content.length, going), expected);
      assert.match(log.text('warn'), /worker that hashes a bundle failed/);
    });
  }
});
