import { printable } from './siteSurvey';

/**
 * Why a link of the docs is not kept as it is written. `broken` links lead nowhere on the docs' own
 * site either; `unfollowed` ones may well lead somewhere there, but not in what is made here.
 */
const reasons = {
  'no-page': ['broken', 'there is no such page or file'],
  'no-image': ['broken', 'there is no such image'],
  'no-heading': ['broken', 'that page has no such section'],
  'redirect-loop': ['broken', 'the redirects of the site lead in a circle'],
  'not-an-address': ['broken', 'it is not a valid address'],
  'listed-page': ['broken', 'the navigation lists it, and there is no such page'],
  'outside-folder': ['unfollowed', 'it leads out of the docs folder'],
  'other-part': ['unfollowed', 'it leads to a part of the site that is not in the docs folder'],
  'made-by-code': ['unfollowed', 'code or an API description makes that page'],
  'made-by-component': ['unfollowed', 'a component of that page may make the section'],
  'page-left-out': ['unfollowed', 'that page was left out: the log says why'],
  'active-file': ['unfollowed', 'files of this kind can run scripts or fetch from elsewhere'],
  'large-file': ['unfollowed', 'the file is too large to copy'],
  'linked-file': ['unfollowed', 'the file lies behind a symbolic link'],
  'hidden-file': ['unfollowed', 'files in hidden folders and in node_modules are not copied'],
  'no-image-type': ['unfollowed', 'this is no image that pages can show'],
  scheme: ['unfollowed', 'addresses of this kind are not kept'],
} as const;

export type FindingReason = keyof typeof reasons;
export type FindingKind = (typeof reasons)[FindingReason][0];

/** A link of the docs that could not be kept as it is written. */
export interface LinkFinding {
  readonly kind: FindingKind;
  readonly reason: FindingReason;
  /** Below the docs folder: a page, or the file that holds the navigation. */
  readonly file: string;
  /** Counted from 1; absent where the link stands in what the page takes from elsewhere. */
  readonly line?: number;
  /** As it is written, in one line. */
  readonly link: string;
}

/** Findings that are kept; more are counted alone. */
const MAX_FINDINGS = 10_000;
const MAX_LINK_LENGTH = 200;

/** Gathers what became of the links of a site's pages. */
export class LinkFindings {
  readonly #found: LinkFinding[] = [];
  /** Findings of the page that is being made, by link and reason. */
  readonly #ofPage = new Map<string, Omit<LinkFinding, 'line'>>();
  readonly #written = new Map<string, string>();
  #count = 0;

  /** Notes a link of the page that is being made, once however often it stands there. */
  add(file: string, href: string, reason: FindingReason): void {
    const key = `${reason} ${href}`;
    const link = printable(href).slice(0, MAX_LINK_LENGTH);
    this.#ofPage.set(key, { kind: reasons[reason][0], reason, file, link });
    this.#written.set(key, href);
  }

  /** Whether anything is noted of the page that is being made. */
  get hasPageFindings(): boolean {
    return this.#ofPage.size > 0;
  }

  /**
   * Ends a page: finds the lines of its links in its source.
   * @returns what was noted of it, by line.
   */
  endPage(source: string): LinkFinding[] {
    if (this.#ofPage.size === 0) return [];
    const lines = new SourceLines(source);
    const found = [...this.#ofPage].map(([key, finding]): LinkFinding => {
      const line = lines.lineOf(this.#written.get(key) ?? '');
      return line === undefined ? finding : { ...finding, line };
    });
    found.sort((one, other) => (one.line ?? Infinity) - (other.line ?? Infinity) || 0);
    this.#ofPage.clear();
    this.#written.clear();
    this.#count += found.length;
    this.#found.push(...found.slice(0, MAX_FINDINGS - this.#found.length));
    return found;
  }

  /**
   * Returns all findings.
   * @param isElsewhere whether a link that leads to no page belongs to another part of the site,
   * which only all links together tell.
   */
  report(isElsewhere: (link: string) => boolean): LinkReport {
    const findings = this.#found.map((finding): LinkFinding =>
      (finding.reason === 'no-page' || finding.reason === 'no-image') && isElsewhere(finding.link)
        ? { ...finding, kind: 'unfollowed', reason: 'other-part' }
        : finding,
    );
    const broken = findings.filter(({ kind }) => kind === 'broken').length;
    return {
      broken,
      unfollowed: findings.length - broken,
      leftOut: this.#count - this.#found.length,
      findings,
    };
  }
}

/** What became of the links of a docs folder. */
export interface LinkReport {
  readonly broken: number;
  readonly unfollowed: number;
  /** Findings beyond those that are listed. */
  readonly leftOut: number;
  /** By page, then by line. */
  readonly findings: readonly LinkFinding[];
}

/** Returns a finding as a line: `guides/a.md:12: ./b is broken: there is no such page or file`. */
export function findingLine({ file, line, link, kind, reason }: LinkFinding): string {
  const place = line === undefined ? file : `${file}:${line}`;
  const what = kind === 'broken' ? 'is broken' : 'cannot be followed';
  return `${place}: ${link} ${what}: ${reasons[reason][1]}`;
}

/** Returns the counts as a sentence without a full stop. */
export function reportLine({ broken, unfollowed }: LinkReport): string {
  const links = (count: number): string => (count === 1 ? '1 link' : `${count} links`);
  const verb = broken === 1 ? 'is' : 'are';
  return `${links(broken)} of the docs ${verb} broken, ${links(unfollowed)} cannot be followed here`;
}

/** Finds links in the text of a page. */
class SourceLines {
  readonly #source: string;

  constructor(source: string) {
    // Code keeps its length, so that places stay the same.
    this.#source = source.replace(
      /^([ \t]*)(`{3,}|~{3,})[^]*?(?:^[ \t]*\2[`~]*[ \t]*$|(?![^]))/gm,
      (code) => code.replace(/[^\n]/g, ' '),
    );
  }

  /** Returns the line of the first place at which the address stands as a link's. */
  lineOf(href: string): number | undefined {
    for (const written of new Set([href, decoded(href), href.replaceAll('&', '&amp;')])) {
      for (let at = this.#at(written, 0); at >= 0; at = this.#at(written, at + 1)) {
        const before = this.#source[at - 1] ?? ' ';
        const after = this.#source[at + written.length] ?? ' ';
        if (!/[\s(<"'=:{`]/.test(before) || !/[\s)>"'\]}`]/.test(after)) continue;
        return this.#source.slice(0, at).split('\n').length;
      }
    }
    return undefined;
  }

  #at(text: string, from: number): number {
    return text === '' ? -1 : this.#source.indexOf(text, from);
  }
}

function decoded(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}
