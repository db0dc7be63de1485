import { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { ZipFile } from 'yazl';

/**
 * Archives byte by byte, so that they can hold what writers of archives refuse to write.
 * {@link writtenZip} is the exception.
 */

export interface TarItem {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** Type flag: `0` a file, `5` a folder, `2` a symbolic link… */
  readonly type?: string;
  readonly linkName?: string;
  /** Size that the header tells, if not that of the content. */
  readonly declaredSize?: number | string;
  readonly mode?: number;
  /** Whole seconds since the epoch. */
  readonly mtime?: number;
  /** Records of a pax header before it. */
  readonly pax?: Readonly<Record<string, string>>;
  /** First part of the name, as ustar keeps it. */
  readonly prefix?: string | Buffer;
  /** Mark of the format: that of POSIX unless told otherwise, none from before it. */
  readonly magic?: 'ustar' | 'gnu' | 'none';
}

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

/** Returns a whole tar archive, with the two empty blocks at its end. */
export function aTar(items: readonly TarItem[]): Buffer {
  return Buffer.concat([...items.map(tarItem), Buffer.alloc(2 * BLOCK)]);
}

/** Returns one item, with the pax header before it if it has one. */
export function tarItem(item: TarItem): Buffer {
  const content = Buffer.from(item.content ?? '');
  const before =
    item.pax === undefined
      ? []
      : [tarItem({ name: 'PaxHeader/x', type: 'x', content: paxBody(item.pax) })];
  return Buffer.concat([...before, tarHeader(item, content.length), padded(content)]);
}

/** Returns the item in which GNU tar writes a long name. */
export function gnuLongName(name: string): Buffer {
  return tarItem({ name: '././@LongLink', type: 'L', content: `${name}\0` });
}

/** Ways in which writers of tar archives lay out a name that is too long for its field. */
export const nameLayouts = {
  /** GNU tar with `--format=gnu`, and Python's `GNU_FORMAT`: the short name is the start of it. */
  gnu: (item: NamedItem) => gnuLaidOut(item, NAME_BYTES),
  /** GNU tar with `--format=oldgnu`, which wants a NUL at the end of the field. */
  oldgnu: (item: NamedItem) => gnuLaidOut(item, NAME_BYTES - 1),
  /** GNU tar with `--format=posix`. */
  posix: (item: NamedItem) =>
    tarItem({
      ...item,
      name: startOf(item.name),
      pax: { ...item.pax, mtime: '1700000000.123456789', path: item.name },
    }),
  /** Python's `PAX_FORMAT`, which cuts letters, and writes ASCII only. */
  'python-pax': (item: NamedItem) =>
    tarItem({
      ...item,
      name: Array.from(item.name.replace(/\P{ASCII}/gu, '?'))
        .slice(0, NAME_BYTES)
        .join(''),
      pax: { ...item.pax, path: item.name },
    }),
  /**
   * The format pax of libarchive (`bsdtar`): the prefix of ustar holds another part of the name.
   */
  'libarchive-pax': (item: NamedItem) =>
    tarItem({
      ...item,
      prefix: Buffer.from(item.name).subarray(0, 60),
      name: Buffer.from(item.name).subarray(60, 60 + NAME_BYTES),
      pax: { ...item.pax, path: item.name },
    }),
  /** Both at once: no writer is known to, but readers agree on what it means. */
  'gnu-and-pax': (item: NamedItem) =>
    Buffer.concat([
      gnuLongName(item.name),
      tarItem({ ...item, name: startOf(item.name), pax: { ...item.pax, path: item.name } }),
    ]),
} as const;

export type NamedItem = TarItem & { readonly name: string };

/**
 * Returns the item with its name divided at a slash, as ustar requires.
 * @returns undefined for a name that it cannot hold.
 */
export function ustarLaidOut(item: NamedItem): Buffer | undefined {
  const name = Buffer.from(item.name);
  if (name.length <= NAME_BYTES) return tarItem(item);
  const slash = name.subarray(0, PREFIX_BYTES + 1).lastIndexOf('/', -2);
  const rest = name.subarray(slash + 1);
  if (slash <= 0 || rest.length > NAME_BYTES || rest.length === 0) return undefined;
  return tarItem({ ...item, prefix: name.subarray(0, slash), name: rest });
}

function gnuLaidOut(item: NamedItem, shortBytes: number): Buffer {
  const isLong = Buffer.byteLength(item.name) > shortBytes;
  return Buffer.concat([
    ...(isLong ? [gnuLongName(item.name)] : []),
    tarItem({ ...item, name: startOf(item.name), magic: 'gnu' }),
  ]);
}

/** Writers cut at a byte, in the middle of a letter where it comes to that. */
function startOf(name: string): Buffer {
  return Buffer.from(name).subarray(0, NAME_BYTES);
}

export function paxBody(records: Readonly<Record<string, string>>): string {
  return Object.entries(records)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      let length = Buffer.byteLength(rest);
      while (Buffer.byteLength(`${length}${rest}`) !== length) length += 1;
      return `${length}${rest}`;
    })
    .join('');
}

