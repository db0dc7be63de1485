import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { plainTranslate } from '../../../../src/common/errors';
import { unsafeReasons } from '../../../../src/export/archive/limits';
import { aTar, aZip, tarItem } from '../../../builders/archive';
import { UnpackingPlace } from './unpacking';

const page = tarItem({ name: 'a.html', content: 'A' });
const other = aTar([{ name: 'b.html', content: 'B' }]);
const first = aTar([{ name: 'a.html', content: 'A' }]);
const end = Buffer.alloc(1024);
const large = 'A'.repeat(100_000);

/** Files with names so long that the directory of their zip is larger than what is read at once. */
const longNames = Array.from({ length: 400 }, (_, index) => `${index}-${'n'.repeat(200)}.html`);

/** Returns a zip whose header before the content has these values for checksum, packed and unpacked size. */
function withFirstHeader(flags: number, values: readonly [number, number, number]): Buffer {
  const zip = aZip([{ name: 'a.html', content: 'A', flags }]);
  for (const [index, value] of values.entries()) zip.writeUInt32LE(value, 14 + 4 * index);
  return zip;
}

/** Returns a zip of two files whose directory lists the second one first. */
function withOtherOrder(): Buffer {
  const zip = aZip([
    { name: 'a.html', content: 'A' },
    { name: 'b.html', content: 'B' },
  ]);
  const endStart = zip.length - 22;
  const start = zip.readUInt32LE(endStart + 16);
  const second = start + 46 + 'a.html'.length;
  return Buffer.concat([
    zip.subarray(0, start),
    zip.subarray(second, endStart),
    zip.subarray(start, second),
    zip.subarray(endStart),
  ]);
}

