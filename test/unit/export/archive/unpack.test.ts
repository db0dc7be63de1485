import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { UnpackProgress } from '../../../../src/export/archive/unpack';
import { aTar, aZip, gnuLongName, tarItem, writtenZip } from '../../../builders/archive';
import { UnpackingPlace } from './unpacking';

/** Binary content that is larger than one chunk and not a whole number of blocks. */
const image = Buffer.from(Array.from({ length: 700_001 }, (_, index) => (index * 31) % 251));
const site = {
  'index.html': Buffer.from('<!doctype html><title>Home</title>'),
  'guides/start.html': Buffer.from('<h1>Start</h1>'),
  'guides/deep/er/page.html': Buffer.from('é'),
  'assets/empty.css': Buffer.alloc(0),
  'assets/image.png': image,
  'assets/naïve 字.txt': Buffer.from('x'),
};
const siteTar = aTar(Object.entries(site).map(([name, content]) => ({ name, content })));
const unpackedSite = Object.fromEntries(
  Object.entries(site)
    .map(([name, content]) => [name, content.toString('latin1')] as const)
    .sort(),
);

describe('unpackBundle', () => {
  let place: UnpackingPlace;
  beforeEach(async () => {
    place = await UnpackingPlace.create();
  });
  afterEach(() => place.remove());

  const archives = {
    tar: () => Promise.resolve(siteTar),
    'tar.gz': () => Promise.resolve(gzipSync(siteTar)),
    zip: () => writtenZip(site),
  } as const;
  for (const [format, make] of Object.entries(archives)) {
    it(`unpacks a ${format} byte for byte, whatever its name`, async () => {
      const result = await place.unpack(await make());
      assert.deepEqual(sorted(await place.unpacked()), sorted(unpackedSite));
      assert.deepEqual(result, {
        siteRoot: place.target,
        files: 6,
        bytes: Object.values(site).reduce((sum, { length }) => sum + length, 0),
      });
    });
  }

  it('unpacks a bundle of one file, also in a folder, and finds its site', async () => {
    const bare = await place.unpack(aTar([{ name: 'index.html', content: 'A' }]));
    assert.deepEqual([bare.siteRoot, bare.files, bare.bytes], [place.target, 1, 1]);
    const target = join(place.folder, 'other');
    const nested = await place.unpack(aTar([{ name: 'docs/index.html', content: 'A' }]), {
      target,
    });
    assert.deepEqual([nested.siteRoot, nested.files], [join(target, 'docs'), 1]);
  });

  it('unpacks a gzip of several members, and one that is padded with zeros', async () => {
    const parts = [gzipSync(siteTar.subarray(0, 5000)), gzipSync(siteTar.subarray(5000))];
    await place.unpack(Buffer.concat([...parts, Buffer.alloc(1000)]));
    assert.deepEqual(sorted(await place.unpacked()), sorted(unpackedSite));
  });

  it('unpacks a tar that is padded to a whole record', async () => {
    await place.unpack(Buffer.concat([siteTar, Buffer.alloc(8192)]));
    assert.deepEqual(sorted(await place.unpacked()), sorted(unpackedSite));
  });

  it('unpacks a zip in zip64 format', async () => {
    await place.unpack(await writtenZip(site, { forceZip64Format: true }));
    assert.deepEqual(sorted(await place.unpacked()), sorted(unpackedSite));
  });

  it('unpacks stored entries and a comment of a zip', async () => {
    const items = [{ name: 'a.html', content: 'A', isStored: true }, { name: 'b/' }];
    await place.unpack(aZip(items, { comment: 'made by hand' }));
    assert.deepEqual(await place.unpacked(), { 'a.html': 'A', 'b/': '' });
  });

  it('reads UTF-8 names that a zip does not declare, and names in the old encoding', async () => {
    const items = [
      { name: 'é.html', content: '1', flags: 0 },
      { name: Buffer.from([0x82, 0x61]), content: '2', flags: 0 },
    ];
    await place.unpack(aZip(items));
    assert.deepEqual(await place.unpacked(), { 'é.html': '1', éa: '2' });
  });

  const longName = `${'é'.repeat(100)}/${'字'.repeat(80)}/${'a'.repeat(300).slice(0, 200)}.html`;
  for (const [kind, start] of [
    ['pax', tarItem({ name: 'short', content: 'long', pax: { path: longName } })],
    ['GNU', Buffer.concat([gnuLongName(longName), tarItem({ name: 'short', content: 'long' })])],
  ] as const) {
    it(`reads ${kind} names that are split within a letter between chunks`, async () => {
      // With fillers the long name comes to lie on each place around the end of a chunk.
      for (const filler of [261_500, 262_000, 262_144 - 2 * 512]) {
        const first = tarItem({ name: 'filler', content: Buffer.alloc(filler) });
        await place.unpack(Buffer.concat([first, start, Buffer.alloc(1024)]));
        assert.equal((await place.unpacked())[longName], 'long');
        await place.remove();
        place = await UnpackingPlace.create();
      }
    });
  }

  it('takes size and name from pax records, and leaves other records alone', async () => {
    const archive = aTar([
      {
        name: 'x',
        content: 'seven..',
        declaredSize: 1,
        pax: { size: '7', path: 'a\u00e9.html', 'SCHILY.xattr.user.note': 'line\nline\u0000' },
      },
    ]);
    await place.unpack(archive);
    assert.deepEqual(await place.unpacked(), { 'aé.html': 'seven..' });
  });

  it('accepts a leading ./ and an entry for the folder itself', async () => {
    const archive = aTar([
      { name: './', type: '5' },
      { name: './index.html', content: '1' },
      { name: './guides', type: '5' },
      { name: './guides/', type: '5' },
      { name: './guides/a.html', content: '2' },
    ]);
    await place.unpack(archive);
    assert.deepEqual(await place.unpacked(), { 'guides/a.html': '2', 'index.html': '1' });
  });

  // Shows faults.md D18.
  it('ignores modes and times of entries', async () => {
    const entry = { name: 'run.sh', content: '1', mode: 0o6777, mtime: 4_000_000_000 };
    await place.unpack(aTar([entry, { name: 'open', type: '5', mode: 0o777 }]));
    const file = await stat(join(place.target, 'run.sh'));
    assert.ok(file.mtimeMs < 3_900_000_000_000);
    assert.equal(file.mode & 0o7133, 0);
    for (const folder of ['.', 'open']) {
      assert.equal((await stat(join(place.target, folder))).mode & 0o7022, 0);
    }
  });

  it('finds the site in the only folder', async () => {
    const { siteRoot } = await place.unpack(
      aTar([
        { name: 'export/site/index.html', content: '1' },
        { name: 'export/site/a/b.html', content: '2' },
      ]),
    );
    assert.equal(siteRoot, join(place.target, 'export', 'site'));
  });

  it('treats the whole folder as the site if a file lies beside the only folder', async () => {
    const { siteRoot } = await place.unpack(
      aTar([{ name: 'guides/a.html' }, { name: 'index.html' }]),
    );
    assert.equal(siteRoot, place.target);
  });

  it('keeps folders that differ only in case', async () => {
    await place.unpack(aZip([{ name: 'API/a.html' }, { name: 'api/b.html' }]));
    const names = Object.keys(await place.unpacked()).map((name) => name.toLowerCase());
    assert.deepEqual(names.sort(), ['api/a.html', 'api/b.html']);
  });

  it('reports its progress up to the end', async () => {
    const reports: UnpackProgress[] = [];
    const many = Array.from({ length: 120 }, (_, index) => ({ name: `${index}`, content: 'xy' }));
    await place.unpack(aTar(many), { onProgress: (progress) => void reports.push(progress) });
    assert.deepEqual(reports, [
      { files: 50, totalFiles: 120, bytes: 100 },
      { files: 100, totalFiles: 120, bytes: 200 },
      { files: 120, totalFiles: 120, bytes: 240 },
    ]);
  });
});

function sorted(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}
