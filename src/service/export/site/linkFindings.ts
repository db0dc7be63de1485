import { plainLine } from '../../../shared/characters';
import { readableUrl } from '../../../shared/links';

/**
 * Reasons why the export can't keep a link as written. `broken` links also fail on the docs' own site.
 * `unfollowed` links may work there, but not in this export.
 */
const reasons = {
  'no-page': ['broken', 'no such page or file exists'],
  'no-image': ['broken', 'no such image exists'],
  'no-heading': ['broken', 'the page has no such section'],
  'redirect-loop': ['broken', 'the redirects form a loop'],
  'not-an-address': ['broken', 'the URL is not valid'],
  'listed-page': ['broken', 'the navigation lists a page that does not exist'],
  'outside-folder': ['unfollowed', 'the link leads out of the docs folder'],
  'other-part': ['unfollowed', 'this part of the site is not in the docs folder'],
  'made-by-code': ['unfollowed', 'code or an API description generates this page'],
  'made-by-component': ['unfollowed', 'a component may generate this section'],
  'page-left-out': ['unfollowed', 'the page was skipped, see the log'],
  'not-in-scope': ['unfollowed', 'it is not part of this export'],
  'active-file': ['unfollowed', 'files of this type can run scripts or load from other sites'],
  'large-file': ['unfollowed', 'the file is too large to copy'],
  'linked-file': ['unfollowed', 'the file is behind a symbolic link'],
  'hidden-file': ['unfollowed', 'files in hidden folders and in node_modules are not copied'],
  'no-image-type': ['unfollowed', "pages can't show this type of image"],
  scheme: ['unfollowed', 'links with this scheme are not kept'],
} as const;

export type FindingReason = keyof typeof reasons;
type FindingKind = (typeof reasons)[FindingReason][0];

/** A link of the docs that could not be kept as written. */
export interface LinkFinding {
  readonly kind: FindingKind;
  readonly reason: FindingReason;
  /** Path below the docs folder of the page, or of the file with the navigation. */
  readonly file: string;
  /** Line of the link, starting with 1. Absent if the link comes from an included file. */
  readonly line?: number;
  /** The link as written, on one line. */
  readonly link: string;
}

/** Maximum number of findings to list. Further findings are only counted. */
const MAX_FINDINGS = 10_000;
const MAX_LINK_LENGTH = 200;

/** Collects the findings about the links of a site's pages. */
export class LinkFindings {
  readonly #found: LinkFinding[] = [];
  /** Findings of the current page, by link and reason. */
  readonly #ofPage = new Map<string, Omit<LinkFinding, 'line'>>();
  readonly #written = new Map<string, string>();
  #count = 0;

  /** Records a link of the current page. Several equal links count once. */
  add(file: string, href: string, reason: FindingReason): void {
    const key = `${reason} ${href}`;
    const link = plainLine(href).slice(0, MAX_LINK_LENGTH);
    this.#ofPage.set(key, { kind: reasons[reason][0], reason, file, link });
    this.#written.set(key, href);
  }

  /** Whether the current page has findings. */
  get hasPageFindings(): boolean {
    return this.#ofPage.size > 0;
  }

  /**
   * Ends the current page and finds the lines of its links.
   * @returns the page's findings by line.
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
    // A link is a slice of the page's text, which keeps the whole text in memory. A clone does not.
    this.#found.push(...structuredClone(found.slice(0, MAX_FINDINGS - this.#found.length)));
    return found;
  }

  /**
   * Returns all findings.
   * @param isElsewhere returns whether a link without a page belongs to another part of the site. This is only
   * known after all links.
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

/** Findings about the links of a docs folder. */
export interface LinkReport {
  readonly broken: number;
  readonly unfollowed: number;
  /** Number of findings that are not listed. */
  readonly leftOut: number;
  /** Findings by page, then by line. */
  readonly findings: readonly LinkFinding[];
}

/** Returns a finding as one line, such as `guides/a.md:12: ./b is broken: no such page or file exists`. */
export function findingLine({ file, line, link, kind, reason }: LinkFinding): string {
  const name = plainLine(file);
  const place = line === undefined ? name : `${name}:${line}`;
  const what = kind === 'broken' ? 'is broken' : "can't be followed";
  return `${place}: ${link} ${what}: ${reasons[reason][1]}`;
}

/** Returns the counts as a sentence without a period. */
export function reportLine({ broken, unfollowed }: LinkReport): string {
  const links = (count: number): string => (count === 1 ? '1 link' : `${count} links`);
  const verb = broken === 1 ? 'is' : 'are';
  return `${links(broken)} ${verb} broken, ${links(unfollowed)} can't be followed in this export`;
}

/** Finds links in the text of a page. */
class SourceLines {
  readonly #source: string;

  constructor(source: string) {
    // Spaces replace code, so that links in it are not found and positions stay valid.
    this.#source = source.replace(
      /^([ \t]*)(`{3,}|~{3,})[^]*?(?:^[ \t]*\2[`~]*[ \t]*$|(?![^]))/gm,
      (code) => code.replace(/[^\n]/g, ' '),
    );
  }

  /** Returns the line on which the URL is first used as a link. */
  lineOf(href: string): number | undefined {
    for (const written of new Set([href, readableUrl(href), href.replaceAll('&', '&amp;')])) {
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
