import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { aTar, aZip, gnuLongName, tarItem, writtenZip } from '../../../builders/archive';
import { UnpackingPlace } from './unpacking';

const noise = Buffer.from(Array.from({ length: 300_000 }, (_, index) => ((index ** 3) >> 3) & 255));
const tar = aTar([
  { name: 'index.html', content: '<h1>Home</h1>' },
  { name: 'image.png', content: noise },
]);
const gzipped = gzipSync(tar);

function changed(archive: Buffer, position: number): Buffer {
  const copy = Buffer.from(archive);
  const index = position < 0 ? archive.length + position : position;
  copy[index] = (copy[index] ?? 0) ^ 0x40;
  return copy;
}

/** Returns a zip64 archive whose end points to a place that no file has. */
async function zip64WithFarEnd(field: 'locator' | 'record'): Promise<Buffer> {
  const archive = await writtenZip({ a: Buffer.from('1') }, { forceZip64Format: true });
  const mark = Buffer.from(field === 'locator' ? 'PK\x06\x07' : 'PK\x06\x06', 'latin1');
  const position = archive.indexOf(mark) + (field === 'locator' ? 8 : 48);
  archive.writeBigUInt64LE(0xffff_ffff_ffff_fff0n, position);
  return archive;
}

/** Returns a zip whose first header, before the content, has another value than the central directory. */
function withOtherHeader(position: number): Buffer {
  return changed(aZip([{ name: 'x', content: 'one' }]), position);
}

/** Returns a zip whose central directory is at the end of its comment, so nothing follows it. */
function withDirectoryInComment(): Buffer {
  const zip = aZip([{ name: 'x', content: 'one' }]);
  const directory = zip.subarray(zip.indexOf('PK\x01\x02'), -22);
  zip.writeUInt32LE(zip.length, zip.length - 6);
  zip.writeUInt16LE(directory.length, zip.length - 2);
  return Buffer.concat([zip, directory]);
}

const twoFiles = [
  { name: 'a.html', content: 'A' },
  { name: 'b.html', content: 'B' },
];

