import assert from 'node:assert/strict';
import { defaultUnpackLimits, UnpackBudget } from '../../../../src/export/archive/limits';
import { tarEntries } from '../../../../src/export/archive/tarEntries';
import {
  gnuLongName,
  nameLayouts,
  tarItem,
  ustarLaidOut,
  type NamedItem,
  type TarItem,
} from '../../../builders/archive';
import { seededRandom } from '../../../builders/seededRandom';

interface Read {
  readonly name: string;
  readonly kind: string;
  readonly content: string;
}

async function entriesIn(items: readonly Buffer[]): Promise<Read[]> {
  const archive = Buffer.concat([...items, Buffer.alloc(1024)]);
  const chunks = async function* (): AsyncGenerator<Buffer> {
    yield await Promise.resolve(archive);
  };
  const budget = new UnpackBudget(defaultUnpackLimits, archive.length);
  const read: Read[] = [];
  const stream = { chunks: chunks(), tellsItsEnd: false };
  for await (const { name, kind, content } of tarEntries(stream, defaultUnpackLimits, budget)) {
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(piece);
    read.push({ name, kind, content: Buffer.concat(pieces).toString() });
  }
  return read;
}

const letters = ['a', 'b', '-', '7', '.', 'é', '字', '😀'];

/** Returns a name of that many bytes, with a slash at each of those places and at some others. */
function nameOf(bytes: number, slashes: readonly number[], random: (limit: number) => number) {
  let name = '';
  for (let length = 0; length < bytes; length = Buffer.byteLength(name)) {
    const next = slashes.find((place) => place >= length) ?? bytes;
    const letter = letters[random(letters.length)] ?? 'a';
    const isAtSlash = next === length && length > 0 && length < bytes - 1;
    const room = Math.min(next > length ? next : bytes, bytes) - length;
    if (isAtSlash || (random(40) === 0 && length > 0 && room > 1)) name += '/';
    else name += Buffer.byteLength(letter) <= room ? letter : 'x';
  }
  return name.replaceAll('//', '/z');
}

/**
 * Returns names of every length from 90 to 260 bytes, many with a slash where a field of the header
 * ends.
 */
function namesOfAllLengths(seed: number): string[] {
  const random = seededRandom(seed);
  const places = [[], [98], [99, 100 + random(100)], [100], [155], [156]];
  const names = new Set<string>();
  for (let bytes = 90; bytes <= 260; bytes++) {
    for (const slashes of places) names.add(nameOf(bytes, slashes, random));
  }
  return [...names];
}

const names = namesOfAllLengths(1);

describe('tarEntries with a name that the header cuts', () => {
  it('is tested with names of every length and a slash where the short name ends', () => {
    const lengths = new Set(names.map((name) => Buffer.byteLength(name)));
    assert.equal(lengths.size, 171);
    assert.deepEqual([Math.min(...lengths), Math.max(...lengths)], [90, 260]);
    const cutAtSlash = names.filter((name) => Buffer.from(name)[99] === 0x2f);
    assert.ok(cutAtSlash.length > 150, `${cutAtSlash.length}`);
  });

  const layouts: readonly (readonly [string, (item: NamedItem) => Buffer | undefined])[] = [
    ...Object.entries(nameLayouts),
    ['ustar', ustarLaidOut],
  ];
  for (const [layout, laidOut] of layouts) {
    it(`returns whole names of files and folders of the ${layout} layout`, async () => {
      const items: Buffer[] = [];
      const expected: Read[] = [];
      for (const [index, name] of names.entries()) {
        const content = `content of ${index}`;
        const file = laidOut({ name, content });
        const folder = laidOut({ name: `${name}/`, type: '5' });
        if (file) {
          items.push(file);
          expected.push({ name, kind: 'file', content });
        }
        if (folder) {
          items.push(folder);
          expected.push({ name: `${name}/`, kind: 'folder', content: '' });
        }
      }
      assert.ok(expected.length > 500, `${expected.length}`);
      assert.deepEqual(await entriesIn(items), expected);
    });
  }

  it('treats an entry as a folder only if its whole name ends with a slash', async () => {
    const items = [
      tarItem({ name: 'old/', magic: 'none', type: '\0' }),
      tarItem({ name: 'newer/' }),
      tarItem({ name: 'x', pax: { path: 'renamed/' } }),
      tarItem({ name: 'short/', content: 'file', pax: { path: 'short/file' } }),
      gnuLongName('long/file'),
      tarItem({ name: 'long/', content: 'file', type: '\0', magic: 'gnu' }),
    ];
    assert.deepEqual(await entriesIn(items), [
      { name: 'old/', kind: 'folder', content: '' },
      { name: 'newer/', kind: 'folder', content: '' },
      { name: 'renamed/', kind: 'folder', content: '' },
      { name: 'short/file', kind: 'file', content: 'file' },
      { name: 'long/file', kind: 'file', content: 'file' },
    ]);
  });
});

