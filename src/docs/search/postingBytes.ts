/**
 * The postings of a word as bytes: each section as the distance from the one before, then its packed counts, both in
 * groups of seven bits. The counts of the text and the code come first, because most words only stand there.
 */

/** Number of bits of the counts of text and code, which `FieldIndex` packs behind 16 other bits. */
const TEXT_BITS = 8;
const OTHER_BITS = 16;

/**
 * Writes postings. Those of a word can be written in pieces, one behind the other.
 * @param entries numbers of sections in increasing order, each with its packed counts behind it.
 * @param last number of the last section of the piece before.
 */
export function writePostings(entries: readonly number[], last = 0): Buffer {
  const bytes: number[] = [];
  const write = (value: number): void => {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
  };
  let before = last;
  for (let position = 0; position < entries.length; position += 2) {
    const section = entries[position] ?? 0;
    const packed = entries[position + 1] ?? 0;
    write(section - before);
    write((packed >>> OTHER_BITS) | ((packed & (2 ** OTHER_BITS - 1)) << TEXT_BITS));
    before = section;
  }
  return Buffer.from(bytes);
}

/** Returns what {@link writePostings} has written. */
export function readPostings(bytes: Uint8Array): number[] {
  const entries: number[] = [];
  let at = 0;
  const read = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  let section = 0;
  while (at < bytes.length) {
    section += read();
    const counts = read();
    entries.push(section, ((counts & (2 ** TEXT_BITS - 1)) << OTHER_BITS) | (counts >>> TEXT_BITS));
  }
  return entries;
}
