import { ExportError } from '../exportErrors';

/** What of a pax header matters to a site (POSIX.1, pax interchange format). */
export interface PaxRecords {
  /** Name of the entry; the empty one takes an earlier one back. */
  path?: string;
  /** Bytes of its body. */
  size?: number;
  /** A GNU sparse file, whose body is not its content. */
  isSparse?: true;
  /** File of which the first entry is only the rest: an earlier volume of the archive begins it. */
  restOf?: string;
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;

/**
 * Records are `<length> <key>=<value>\n`, the length counting itself. Read strictly: a reader
 * that skips what it cannot read gives the entry another name.
 *
 * @throws {ExportError} `broken-archive`.
 */
export function paxRecords(body: Buffer): PaxRecords {
  const records: PaxRecords = {};
  let position = 0;
  while (position < body.length) {
    const space = body.indexOf(SPACE, position);
    const digits = body.toString('latin1', position, Math.max(space, position));
    const end = position + Number(digits);
    const equals = body.indexOf('=', space);
    if (
      !/^[1-9]\d{0,8}$/.test(digits) ||
      equals === -1 ||
      equals >= end ||
      body[end - 1] !== LINE_FEED
    ) {
      throw new ExportError('broken-archive');
    }
    const key = body.toString('utf8', space + 1, equals);
    keep(records, key, body.toString('utf8', equals + 1, end - 1));
    position = end;
  }
  return records;
}

function keep(records: PaxRecords, key: string, value: string): void {
  if (key === 'path') records.path = value;
  else if (key === 'size') records.size = sizeOf(value);
  else if (key.startsWith('GNU.sparse.')) records.isSparse = true;
  else if (key === 'GNU.volume.filename') records.restOf = value;
}

function sizeOf(value: string): number {
  const size = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(size)) throw new ExportError('broken-archive');
  return size;
}
