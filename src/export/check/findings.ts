import { compareText } from '../../common/text/strings';
import { parseUrl } from '../../shared/links';
import type {
  AddressKind,
  BrokenLink,
  BundleReport,
  FetchKind,
  HostCount,
  OutsideFetch,
  Place,
  ReportNote,
} from './reportTypes';

/** Maximum length of a list in the report. */
const MAX_LISTED = 50_000;
const MAX_NOTES = 1000;
const MAX_ADDRESS = 500;

export class Findings {
  checkedLinks = 0;
  readonly #broken: BrokenLink[] = [];
  #brokenCount = 0;
  readonly #outsideFetches: OutsideFetch[] = [];
  #outsideFetchCount = 0;
  readonly #outsideHosts = new Map<string, number>();
  readonly #followedHosts = new Map<string, number>();
  readonly #canonicalHosts = new Map<string, number>();
  readonly #notes: ReportNote[] = [];
  #notesLeftOut = 0;
  #extensionless = 0;

  /** Adds a broken link. Returns it also if the list is full. */
  addBroken(
    place: Place,
    { kind, address }: Pick<FoundAddress, 'kind' | 'address'>,
    { reason, suggestion }: Pick<BrokenLink, 'reason' | 'suggestion'>,
  ): BrokenLink {
    const link: BrokenLink = {
      ...place,
      kind,
      address: own(address.trim().slice(0, MAX_ADDRESS)),
      reason,
      suggestion,
    };
    this.#brokenCount++;
    if (this.#broken.length < MAX_LISTED) this.#broken.push(link);
    return link;
  }

  /** Adds an outside address. `place` is called only if the finding is listed. */
  addOutside(place: () => Place, found: FoundAddress, url: URL): void {
    const { kind, role } = found;
    if (!isFetch(kind) || role === 'mention') {
      count(this.#outsideHosts, url.host);
      if (role !== 'mention') count(this.#followedHosts, url.host);
      return;
    }
    this.#outsideFetchCount++;
    if (this.#outsideFetches.length >= MAX_LISTED) return;
    const { host, pathname } = url;
    // `//host/x` uses the scheme of the site.
    const protocol = /^\s*[/\\]/.test(found.address) ? '' : url.protocol;
    const address = own(`${protocol}//${host}${pathname}`.slice(0, MAX_ADDRESS));
    this.#outsideFetches.push({ ...place(), kind, host, address });
  }

  addCanonical(address: string): void {
    const url = parseUrl(address);
    if (url) count(this.#canonicalHosts, url.host);
  }

  addExtensionless(): void {
    this.#extensionless++;
  }

  addNote(note: ReportNote): void {
    if (this.#notes.length < MAX_NOTES) this.#notes.push(note);
    else this.#notesLeftOut++;
  }

  /** Returns the sorted lists of the report. */
  lists(): Pick<
    BundleReport,
    | 'checkedLinks'
    | 'brokenCount'
    | 'broken'
    | 'outsideFetchCount'
    | 'outsideFetches'
    | 'outsideLinks'
    | 'notes'
  > {
    const byHost = ranked(this.#outsideHosts);
    return {
      checkedLinks: this.checkedLinks,
      brokenCount: this.#brokenCount,
      broken: this.#broken.sort(byPlace),
      outsideFetchCount: this.#outsideFetchCount,
      outsideFetches: this.#outsideFetches.sort(byPlace),
      outsideLinks: { count: byHost.reduce((sum, host) => sum + host.count, 0), byHost },
      notes: [...this.#siteNotes(), ...this.#notes.sort(byFile)],
    };
  }

  #siteNotes(): ReportNote[] {
    const notes: ReportNote[] = [];
    if (this.#extensionless > 0) {
      notes.push({ code: 'extensionless-links', count: this.#extensionless });
    }
    const ownHost = ranked(this.#canonicalHosts)[0]?.host;
    const toOwnHost = ownHost === undefined ? 0 : (this.#followedHosts.get(ownHost) ?? 0);
    if (ownHost !== undefined && toOwnHost > 0) {
      notes.push({ code: 'own-host-links', count: toOwnHost, detail: ownHost });
    }
    const leftOut =
      this.#brokenCount -
      this.#broken.length +
      (this.#outsideFetchCount - this.#outsideFetches.length) +
      this.#notesLeftOut;
    if (leftOut > 0) notes.push({ code: 'capped', count: leftOut });
    return notes;
  }
}

function isFetch(kind: AddressKind): kind is FetchKind {
  return kind !== 'link' && kind !== 'sitemap';
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function ranked(counts: ReadonlyMap<string, number>): HostCount[] {
  return [...counts]
    .map(([host, times]) => ({ host, count: times }))
    .sort((a, b) => b.count - a.count || compareText(a.host, b.host));
}

function byPlace(a: Place, b: Place): number {
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

function byFile(a: ReportNote, b: ReportNote): number {
  return (
    compareText(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0)
  );
}

/** An address in the text of a file, before it is resolved. */
export interface FoundAddress {
  readonly kind: AddressKind;
  /** Address as written, after entities and escapes of the format have been decoded. */
  readonly address: string;
  /** Start offset in the text of the address, or of the attribute or text that contains it. */
  readonly start: number;
  readonly end: number;
  /** Whether the offsets are those of a whole attribute. */
  readonly isAttribute?: boolean;
  /**
   * Role of an address that is not a usual link:
   * - `mention`: it only describes the page (canonical), so it is never loaded or broken.
   * - `inert`: it is in a `<template>`, where placeholders are common. Only outside addresses count.
   * - `outside-only`: too little is known to check it within the site.
   * - `origin`: only its host matters (preconnect).
   * - `posted`: it receives a form's POST.
   */
  readonly role?: 'mention' | 'inert' | 'outside-only' | 'origin' | 'posted';
  /** Whether it is relative to the page that runs the script, instead of the script's file. */
  readonly isOfDocument?: boolean;
}

/**
 * Returns a copy that doesn't keep the original text in memory. V8 keeps the whole text for a slice of
 * it, which would add up over 10,000 pages.
 */
export function own(text: string): string {
  return ` ${text}`.slice(1);
}

/** Converts offsets in a file into lines and columns. Line ends are LF, CRLF or CR. */
export class TextPlaces {
  #lineStarts: number[] | undefined;

  constructor(
    private readonly file: string,
    private readonly text: string,
  ) {}

  /** Returns the place of an address, or of the attribute if the address is written differently. */
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
