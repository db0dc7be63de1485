import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRawSync, gzipSync } from 'node:zlib';
import {
  type ArchiveFormat,
  formatOf,
  openArchive,
} from '../../../../src/export/archive/archiveFile';
import { aTar, aZip } from '../../../builders/archive';

const tar = aTar([{ name: 'index.html', content: Buffer.alloc(100_000, 'x') }]);
const gzipped = gzipSync(tar);
const oldTar = Buffer.from(tar);
oldTar.fill(0, 257, 265);
let sum = 0;
for (const [index, byte] of oldTar.subarray(0, 512).entries()) {
  sum += index >= 148 && index < 156 ? 0x20 : byte;
}
oldTar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
const damagedTar = Buffer.from(tar);
damagedTar[0] = 0x7a;

/** A gzip header with a long name of the file, as RFC 1952 allows. */
const longHeader = Buffer.concat([
  Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255]),
  Buffer.from(`${'n'.repeat(70_000)}\0`),
  deflateRawSync(tar),
]);

async function archiveFormat(path: string): Promise<ArchiveFormat | undefined> {
  const archive = await openArchive(path);
  try {
    return await formatOf(archive);
  } finally {
    await archive.handle.close();
  }
}

describe('the format of an archive', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docs-assistant-format-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const cases: readonly (readonly [what: string, name: string, Buffer, string | undefined])[] = [
    ['a tar', 'bundle.zip', tar, 'tar'],
    ['a tar from before POSIX', 'bundle', oldTar, 'tar'],
    ['a tar with a damaged first header', 'bundle', damagedTar, 'tar'],
    ['a tar.gz', 'bundle.zip', gzipped, 'tar.gz'],
    ['a tar.gz that was cut off', 'bundle', gzipped.subarray(0, 60), 'tar.gz'],
    ['a tar.gz with a long header', 'bundle', longHeader, 'tar.gz'],
    ['a zip', 'bundle.tar.gz', aZip([{ name: 'a' }]), 'zip'],
    ['an empty file', 'bundle.tar.gz', Buffer.alloc(0), undefined],
    ['an empty zip', 'bundle.zip', aZip([]), undefined],
    ['a web page', 'bundle.tar.gz', Buffer.from('<!doctype html>'.repeat(100)), undefined],
    ['a compressed web page', 'bundle.tar.gz', gzipSync('<!doctype html>'.repeat(100)), undefined],
    ['a short compressed text', 'bundle.tar.gz', gzipSync('no'), undefined],
    ['a program', 'bundle.zip', Buffer.from(`\x7fELF${'\0'.repeat(2000)}`), undefined],
  ];
  for (const [what, name, bytes, format] of cases) {
    it(`recognizes ${what} named ${name} as ${format ?? 'no archive'}`, async () => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      assert.equal(await archiveFormat(path), format);
    });
  }

  it('distinguishes a missing file from a file that is not an archive', async () => {
    await writeFile(join(folder, 'file'), 'x');
    for (const gone of ['gone', 'file/below']) {
      await assert.rejects(archiveFormat(join(folder, gone)), { code: 'file-gone' });
    }
    await assert.rejects(archiveFormat(folder), { code: 'not-an-archive' });
  });

  it('says at once that a pipe is no archive, though nobody writes to it', async function () {
    if (process.platform === 'win32') this.skip();
    const pipe = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    await assert.rejects(archiveFormat(pipe), { code: 'not-an-archive' });
  });
});