function tarHeader(item: TarItem, contentLength: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  Buffer.from(item.name).copy(block, 0, 0, NAME_BYTES);
  block.write(octal(item.mode ?? 0o644, 7), 100);
  const size = item.declaredSize ?? contentLength;
  block.write(typeof size === 'string' ? size : octal(size, 11), 124);
  block.write(octal(item.mtime ?? 1_700_000_000, 11), 136);
  block.write('        ', 148);
  block.write(item.type ?? '0', 156);
  block.write(item.linkName ?? '', 157);
  if (item.magic !== 'none') {
    block.write(item.magic === 'gnu' ? 'ustar  \0' : 'ustar\x0000', 257);
  }
  Buffer.from(item.prefix ?? '').copy(block, 345, 0, PREFIX_BYTES);
  block.write(
    octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
  );
  block[154] = 0;
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]);
}

export interface ZipItem {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly isStored?: boolean;
  /** Mode of Unix with its file type, as in `0o120777`. */
  readonly unixMode?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  /** Size that both headers tell, if not that of the content. */
  readonly declaredSize?: number;
  /** Name before the content, if another than in the central directory. */
  readonly localName?: string;
  /** Claimed offset of the item. It is then only in the central directory. */
  readonly offset?: number;
}

export interface ZipEnd {
  readonly entryCount?: number;
  readonly centralOffset?: number;
  readonly comment?: string;
}

const UTF8_NAME = 0x0800;

/** Returns a whole zip archive. */
export function aZip(items: readonly ZipItem[], end: ZipEnd = {}): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const item of items) {
    const { header } = zipHeader(item);
    centrals.push(zipCentral(header, item, item.offset ?? offset));
    if (item.offset !== undefined) continue;
    const local = zipItem(item);
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(centrals);
  const last = Buffer.alloc(22);
  last.writeUInt32LE(0x06054b50, 0);
  last.writeUInt16LE(end.entryCount ?? items.length, 8);
  last.writeUInt16LE(end.entryCount ?? items.length, 10);
  last.writeUInt32LE(central.length, 12);
  last.writeUInt32LE(end.centralOffset ?? offset, 16);
  last.writeUInt16LE(end.comment?.length ?? 0, 20);
  return Buffer.concat([...locals, central, last, Buffer.from(end.comment ?? '')]);
}

/** Returns one item as it is before the central directory: its header and its content. */
export function zipItem(item: ZipItem): Buffer {
  const { header, packed } = zipHeader(item);
  return Buffer.concat([zipLocal(header, item), packed]);
}

/**
 * Returns the fields that both kinds of header share (version, flags, method, time, checksum and
 * sizes) with the packed content.
 */
function zipHeader(item: ZipItem): { header: Buffer; packed: Buffer } {
  const content = Buffer.from(item.content ?? '');
  const packed = item.isStored ? content : deflateRawSync(content);
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(item.flags ?? UTF8_NAME, 2);
  header.writeUInt16LE(item.method ?? (item.isStored ? 0 : 8), 4);
  header.writeUInt32LE(item.crc ?? crc32(content), 10);
  header.writeUInt32LE(packed.length, 14);
  header.writeUInt32LE(item.declaredSize ?? content.length, 18);
  header.writeUInt16LE(Buffer.from(item.name).length, 22);
  return { header, packed };
}

function zipLocal(header: Buffer, item: ZipItem): Buffer {
  const name = Buffer.from(item.localName ?? item.name);
  const local = Buffer.concat([signature(0x04034b50), header, name]);
  local.writeUInt16LE(name.length, 26);
  return local;
}

function zipCentral(header: Buffer, item: ZipItem, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(((item.unixMode ?? 0) << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  const madeOnUnix = Buffer.from([30, 3]);
  return Buffer.concat([signature(0x02014b50), madeOnUnix, header, rest, Buffer.from(item.name)]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Returns a zip archive as `yazl` writes it. */
export function writtenZip(
  files: Readonly<Record<string, Buffer>>,
  options: { readonly forceZip64Format?: boolean; readonly mode?: number } = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(content, name, options);
  zip.end({ forceZip64Format: options.forceZip64Format ?? false, comment: '' });
  return buffer(zip.outputStream);
}
