import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { aTar, tarItem } from '../../../builders/archive';
import { unsafeReasons } from '../../../../src/staticExport/archive/unsafeEntry';
import { UnpackingPlace } from './unpacking';

const page = tarItem({ name: 'a.html', content: 'A' });
const other = aTar([{ name: 'b.html', content: 'B' }]);
const first = aTar([{ name: 'a.html', content: 'A' }]);
const end = Buffer.alloc(1024);

describe('unpackBundle of an archive that is odd and does no harm', () => {
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
    'D26: a tar in a gzip that has no end': [gzipSync(page), { 'a.html': 'A' }],
    'D26: a tar that ends with a single block': [
      Buffer.concat([page, Buffer.alloc(512)]),
      { 'a.html': 'A' },
    ],
    'D26: zeros behind a tar that fill no whole block': [
      Buffer.concat([page, end, Buffer.alloc(700)]),
      { 'a.html': 'A' },
    ],
  };
  for (const [what, [archive, files]] of Object.entries(harmless)) {
    it(`unpacks ${what}`, async () => {
      await place.unpack(archive);
      assert.deepEqual(await place.unpacked(), files);
    });
  }

  it('D24: refuses a volume that begins with the rest of a file, however it says so', async () => {
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
      assert.deepEqual([entry, reason], ['large.bin', unsafeReasons.rest]);
    }
  });

  it('says of a label alone that it is no bundle', () =>
    place.refuses(aTar([{ name: 'Label', type: 'V' }]), 'not-an-archive'));
});
