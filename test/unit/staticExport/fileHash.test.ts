import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import { ExportError } from '../../../src/staticExport/exportErrors';
import { hashFile, type FileHash } from '../../../src/staticExport/fileHash';
import { RecordingLog } from '../../fakes/recordingLog';

const going = new AbortController().signal;
const content = randomBytes(3_000_001);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('hashFile', () => {
  let folder = '';
  let worker = '';
  let handle: FileHandle;
  let log: RecordingLog;
  let hash: FileHash;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'file-hash-'));
    worker = path.join(folder, 'hashArchive.mjs');
    await esbuild.build({
      entryPoints: ['src/staticExport/hashWorker.ts'],
      outfile: worker,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
    });
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    log = new RecordingLog();
    handle = await open(
      path.join(folder, 'file'),
      constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
    );
  });

  afterEach(async () => {
    await hash.stop();
    await handle.close();
  });

  const workerThat = async (does: string): Promise<string> => {
    const file = path.join(folder, 'other.mjs');
    await writeFile(file, does);
    return file;
  };

  const write = async (bytes: Uint8Array, from: number): Promise<void> => {
    hash.append(bytes);
    await handle.write(bytes, 0, bytes.length, from);
    hash.written(from + bytes.length);
  };

  const writeAll = async (): Promise<void> => {
    for (let from = 0; from < content.length; from += 400_000) {
      await write(content.subarray(from, from + 400_000), from);
    }
  };

  for (const place of ['on this thread', 'in a worker']) {
    describe(place, () => {
      const start = (): void => {
        hash = hashFile({ handle, script: place === 'in a worker' ? worker : undefined, log });
      };

      afterEach(() => {
        assert.deepEqual(log.lines, []);
      });

      it('hashes what is written, piece by piece', async () => {
        start();
        await writeAll();
        assert.equal(await hash.digest(content.length, going), sha256(content));
      });

      it('hashes an empty file', async () => {
        start();
        assert.equal(await hash.digest(0, going), sha256(Buffer.alloc(0)));
      });

      it('takes up what is in the file already', async () => {
        await handle.write(content.subarray(0, 2_000_000), 0, 2_000_000, 0);
        start();
        await hash.resume(2_000_000, going);
        await write(content.subarray(2_000_000), 2_000_000);
        assert.equal(await hash.digest(content.length, going), sha256(content));
      });

      it('forgets what was in the file before it was emptied', async () => {
        start();
        await write(content.subarray(1_000_000), 0);
        await handle.truncate(0);
        hash.startOver();
        await writeAll();
        assert.equal(await hash.digest(content.length, going), sha256(content));
      });
    });
  }

  describe('with a worker', () => {
    const start = (script: string): void => {
      hash = hashFile({ handle, script, log });
    };

    it('hashes what is in the file, not what was handed to it', async () => {
      start(worker);
      hash.append(Buffer.from('something else'));
      await handle.write(content, 0, content.length, 0);
      hash.written(content.length);
      assert.equal(await hash.digest(content.length, going), sha256(content));
    });

    const broken: Readonly<Record<string, () => Promise<string> | string>> = {
      'breaks down': () => workerThat('throw new TypeError("x")'),
      'ends early': () => workerThat('process.exit(3)'),
      'cannot read the file': () =>
        workerThat(
          "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.postMessage({ name: 'failed', causeCode: 'EIO' }));",
        ),
      'is not there': () => path.join(folder, 'none.mjs'),
      'has no absolute path': () => 'none.mjs',
    };
    for (const [does, script] of Object.entries(broken)) {
      it(`hashes on this thread, and says so, if the worker ${does}`, async () => {
        start(await script());
        await writeAll();
        assert.equal(await hash.digest(content.length, going), sha256(content));
        assert.match(log.text('warn'), /worker that hashes a bundle failed/);
      });
    }

    it('does not hash a file that is shorter than it was', async () => {
      start(worker);
      await writeAll();
      await assert.rejects(
        hash.digest(content.length + 1, going),
        (error) => error instanceof ExportError && error.code === 'bundle-size-wrong',
      );
    });

    it('waits no longer than the signal lets it, and ends a worker that does not', async () => {
      const stopping = new AbortController();
      start(await workerThat('for (;;);'));
      const outcome = hash.digest(0, stopping.signal);
      stopping.abort(new Error('stopped'));
      await assert.rejects(outcome, /stopped/);
    });
  });
});
