import { compareText } from '../../common/compareText';
import { own, type FoundAddress } from './foundAddress';
import { parseUrl } from '../../common/parseUrl';
import type {
  AddressKind,
  BrokenLink,
  BrokenReason,
  BundleReport,
  FetchKind,
  HostCount,
  OutsideFetch,
  Place,
  ReportNote,
} from './reportTypes';

/** Longest list of the report; a site that is wrong on every page has found enough by then. */
const MAX_LISTED = 50_000;
const MAX_NOTES = 1000;
const MAX_ADDRESS = 500;

/** What a check found so far. */
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

  addBroken(
    place: Place,
    { kind, address }: Pick<FoundAddress, 'kind' | 'address'>,
    { reason, suggestion }: { readonly reason: BrokenReason; readonly suggestion?: string },
  ): void {
    this.#brokenCount++;
    if (this.#broken.length >= MAX_LISTED) return;
    this.#broken.push({
      ...place,
      kind,
      address: own(address.trim().slice(0, MAX_ADDRESS)),
      reason,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  /** @param place is asked for only if the finding is listed. */
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
    // `//host/x` takes the scheme that the site is served by.
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

  /** The report's lists, in their order. */
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
