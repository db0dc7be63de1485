import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import { gzipSync } from 'node:zlib';
import { unsafeReasons, type UnsafeReason } from '../../../../src/export/archive/limits';
import {
  aTar,
  aZip,
  tarItem,
  zipItem,
  type TarItem,
  type ZipItem,
} from '../../../builders/archive';
import { UnpackingPlace } from './unpacking';

/** Names that mean something else than a new file in the folder, on one system or another. */
const hostileNames: readonly (readonly [name: string, reason: UnsafeReason])[] = [
  ['../x', unsafeReasons.climbsOut],
  ['a/../../x', unsafeReasons.climbsOut],
  ['a/..', unsafeReasons.climbsOut],
  ['./../x', unsafeReasons.climbsOut],
  ['..\\x', unsafeReasons.climbsOut],
  ['a\\..\\..\\x', unsafeReasons.climbsOut],
  ['/etc/x', unsafeReasons.absolute],
  ['//tmp/x', unsafeReasons.absolute],
  ['C:\\x', unsafeReasons.absolute],
  ['C:..\\x', unsafeReasons.absolute],
  ['c:x', unsafeReasons.absolute],
  ['\\\\srv\\x', unsafeReasons.absolute],
  ['\\\\?\\C:\\x', unsafeReasons.absolute],
  ['\\x', unsafeReasons.absolute],
  ['a\u0000/../../x', unsafeReasons.controlCharacter],
  ['a\nb', unsafeReasons.controlCharacter],
  ['a\u001b[31m', unsafeReasons.controlCharacter],
  ['', unsafeReasons.noName],
  ['.', unsafeReasons.noName],
  ['a/.', unsafeReasons.noName],
  ['a/./../../x', unsafeReasons.climbsOut],
  ['.//../x', unsafeReasons.climbsOut],
  ['a\\b', unsafeReasons.forbiddenCharacter],
  ['index.html:stream', unsafeReasons.forbiddenCharacter],
  ['index.html::$DATA', unsafeReasons.forbiddenCharacter],
  ['a<b', unsafeReasons.forbiddenCharacter],
  ['a>b', unsafeReasons.forbiddenCharacter],
  ['a"b', unsafeReasons.forbiddenCharacter],
  ['a|b', unsafeReasons.forbiddenCharacter],
  ['a?b', unsafeReasons.forbiddenCharacter],
  ['a*b', unsafeReasons.forbiddenCharacter],
  ['con.html', unsafeReasons.reservedName],
  ['aux', unsafeReasons.reservedName],
  ['guides/nul.txt', unsafeReasons.reservedName],
  ['nul .txt', unsafeReasons.reservedName],
  ['NUL.tar.gz', unsafeReasons.reservedName],
  ['prn/index.html', unsafeReasons.reservedName],
  ['com1', unsafeReasons.reservedName],
  ['COM¹.html', unsafeReasons.reservedName],
  ['lpt9', unsafeReasons.reservedName],
  ['CONIN$', unsafeReasons.reservedName],
  ['a.', unsafeReasons.trailingDotOrSpace],
  ['a ', unsafeReasons.trailingDotOrSpace],
  ['a /b', unsafeReasons.trailingDotOrSpace],
  ['.../x', unsafeReasons.trailingDotOrSpace],
  ['.git/config', unsafeReasons.gitFolder],
  ['a/.GIT/hooks/post-checkout', unsafeReasons.gitFolder],
  ['.g\u200cit/config', unsafeReasons.gitFolder],
  ['git~1/config', unsafeReasons.gitFolder],
  ['a\ufffdb', unsafeReasons.notText],
  ['x'.repeat(256), unsafeReasons.nameTooLong],
  ['é'.repeat(128), unsafeReasons.nameTooLong],
  [`${'x'.repeat(200)}/`.repeat(6), unsafeReasons.nameTooLong],
  [`${'a/'.repeat(64)}b`, unsafeReasons.tooDeep],
];

/** Returns a name as a person sees it: on one line, cut. */
function shownName(name: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is not shown
  const line = name.replace(/[\u0000-\u001f]/g, ' ').trim();
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}

/**
 * Returns an archive with that name. A name that the field of a tar header can't hold is in a pax
 * record.
 */
function tarOf(name: string): Buffer {
  const isPlain = Buffer.byteLength(name) <= 100 && !name.includes('\0');
  const item = isPlain ? { name } : { name: 'short', pax: { path: name } };
  return aTar([
    { name: 'index.html', content: '1' },
    { ...item, content: 'x' },
  ]);
}

function zipOf(name: string): Buffer {
  return aZip([
    { name: 'index.html', content: '1' },
    { name, content: name.endsWith('/') ? '' : 'x' },
  ]);
}