// Shows faults.md D23.
describe('tarEntries with records that override a header', () => {
  const body = 'x'.repeat(700);
  const overridden: Record<string, readonly Buffer[]> = {
    'a size that the field cannot hold': [
      tarItem({ name: 'a', content: body, declaredSize: 'too large', pax: { size: '700' } }),
    ],
    'a size of zero in the header': [
      tarItem({ name: 'a', content: body, declaredSize: 0, pax: { size: '700' } }),
    ],
    'a size before a long name': [
      tarItem({ name: 'p', type: 'x', content: '12 size=700\n' }),
      gnuLongName('a'),
      tarItem({ name: 'cut/', content: body, declaredSize: 0 }),
    ],
    'a size that belongs to the entry, not to the link name between': [
      tarItem({ name: 'p', type: 'x', content: '12 size=700\n' }),
      tarItem({ name: '././@LongLink', type: 'K', content: 'target\0' }),
      tarItem({ name: 'a', content: body, declaredSize: 0 }),
    ],
    'times and owners that no field holds': [
      tarItem({
        name: 'a',
        content: body,
        pax: { mtime: '-1.5', atime: '99999999999999', uid: '4294967296', linkpath: 'b/' },
      }),
    ],
    'records for all that follows': [
      tarItem({
        name: 'g',
        type: 'g',
        content: '17 mtime=1700000\n21 uname=someone else\n'.replace('21 ', '22 '),
      }),
      tarItem({ name: 'a', content: body }),
    ],
  };
  for (const [what, items] of Object.entries(overridden)) {
    it(`reads ${what}`, async () => {
      assert.deepEqual(await entriesIn([...items, tarItem({ name: 'b', content: '2' })]), [
        { name: 'a', kind: 'file', content: body },
        { name: 'b', kind: 'file', content: '2' },
      ]);
    });
  }

  it('applies such records to one entry only', async () => {
    const items = [
      gnuLongName('one'),
      tarItem({ name: 'cut/', content: '1' }),
      tarItem({ name: 'two', content: '2', declaredSize: 9, pax: { size: '1' } }),
      tarItem({ name: 'three/' }),
      tarItem({ name: 'four', content: '4' }),
    ];
    const read = await entriesIn(items);
    assert.deepEqual(
      read.map(({ name, content }) => [name, content]),
      [
        ['one', '1'],
        ['two', '2'],
        ['three/', ''],
        ['four', '4'],
      ],
    );
  });
});

describe('tarEntries with fields that a site doesn’t use', () => {
  /** Offsets of mode, owner, group, time, device numbers and access time. */
  const unused = [100, 108, 116, 136, 329, 337, 345 + 131];
  for (const offset of unused) {
    it(`accepts an invalid number at ${offset}`, async () => {
      const block = tarItem({ name: 'a', content: '1', magic: offset > 340 ? 'gnu' : 'ustar' });
      block.write('\x90\x81zz', offset, 'latin1');
      assert.deepEqual(await entriesIn([withChecksum(block)]), [
        { name: 'a', kind: 'file', content: '1' },
      ]);
    });
  }

  const headers: Record<string, (block: Buffer) => unknown> = {
    'an empty size of an empty file': (block) => block.fill(0, 124, 136),
    'a size of spaces': (block) => block.fill(' ', 124, 136),
    'a size without leading zeros': (block) => block.write('          0 ', 124),
    'a size in base 256': (block) => block.fill(0, 124, 136).writeUInt8(0x80, 124),
    'no version behind the mark of POSIX': (block) => block.fill(0, 263, 265),
  };
  for (const [what, change] of Object.entries(headers)) {
    it(`reads ${what}`, async () => {
      const item: TarItem = { name: 'a', prefix: 'folder' };
      const block = tarItem(item);
      change(block);
      const read = await entriesIn([withChecksum(block)]);
      assert.deepEqual(read, [{ name: 'folder/a', kind: 'file', content: '' }]);
    });
  }

  it('reads checksums of signed bytes, and checksums without a terminator', async () => {
    const name = 'é'.repeat(5);
    const signed = withChecksum(tarItem({ name, content: '1' }), (byte) => (byte << 24) >> 24);
    const unended = tarItem({ name: 'a', content: '2' });
    unended.write(
      sumOf(unended, (byte) => byte)
        .toString(8)
        .padStart(8, '0'),
      148,
    );
    assert.deepEqual(
      (await entriesIn([signed, unended])).map((entry) => [entry.name, entry.content]),
      [
        [name, '1'],
        ['a', '2'],
      ],
    );
  });
});

function sumOf(block: Buffer, asNumber: (byte: number) => number): number {
  let sum = 0;
  for (const [index, byte] of block.subarray(0, 512).entries()) {
    sum += index >= 148 && index < 156 ? 0x20 : asNumber(byte);
  }
  return sum;
}

function withChecksum(item: Buffer, asNumber = (byte: number): number => byte): Buffer {
  item.write(`${sumOf(item, asNumber).toString(8).padStart(6, '0')}\0 `, 148);
  return item;
}