describe('unpackBundle with a damaged archive', () => {
  let place: UnpackingPlace;
  beforeEach(async () => {
    place = await UnpackingPlace.create();
  });
  afterEach(() => place.remove());

  const broken: Record<string, Buffer | (() => Promise<Buffer>)> = {
    'a gzip that ends in its header': gzipped.subarray(0, 5),
    'a gzip that ends early': gzipped.subarray(0, 2000),
    'a gzip without its last byte': gzipped.subarray(0, -1),
    'a gzip without its checksum': gzipped.subarray(0, -8),
    'a gzip with a wrong checksum': changed(gzipped, -6),
    'a gzip with a wrong length': changed(gzipped, -2),
    'a gzip with a changed byte': changed(gzipped, gzipped.length >> 1),
    'a gzip with something behind it': Buffer.concat([gzipped, Buffer.from('and more')]),
    'a gzip with something behind zeros': Buffer.concat([
      gzipped,
      Buffer.alloc(600),
      Buffer.from('and more'),
    ]),
    'a gzip with something behind many zeros': Buffer.concat([
      gzipped,
      Buffer.alloc(100_000),
      Buffer.from('and more'),
    ]),
    'a second tar behind the first that has no end': Buffer.concat([tar, tarItem({ name: 'x' })]),
    'a header with a wrong checksum behind a tar': Buffer.concat([
      tar,
      changed(aTar([{ name: 'x' }]), 3),
    ]),
    'one byte behind a tar': Buffer.concat([tar, Buffer.from('x')]),
    'a tar that ends in a body': tar.subarray(0, 5000),
    'a tar that ends in a header': tar.subarray(0, 1200),
    'a tar that ends between two entries': tar.subarray(0, 1024),
    'a tar that ends in the filling of a block': tar.subarray(0, 600),
    'a tar in a gzip that ends in the filling of a block': gzipSync(tar.subarray(0, 600)),
    'a long name at the end of a tar in a gzip': gzipSync(gnuLongName('y')),
    'a first header with a wrong checksum': changed(tar, 3),
    'a later header with a wrong checksum': changed(tar, 1024 + 3),
    'a size that is no number': aTar([{ name: 'x', declaredSize: 'zzzzzzzzzzz' }]),
    'a size below zero': aTar([{ name: 'x', declaredSize: '\x80' }]),
    'a body that is larger than its header says': aTar([
      { name: 'x', content: noise, declaredSize: 512 },
    ]),
    'a body that is smaller than its header says': aTar([
      { name: 'x', content: '1', declaredSize: 5000 },
    ]),
    'a file that is named as a folder': aTar([{ name: 'x', pax: { path: 'x/' }, content: '1' }]),
    'a pax record with a wrong length': aTar([
      { name: 'x', type: 'x', content: '99 path=y\n' },
      { name: 'x' },
    ]),
    'a pax record without an end': aTar([
      { name: 'x', type: 'x', content: '9 path=yz' },
      { name: 'x' },
    ]),
    'a pax record without a key': aTar([
      { name: 'x', type: 'x', content: '5 ab\n' },
      { name: 'x' },
    ]),
    'a pax record whose length begins with a zero': aTar([
      { name: 'x', type: 'x', content: '011 path=y\n' },
      { name: 'x' },
    ]),
    'a pax record whose key ends in the next one': aTar([
      { name: 'x', type: 'x', content: '3 \n9 path=y\n' },
      { name: 'x' },
    ]),
    'a pax size that is no number': aTar([{ name: 'x', pax: { size: '1.5' } }]),
    'a pax size beyond all numbers': aTar([{ name: 'x', pax: { size: '9'.repeat(40) } }]),
    'a name for all that follows': Buffer.concat([
      tarItem({ name: 'g', type: 'g', content: '10 path=y\n' }),
      aTar([{ name: 'x' }]),
    ]),
    'a long name without its entry': Buffer.concat([
      tarItem({ name: 'x' }),
      gnuLongName('y'),
      Buffer.alloc(1024),
    ]),
    'a zip that ends early': aZip(twoFiles).subarray(0, -30),
    'a zip with something behind it': Buffer.concat([aZip(twoFiles), Buffer.from('and more')]),
    'a zip with something behind zeros': Buffer.concat([
      aZip(twoFiles),
      Buffer.alloc(600),
      Buffer.from('and more'),
    ]),
    'a zip without the end of its comment': aZip(twoFiles, { comment: 'note\0\0' }).subarray(0, -1),
    'a zip with something before it': Buffer.concat([Buffer.from('PK\x03\x04'), aZip(twoFiles)]),
    'a zip whose directory is elsewhere': aZip(twoFiles, { centralOffset: 7 }),
    'a zip whose directory is beyond its end': aZip(twoFiles, { centralOffset: 0xfffffff0 }),
    'a zip that counts more entries than it has': aZip(twoFiles, { entryCount: 3 }),
    'a zip that counts fewer entries than it has': aZip(twoFiles, { entryCount: 1 }),
    'a zip with a wrong checksum': aZip([{ name: 'x', content: '1', crc: 5 }]),
    'a zip with a changed byte': changed(aZip([{ name: 'x', content: noise }]), 5000),
    'a zip entry that is larger than it says': aZip([
      { name: 'x', content: noise, declaredSize: 10 },
    ]),
    'a zip entry that is smaller than it says': aZip([
      { name: 'x', content: '1', declaredSize: 10 },
    ]),
    'a stored zip entry of two sizes': aZip([
      { name: 'x', content: '12', isStored: true, declaredSize: 1 },
    ]),
    'a zip entry of two names': aZip([{ name: 'x', content: '1', localName: 'y' }]),
    'a zip entry of two compressions': withOtherHeader(8),
    'a zip entry of two checksums': withOtherHeader(14),
    'a zip entry of two packed sizes': withOtherHeader(18),
    'a zip entry of two unpacked sizes': withOtherHeader(22),
    'a zip whose directory is in its comment': withDirectoryInComment(),
    'a zip folder with a body': aZip([{ name: 'x/', content: '1' }]),
    'a zip64 with its end far away': () => zip64WithFarEnd('locator'),
    'a zip64 with its directory far away': () => zip64WithFarEnd('record'),
  };
  for (const [what, archive] of Object.entries(broken)) {
    it(`says that ${what} is broken, and leaves nothing behind`, async () => {
      const bytes = typeof archive === 'function' ? await archive() : archive;
      const details = await place.refuses(bytes, 'broken-archive');
      assert.equal(details.path, 'bundle');
    });
  }

  const others: Record<string, Buffer> = {
    'an empty file': Buffer.alloc(0),
    'a web page': Buffer.from('<!doctype html><title>Sign in</title>'.repeat(50)),
    'an error of a store': Buffer.from('<?xml version="1.0"?><Error><Code>AccessDenied</Code>'),
    'zeros only': Buffer.alloc(10_240),
    'a tar without an entry in a gzip': gzipSync(Buffer.alloc(10_240)),
    'an empty gzip': gzipSync(''),
    'a web page in a gzip': gzipSync('<!doctype html>'.repeat(500)),
    'a short text in a gzip': gzipSync('not found'),
    'a gzip in a gzip': gzipSync(gzipped),
    'a zip without an entry': aZip([]),
    'a program with a zip at its end': Buffer.concat([Buffer.from('#!/bin/sh\n'), aZip(twoFiles)]),
    'a tar with folders only': aTar([{ name: 'a', type: '5' }]),
    'a zip with folders only': aZip([{ name: 'a/' }]),
  };
  for (const [what, archive] of Object.entries(others)) {
    // Shows faults.md D27.
    it(`says that ${what} is not a bundle`, async () => {
      await place.refuses(archive, 'not-an-archive');
    });
  }

  it('says that an archive no longer exists', async () => {
    const archive = `${place.archive}-gone`;
    const details = await place.refuses(tar, 'file-gone', { archive });
    assert.equal(details.path, 'bundle-gone');
  });

  it('says that a folder is not a bundle', async () => {
    await mkdir(`${place.folder}/folder`);
    await assert.rejects(place.unpack(tar, { archive: `${place.folder}/folder` }), {
      code: 'not-an-archive',
    });
  });
});
