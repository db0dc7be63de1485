import type { FoundAddress } from './foundAddress';
import type { Place } from './reportTypes';

/** Tells where in a file something is. Line ends are LF, CRLF or CR. */
export class TextPlaces {
  #lineStarts: number[] | undefined;

  constructor(
    private readonly file: string,
    private readonly text: string,
  ) {}

  /** The place of the address itself, or of what holds it where it is written otherwise. */
  of(found: FoundAddress): Place {
    const from = found.isAttribute ? this.#valueStart(found) : found.start;
    const address = found.address.trim();
    const at = address === '' ? -1 : this.text.indexOf(address, from);
    const isThere = at >= from && at + address.length <= found.end;
    return isThere
      ? this.between(at, at + address.length)
      : this.between(from, this.#valueEnd(found, from));
  }

  between(start: number, end: number): Place {
    const line = this.#lineOf(start);
    const lineStart = this.#starts()[line] ?? 0;
    const place = { file: this.file, line: line + 1, column: start - lineStart + 1 };
    const nextLine = this.#starts()[line + 1] ?? Infinity;
    return end > start && end < nextLine ? { ...place, endColumn: end - lineStart + 1 } : place;
  }

  #valueStart({ start, end }: FoundAddress): number {
    const name = /[^\s=>]+\s*=\s*["']?/y;
    name.lastIndex = start;
    return name.test(this.text) && name.lastIndex <= end ? name.lastIndex : start;
  }

  #valueEnd({ end, isAttribute }: FoundAddress, from: number): number {
    const last = this.text[end - 1];
    return isAttribute && end - 1 > from && (last === '"' || last === "'") ? end - 1 : end;
  }

  #lineOf(offset: number): number {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #starts(): readonly number[] {
    if (this.#lineStarts === undefined) {
      this.#lineStarts = [0];
      for (const match of this.text.matchAll(/\r\n|\n|\r/g)) {
        this.#lineStarts.push(match.index + match[0].length);
      }
    }
    return this.#lineStarts;
  }
}