describe('unpackBundle with an unsafe archive', () => {
  let place: UnpackingPlace;
  beforeEach(async () => {
    place = await UnpackingPlace.create();
  });
  afterEach(() => place.remove());

  async function refusesEntry(archive: Buffer, entry: string, reason: UnsafeReason): Promise<void> {
    const details = await place.refuses(archive, 'unsafe-archive');
    assert.equal(details.reason?.(plainTranslate), reason);
    assert.equal(details.entry, entry);
    assert.equal(details.path, 'bundle');
  }

  for (const [name, reason] of hostileNames) {
    const title = JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
    // A file's name that ends with a slash is a folder's, and its body a contradiction.
    if (!name.endsWith('/')) {
      // Shows faults.md D13, D17.
      it(`refuses a tar with ${title}, as it ${reason}`, () =>
        refusesEntry(tarOf(name), shownName(name), reason));
    }
    it(`refuses a zip with ${title}, as it ${reason}`, () =>
      refusesEntry(zipOf(name), shownName(name), reason));
  }

  const unsafeTarItems: readonly (readonly [what: string, TarItem, UnsafeReason])[] = [
    ['a symbolic link', { name: 'x', type: '2', linkName: '/etc/passwd' }, unsafeReasons.link],
    ['a link inside', { name: 'x', type: '2', linkName: 'index.html' }, unsafeReasons.link],
    ['a hard link', { name: 'x', type: '1', linkName: 'index.html' }, unsafeReasons.link],
    [
      'a link by pax',
      { name: 'x', type: '2', linkName: 'a', pax: { linkpath: '../../x' } },
      unsafeReasons.link,
    ],
    ['a character device', { name: 'x', type: '3' }, unsafeReasons.specialFile],
    ['a block device', { name: 'x', type: '4' }, unsafeReasons.specialFile],
    ['a fifo', { name: 'x', type: '6' }, unsafeReasons.specialFile],
    ['an entry of an unknown type', { name: 'x', type: 'Z' }, unsafeReasons.specialFile],
    ['a GNU sparse file', { name: 'x', type: 'S' }, unsafeReasons.sparse],
    [
      'a pax sparse file',
      { name: 'x', pax: { 'GNU.sparse.major': '1', 'GNU.sparse.name': 'y' } },
      unsafeReasons.sparse,
    ],
  ];
  for (const [what, item, reason] of unsafeTarItems) {
    it(`refuses a tar.gz with ${what}`, () =>
      refusesEntry(gzipSync(aTar([{ name: 'index.html', content: '1' }, item])), 'x', reason));
  }

  const unsafeZipItems: readonly (readonly [what: string, ZipItem, UnsafeReason])[] = [
    ['a link', { name: 'x', content: '/etc', unixMode: 0o120777 }, unsafeReasons.link],
    ['a fifo', { name: 'x', unixMode: 0o010644 }, unsafeReasons.specialFile],
    ['a device', { name: 'x', unixMode: 0o060644 }, unsafeReasons.specialFile],
    ['a folder named as a file', { name: 'x', unixMode: 0o040755 }, unsafeReasons.specialFile],
    ['an encrypted entry', { name: 'x', flags: 0x0801 }, unsafeReasons.encrypted],
    ['an unknown compression', { name: 'x', method: 93 }, unsafeReasons.unknownCompression],
  ];
  for (const [what, item, reason] of unsafeZipItems) {
    it(`refuses a zip with ${what}`, () =>
      refusesEntry(aZip([{ name: 'index.html', content: '1' }, item]), 'x', reason));
  }

  for (const between of [[], [{ name: 'between', content: '3' }]]) {
    it(`refuses a zip with an entry inside another, ${between.length} between them`, () => {
      const inner = { name: 'inner', content: '2' };
      const outer = { name: 'outer', content: zipItem(inner), isStored: true };
      const offset = 30 + outer.name.length;
      return refusesEntry(
        aZip([outer, ...between, { ...inner, offset }]),
        'inner',
        unsafeReasons.overlaps,
      );
    });
  }

  const clashes: readonly (readonly [string, string, UnsafeReason])[] = [
    ['A.html', 'a.html', unsafeReasons.collision],
    ['guides/A.html', 'Guides/a.html', unsafeReasons.collision],
    ['\u00e9.html', 'e\u0301.html', unsafeReasons.collision],
    ['\u01f0', 'j\u030c', unsafeReasons.collision],
    ['STRA\u1e9eE', 'stra\u00dfe', unsafeReasons.collision],
    ['\u03c3', '\u03c2', unsafeReasons.collision],
    ['./A.html', 'a.html', unsafeReasons.collision],
    ['a', 'a/b', unsafeReasons.fileAsFolder],
    ['a', 'a/.//b', unsafeReasons.fileAsFolder],
    ['a/b', 'a', unsafeReasons.fileAndFolder],
    ['A', 'a/b', unsafeReasons.collision],
    ['a/b', 'A', unsafeReasons.collision],
    ['a', 'a/', unsafeReasons.fileAndFolder],
    ['a', 'a/./', unsafeReasons.fileAndFolder],
  ];
  for (const [first, second, reason] of clashes) {
    const names = `${JSON.stringify(first)} and ${JSON.stringify(second)}`;
    it(`refuses a tar with ${names}`, () =>
      refusesEntry(
        aTar([
          { name: first, content: '1' },
          { name: second, ...(second.endsWith('/') ? { type: '5' } : { content: '2' }) },
        ]),
        second,
        reason,
      ));
    it(`refuses a zip with ${names}`, () =>
      refusesEntry(aZip([{ name: first, content: '1' }, { name: second }]), second, reason));
  }

  it('never writes through an earlier link of the archive', () =>
    refusesEntry(
      aTar([
        { name: 'out', type: '2', linkName: '..' },
        { name: 'out/x', content: '1' },
      ]),
      'out',
      unsafeReasons.link,
    ));

  it('refuses names that are not valid text', () =>
    refusesEntry(
      aTar([{ name: Buffer.from([0x61, 0xff]), content: '1' }]),
      'a\ufffd',
      unsafeReasons.notText,
    ));

  it('refuses a global pax header that makes all files sparse', async () => {
    const global = tarItem({ name: 'g', type: 'g', content: '22 GNU.sparse.major=1\n' });
    await refusesEntry(Buffer.concat([global, aTar([{ name: 'x' }])]), 'g', unsafeReasons.sparse);
  });
});
