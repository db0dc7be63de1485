import assert from 'node:assert/strict';
import { open, readdir, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { defaultUnpackLimits } from '../../../../src/export/archive/limits';
import { aTar, aZip, tarItem } from '../../../builders/archive';
import { UnpackingPlace } from './unpacking';

type Items = Parameters<typeof aTar>[0] & Parameters<typeof aZip>[0];

const pages: Items = Array.from({ length: 30 }, (_, index) => ({ name: `${index}`, content: 'x' }));
const limits = { ...defaultUnpackLimits, entries: 30 };

describe('unpackBundle before it creates a file', () => {
  let place: UnpackingPlace;
  beforeEach(async () => {
    place = await UnpackingPlace.create();
  });
  afterEach(() => place.remove());

  const writeFileNever = (): Promise<void> => assert.fail('A file was made.');

  const refused: Record<string, Items> = {
    'an entry too many': [{ name: 'one more' }],
    'a folder too many': [{ name: '1/2/3' }],
    'a name that climbs out': [{ name: '../x' }],
    'a name that differs by case': [{ name: 'A' }, { name: 'a' }],
    'a file with the name of a folder': [{ name: 'a/b' }, { name: 'a' }],
  };
  for (const [format, make] of [
    ['tar', aTar],
    ['tar.gz', (items: Items) => gzipSync(aTar(items))],
    ['zip', (items: Items) => aZip(items)],
  ] as const) {
    for (const [what, last] of Object.entries(refused)) {
      it(`D14: refuses a ${format} that ends with ${what}`, () =>
        place.refuses(make([...pages, ...last]), 'unsafe-archive', {
          limits,
          writeFile: writeFileNever,
        }));
    }
  }

  const cut = gzipSync(aTar(pages));
  const damaged: Record<string, Buffer> = {
    'a gzip that was cut off': cut.subarray(0, -4),
    'a gzip with a wrong checksum': Buffer.concat([cut.subarray(0, -8), Buffer.alloc(8, 1)]),
    'a tar without an end': aTar(pages).subarray(0, -1024),
    'a tar with something behind it': Buffer.concat([aTar(pages), Buffer.alloc(512, 'x')]),
  };
  for (const [what, archive] of Object.entries(damaged)) {
    it(`D11: says that ${what} is broken`, () =>
      place.refuses(archive, 'broken-archive', { writeFile: writeFileNever }));
  }

  const many: Items = Array.from({ length: 5000 }, (_, index) => ({ name: `${index}` }));
  const large: Items = [{ name: 'large', content: Buffer.alloc(20_000_000) }];
  for (const [what, archive] of [
    ['among the names of a tar.gz', gzipSync(aTar(many))],
    ['among the names of a zip', aZip(many)],
    ['in the midst of a large file of a tar', aTar(large)],
    ['among zeros behind a tar', Buffer.concat([aTar([{ name: 'a' }]), Buffer.alloc(20_000_000)])],
  ] as const) {
    it(`ends at a cancel ${what}`, async () => {
      const cancel = new AbortController();
      const unpacking = place.unpack(archive, {
        signal: cancel.signal,
        // The last thing before the archive is read for the first time.
        newId: () => {
          setImmediate(() => {
            cancel.abort();
          });
          return 'id';
        },
        writeFile: writeFileNever,
      });
      await assert.rejects(unpacking, { name: 'AbortError' });
      assert.deepEqual(await readdir(place.folder), ['bundle']);
    });
  }

  it('D19: reports an archive that changes while it is unpacked as broken', async () => {
    const first = tarItem({ name: 'a.html', content: Buffer.alloc(1_000_000, 'x') });
    const archive = Buffer.concat([first, aTar([{ name: 'b.html', content: '1' }])]);
    let files = 0;
    await place.refuses(archive, 'broken-archive', {
      writeFile: async (file, content, options) => {
        files += 1;
        const handle = await open(place.archive, 'r+');
        await handle.write(tarItem({ name: 'c.html', content: '1' }), 0, 1024, first.length);
        await handle.close();
        await writeFile(file, content, options);
      },
    });
    assert.equal(files, 1);
  });

  it('D19: reports an archive that gets another file in the place of a folder', async () => {
    const first = tarItem({ name: 'a.html', content: Buffer.alloc(1_000_000, 'x') });
    const folder = tarItem({ name: 'b/', type: '5' });
    const archive = Buffer.concat([first, folder, aTar([{ name: 'c.html', content: '1' }])]);
    await place.refuses(archive, 'broken-archive', {
      writeFile: async (file, content, options) => {
        const handle = await open(place.archive, 'r+');
        await handle.write(tarItem({ name: 'b.html' }), 0, 512, first.length);
        await handle.close();
        await writeFile(file, content, options);
      },
    });
  });
});