describe('unpackBundle with an unusual but harmless archive', () => {
  let place: UnpackingPlace;
  beforeEach(async () => {
    place = await UnpackingPlace.create();
  });
  afterEach(() => place.remove());

  const bothPages = { 'a.html': 'A', 'b.html': 'B' };
  const harmless: Record<string, readonly [Buffer, Record<string, string>]> = {
    'D24: a tar with a label of GNU tar': [
      aTar([
        { name: 'Docs of May', type: 'V' },
        { name: 'a.html', content: 'A' },
      ]),
      { 'a.html': 'A' },
    ],
    'D24: a tar with a label in pax format': [
      aTar([
        { name: 'GlobalHead.1', type: 'g', content: '26 GNU.volume.label=Label\n' },
        { name: 'a.html', content: 'A' },
      ]),
      { 'a.html': 'A' },
    ],
    'D24: a tar with access control lists of Solaris': [
      aTar([
        { name: 'a.html', type: 'A', content: '1000000\0user::rw-\0' },
        { name: 'a.html', content: 'A' },
      ]),
      { 'a.html': 'A' },
    ],
    'D24: an incremental backup by GNU tar': [
      aTar([
        { name: 'guides/', type: 'D', content: 'Ya.html\0Nb.html\0\0' },
        { name: 'guides/a.html', content: 'A' },
      ]),
      { 'guides/a.html': 'A' },
    ],
    'D25: two tars in a row': [Buffer.concat([first, other]), bothPages],
    'D25: two tars in a row, each filled up to a whole record': [
      Buffer.concat([first, Buffer.alloc(8192), other, Buffer.alloc(8192)]),
      bothPages,
    ],
    'D25: two gzips in a row, each with a whole tar': [
      Buffer.concat([gzipSync(first), gzipSync(other)]),
      bothPages,
    ],
    'D25: a block of zeros between two entries': [
      Buffer.concat([page, Buffer.alloc(512), other]),
      bothPages,
    ],
    'D25: a gzip that begins with a block of zeros': [
      gzipSync(Buffer.concat([Buffer.alloc(512), first])),
      { 'a.html': 'A' },
    ],
    'D24: a tar of GNU with times where POSIX has the start of a name': [
      aTar([{ name: 'a.html', content: 'A', magic: 'gnu', prefix: '14371234567' }]),
      { 'a.html': 'A' },
    ],
    'D26: a tar in a gzip that has no end': [gzipSync(page), { 'a.html': 'A' }],
    'D26: a tar that ends with a single block': [
      Buffer.concat([page, Buffer.alloc(512)]),
      { 'a.html': 'A' },
    ],
    'D26: zeros behind a tar that fill no whole block': [
      Buffer.concat([page, end, Buffer.alloc(700)]),
      { 'a.html': 'A' },
    ],
    'D26: zeros behind a zip': [
      Buffer.concat([aZip([{ name: 'a.html', content: 'A' }]), Buffer.alloc(300_000)]),
      { 'a.html': 'A' },
    ],
    'D26: zeros behind a large zip': [
      Buffer.concat([
        aZip([{ name: 'a.html', content: large, isStored: true }]),
        Buffer.alloc(600_000),
      ]),
      { 'a.html': large },
    ],
    'a zip whose directory has another order than the files': [withOtherOrder(), bothPages],
    'a zip with a large directory': [
      aZip(longNames.map((name) => ({ name, content: name }))),
      Object.fromEntries(longNames.map((name) => [name, name])),
    ],
    'a zip entry whose sizes follow its content': [
      withFirstHeader(0x0808, [0, 0, 0]),
      { 'a.html': 'A' },
    ],
    'a zip entry whose sizes are in another field, as in zip64': [
      withFirstHeader(0x0800, [crc32('A'), 0xffff_ffff, 0xffff_ffff]),
      { 'a.html': 'A' },
    ],
    'D26: one zero behind a zip with a comment': [
      Buffer.concat([
        aZip([{ name: 'a.html', content: 'A' }], { comment: 'made by hand\0' }),
        Buffer.alloc(1),
      ]),
      { 'a.html': 'A' },
    ],
  };
  for (const [what, [archive, files]] of Object.entries(harmless)) {
    it(`unpacks ${what}`, async () => {
      await place.unpack(archive);
      assert.deepEqual(await place.unpacked(), files);
    });
  }

  const twice = [
    { name: 'guides/a.html', content: 'old and longer' },
    { name: 'b.html', content: 'B' },
    { name: './guides//a.html', content: 'new' },
  ];
  for (const [format, archive] of [
    ['tar', aTar(twice)],
    ['tar.gz', gzipSync(aTar(twice))],
    ['zip', aZip(twice)],
  ] as const) {
    it(`D16: uses the last content of a file that a ${format} contains twice, and creates it once`, async () => {
      const made: string[] = [];
      const { files, bytes } = await place.unpack(archive, {
        writeFile: (file, content, options) => {
          made.push(basename(file));
          return writeFile(file, content, options);
        },
      });
      assert.deepEqual(await place.unpacked(), { 'b.html': 'B', 'guides/a.html': 'new' });
      assert.deepEqual(made, ['b.html', 'a.html']);
      assert.deepEqual([files, bytes], [2, 4]);
    });
  }

  it('D16: uses the last content across concatenated tars, and accepts repeated folders', async () => {
    const folder = { name: 'guides/', type: '5' };
    const parts = [
      aTar([folder, { name: 'guides/a.html', content: '1' }, folder]),
      aTar([folder, { name: 'guides/a.html', content: '2' }, { name: 'guides', type: '5' }]),
    ];
    await place.unpack(Buffer.concat(parts));
    assert.deepEqual(await place.unpacked(), { 'guides/a.html': '2' });
  });

  it('D12: ignores parts of names that stand for the folder itself', async () => {
    const items = [
      { name: 'site/./', type: '5' },
      { name: 'site/.', type: '5' },
      { name: '.', type: '5' },
      { name: 'site/./index.html', content: '1' },
      { name: '././site//guides/././a.html', content: '2' },
      { name: 'site//empty//', type: '5' },
    ];
    await place.unpack(aTar(items));
    const unpacked = {
      'site/empty/': '',
      'site/guides/a.html': '2',
      'site/index.html': '1',
    };
    assert.deepEqual(await place.unpacked(), unpacked);
  });

  it('D24: refuses a volume that begins with the rest of a file, in each form that marks one', async () => {
    const volumes = [
      aTar([{ name: 'large.bin', type: 'M', content: 'rest' }]),
      aTar([
        {
          name: 'GlobalHead.1',
          type: 'g',
          content: '33 GNU.volume.filename=large.bin\n25 GNU.volume.offset=512\n',
        },
        { name: 'GNUFileParts/large.bin.2', content: 'rest' },
      ]),
    ];
    for (const volume of volumes) {
      const { entry, reason } = await place.refuses(volume, 'unsafe-archive');
      assert.deepEqual([entry, reason?.(plainTranslate)], ['large.bin', unsafeReasons.rest]);
    }
  });

  for (const beside of ['._site', '.DS_Store', '__MACOSX/site/._index.html']) {
    // Shows faults.md D28.
    it(`finds the site beside ${beside}, which macOS leaves behind`, async () => {
      const archive = aZip([{ name: 'site/index.html', content: '1' }, { name: beside }]);
      const { siteRoot } = await place.unpack(archive);
      assert.equal(siteRoot, join(place.target, 'site'));
      assert.deepEqual(await place.unpacked(), { [beside]: '', 'site/index.html': '1' });
    });
  }

  it('says that an archive with only a label is not a bundle', () =>
    place.refuses(aTar([{ name: 'Label', type: 'V' }]), 'not-an-archive'));
});
