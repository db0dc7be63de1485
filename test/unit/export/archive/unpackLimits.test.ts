import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import { gzipSync } from 'node:zlib';
import {
  defaultUnpackLimits,
  unsafeReasons,
  type UnpackLimits,
  type UnsafeReason,
} from '../../../../src/export/archive/limits';
import { describeExportError, ExportError } from '../../../../src/export/exportErrors';
import { aTar, aZip, tarItem } from '../../../builders/archive';
import { UnpackingPlace } from './unpacking';

const zeros = Buffer.alloc(400_000);

describe('unpackBundle with an archive beyond a limit', () => {
  let place: UnpackingPlace;
  beforeEach(async () => {
    place = await UnpackingPlace.create();
  });
  afterEach(() => place.remove());

  async function refuses(
    archive: Buffer,
    limit: Partial<UnpackLimits>,
    entry: string,
    reason: UnsafeReason,
  ): Promise<void> {
    const limits = { ...defaultUnpackLimits, ...limit };
    const details = await place.refuses(archive, 'unsafe-archive', { limits });
    assert.deepEqual([details.entry, details.reason?.(plainTranslate)], [entry, reason]);
  }

  const three = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const bomb = [
    { name: 'index.html', content: '1' },
    { name: 'bomb', content: zeros },
  ];

  for (const [format, make] of [
    ['tar.gz', (items: Parameters<typeof aTar>[0]) => gzipSync(aTar(items))],
    ['zip', (items: Parameters<typeof aZip>[0]) => aZip(items)],
  ] as const) {
    it(`refuses a ${format} whose names imply too many folders`, () =>
      refuses(make([{ name: 'a/b/c/d/e' }]), { entries: 3 }, 'a/b/c/d/e', unsafeReasons.tooMany));

    it(`refuses a ${format} with too many spellings of folders`, () =>
      refuses(
        make([{ name: 'a/b/1' }, { name: 'A/B/2' }, { name: 'A/b/3' }, { name: 'a/B/4' }]),
        { entries: 6 },
        'a/B/4',
        unsafeReasons.tooMany,
      ));

    it(`refuses a ${format} with one file that is too large`, () =>
      refuses(make(bomb), { fileBytes: 399_999 }, 'bomb', unsafeReasons.fileTooLarge));

    it(`refuses a ${format} with too many bytes`, () =>
      refuses(make(bomb), { totalBytes: 300_000 }, 'bomb', unsafeReasons.totalTooLarge));

    it(`refuses a ${format} that unpacks to far more than its own size`, () =>
      refuses(
        make(bomb),
        { ratioFromBytes: 100_000, ratio: 50 },
        'bomb',
        unsafeReasons.ratioTooHigh,
      ));

    it(`lets a small ${format} unpack to far more than its own size`, async () => {
      await place.unpack(make(bomb), {
        limits: { ...defaultUnpackLimits, ratioFromBytes: 2_000_000, ratio: 1 },
      });
      assert.equal((await place.unpacked())['bomb']?.length, zeros.length);
    });

    it(`refuses a ${format} with a name that is too deep or too long`, async () => {
      await refuses(make([{ name: 'a/b/c' }]), { depth: 2 }, 'a/b/c', unsafeReasons.tooDeep);
      await refuses(make([{ name: 'éé' }]), { segmentBytes: 3 }, 'éé', unsafeReasons.nameTooLong);
      await refuses(make([{ name: 'a/b' }]), { nameLength: 2 }, 'a/b', unsafeReasons.nameTooLong);
    });
  }

  it('refuses a tar with too many entries', () =>
    refuses(aTar(three), { entries: 2 }, 'c', unsafeReasons.tooMany));

  it('refuses a zip with too many entries by the count at its end, before it reads one', async () => {
    const archive = aZip(three);
    archive.fill('x', 0, archive.indexOf('PK\x05\x06', 0, 'latin1'));
    archive.write('PK\x03\x04', 0, 'latin1');
    const limits = { ...defaultUnpackLimits, entries: 2 };
    const details = await place.refuses(archive, 'unsafe-archive', { limits });
    assert.deepEqual(
      [details.entry, details.reason?.(plainTranslate)],
      [undefined, unsafeReasons.tooManyInAll],
    );
    const { message } = describeExportError(new ExportError('unsafe-archive', details));
    assert.match(message, /“bundle” contains too many files and folders/);
  });

  it('refuses a zip with more entries than it declares', async () => {
    const archive = aZip(three, { entryCount: 1 });
    const limits = { ...defaultUnpackLimits, entries: 2 };
    await place.refuses(archive, 'broken-archive', { limits });
  });

  it('stops at the total size that the entries of a zip declare', () =>
    refuses(
      aZip(['a', 'b', 'c'].map((name) => ({ name, content: '1', declaredSize: 150_000 }))),
      { totalBytes: 400_000 },
      'c',
      unsafeReasons.totalTooLarge,
    ));

  it('counts zeros after the end of a tar', () =>
    refuses(
      gzipSync(Buffer.concat([aTar(three), zeros])),
      { totalBytes: 300_000 },
      'c',
      unsafeReasons.totalTooLarge,
    ));

  it('counts headers that describe no entry', () => {
    const endless = Buffer.concat(
      Array.from({ length: 500 }, () => tarItem({ name: 'x', type: 'x' })),
    );
    return refuses(
      gzipSync(Buffer.concat([aTar(three).subarray(0, 3 * 512), endless])),
      { totalBytes: 100_000 },
      'c',
      unsafeReasons.totalTooLarge,
    );
  });

  it('refuses a pax header that is too large, before it is read', () =>
    refuses(
      gzipSync(aTar([{ name: 'x', pax: { comment: 'x'.repeat(5000) } }])),
      { metadataBytes: 4096 },
      'PaxHeader/x',
      unsafeReasons.metadataTooLarge,
    ));

  it('stops at the size that a header declares, before the disk fills', () =>
    refuses(
      gzipSync(tarItem({ name: 'vast', declaredSize: 8_000_000_000 })),
      {},
      'vast',
      unsafeReasons.fileTooLarge,
    ));

  // Shows faults.md D15.
  it('does not trust a zip that declares a small size', async () => {
    const archive = aZip([{ name: 'bomb', content: zeros, declaredSize: 100 }]);
    await place.refuses(archive, 'broken-archive');
  });
});
