/** Finds a page's own file in a folder of docs, from the page's URL. */
import { hasControls } from '../../shared/characters';
import { lineOfFragment, pageOutline, type PageOutline } from './pageHeadings';
import { markdownToBlocks, shortenedBlocks } from '../../common/text/markdownText';
import type { TextBlock } from '../../shared/protocol';

interface PageFileMatch {
  /** Path as it was given. */
  readonly path: string;
  /**
   * Whether path and URL match completely, except for parts that sites add or leave out: a
   * language, a version, a base such as `docs`. If not, the content of the file must confirm the
   * match.
   */
  readonly isCertain: boolean;
}

/** Version and language to prefer if the URL doesn't name them. */
export interface PageHints {
  readonly version?: string;
  readonly language?: string;
}

export const pageFilePattern = /\.(?:mdx|md|markdown)$/i;

const languages = new Set(
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl no pl pt ro ru sk sl sr sv ta th tr uk vi zh'.split(
    ' ',
  ),
);
/**
 * Folders that a site's generator leaves out of URLs, and base paths that sites are served under.
 */
const bases = new Set(
  'app apps content contents current doc docs documentation help i18n next pages public site source sources src versioned_docs web website docusaurus-plugin-content-docs'.split(
    ' ',
  ),
);

type SegmentKind = 'language' | 'version' | 'base' | 'other';

interface Candidate extends PageFileMatch {
  readonly matched: number;
  readonly hinted: number;
  readonly extra: number;
  readonly languageRank: number;
  readonly version: string;
}

/**
 * Returns the files that can be the page at a URL, the best match first. It returns only given
 * files, so that no URL can name another one.
 *
 * @param files paths below the docs folder, with forward slashes.
 * @param pathname of the page's URL, percent-encoded.
 */
export function matchPageFiles(
  files: Iterable<string>,
  pathname: string,
  hints: PageHints = {},
): PageFileMatch[] {
  const wanted = addressSegments(pathname);
  if (!wanted) return [];
  const found: Candidate[] = [];
  for (const path of files) {
    const candidate = compare(path, wanted, hints);
    if (candidate) found.push(candidate);
  }
  return found
    .sort(
      (a, b) =>
        Number(b.isCertain) - Number(a.isCertain) ||
        b.matched - a.matched ||
        b.hinted - a.hinted ||
        a.extra - b.extra ||
        a.languageRank - b.languageRank ||
        b.version.localeCompare(a.version, 'en', { numeric: true }) ||
        a.path.localeCompare(b.path, 'en'),
    )
    .map(({ path, isCertain }) => ({ path, isCertain }));
}

/**
 * Returns whether a file is the page that a source names: it has the fragment's heading, or the
 * source's title contains the page's title.
 */
export function isPageOf(
  outline: PageOutline,
  source: { readonly title?: string | undefined; readonly fragment: string },
): boolean {
  if (lineOfFragment(outline, source.fragment) !== undefined) return true;
  const page = plainWords(outline.title ?? '');
  const title = plainWords(source.title ?? '');
  return page.length >= 3 && ` ${title} `.includes(` ${page} `);
}

/**
 * Returns the text of a section, from its heading (or the page's body) to the next heading with
 * text.
 */
export function sectionQuote(
  source: string,
  outline: PageOutline,
  fragment: string,
  maxLength: number,
): TextBlock[] | undefined {
  const lines = source.split(/\r\n|\r|\n/);
  const line = lineOfFragment(outline, fragment);
  const starts = line === undefined ? [outline.bodyStart] : [];
  starts.push(
    ...outline.headings
      .map((heading) => heading.line)
      .filter((start) => line === undefined || start >= line),
  );
  // A heading can be followed directly by another one. The first text below it is quoted then.
  for (const [index, start] of starts.entries()) {
    const isHeading = outline.headings.some((heading) => heading.line === start);
    const body = lines.slice(start + (isHeading ? 1 : 0), starts[index + 1]).join('\n');
    const blocks = markdownToBlocks(body.slice(0, maxLength * 4));
    if (blocks.length > 0) return shortenedBlocks(blocks, maxLength);
  }
  return undefined;
}

export function outlineOf(path: string, source: string): PageOutline {
  return pageOutline(source, /\.mdx$/i.test(path));
}

/** Returns the decoded segments of a path, or undefined for a path that could lead upward. */
function addressSegments(pathname: string): string[] | undefined {
  const segments: string[] = [];
  for (const encoded of pathname.split('/')) {
    let segment: string;
    try {
      segment = decodeURIComponent(encoded).normalize('NFC').toLowerCase();
    } catch {
      return undefined;
    }
    if (/[\\/]/.test(segment) || hasControls(segment) || segment === '..') return undefined;
    if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return withoutEnding(segments, /\.(?:html?|mdx?|markdown)$/);
}

/**
 * Returns the segments without an extension and an index page: `guides/01-start.mdx` to `guides`,
 * `01-start`, and `guides/index.md` to `guides`.
 */
function withoutEnding(segments: readonly string[], ending: RegExp): string[] {
  const [last = '', ...above] = segments.toReversed();
  const name = last.replace(ending, '');
  const isFolderPage = name === 'index' || name === 'readme';
  return [...above.reverse(), ...(name === '' || isFolderPage ? [] : [name])];
}

function compare(path: string, wanted: readonly string[], hints: PageHints): Candidate | undefined {
  if (!pageFilePattern.test(path)) return undefined;
  const written = path.normalize('NFC').toLowerCase().split('/');
  const file = withoutEnding(written, pageFilePattern);
  let matched = 0;
  while (matched < Math.min(file.length, wanted.length)) {
    if (!isSameSegment(file.at(-1 - matched) ?? '', wanted.at(-1 - matched) ?? '')) break;
    matched++;
  }
  let fileRest = file.slice(0, file.length - matched);
  const wantedRest = wanted.slice(0, wanted.length - matched);
  if (matched === 0 && (fileRest.some(isOther) || wantedRest.some(isOther))) return undefined;
  if (matched === 1 && isSameSegment(file.at(-2) ?? '', wanted.at(-1) ?? '')) {
    // The page of a folder can have the folder's own name.
    fileRest = fileRest.slice(0, -1);
  }
  const isIn = (segments: readonly string[], segment: string): boolean =>
    segments.some((other) => isSameSegment(other, segment));
  const inFile = fileRest.filter((segment) => !isIn(wantedRest, segment));
  const inAddress = wantedRest.filter((segment) => !isIn(fileRest, segment));
  for (const kind of ['language', 'version', 'other'] as const) {
    const ofKind = (segment: string): boolean => kindOf(segment) === kind;
    if (inFile.some(ofKind) && inAddress.some(ofKind)) return undefined;
  }
  const language = inFile.find((segment) => kindOf(segment) === 'language');
  const version = inFile.find((segment) => kindOf(segment) === 'version');
  return {
    path,
    isCertain: ![...inFile, ...inAddress].some(isOther),
    matched,
    hinted:
      Number(language !== undefined && language === hints.language?.toLowerCase()) +
      Number(version !== undefined && plainVersion(version) === plainVersion(hints.version ?? '')),
    extra: inFile.filter((segment) => !['language', 'version'].includes(kindOf(segment))).length,
    languageRank: language === undefined ? 0 : language.startsWith('en') ? 1 : 2,
    version: version === undefined ? '\uffff' : plainVersion(version),
  };
}

function isSameSegment(one: string, other: string): boolean {
  if (one === other) return true;
  return one !== '' && withoutNumber(one) === withoutNumber(other);
}

/**
 * Returns a segment without the number that only orders it, such as `start` for `01-start` and `1.
 * start`.
 */
function withoutNumber(segment: string): string {
  return segment.replace(/^\d+[-_.\s]+(?=\D)/, '').replace(/\s+/g, '-');
}

function kindOf(segment: string): SegmentKind {
  if (languages.has(segment.replace(/[-_][a-z]{2,4}$/, ''))) return 'language';
  if (/^(?:version-|v)?\d+(?:\.\d+)*(?:\.x)?$|^(?:latest|stable)$/.test(segment)) return 'version';
  return bases.has(segment) || /^\(.*\)$/.test(segment) ? 'base' : 'other';
}

function isOther(segment: string): boolean {
  return kindOf(segment) === 'other';
}

function plainVersion(version: string): string {
  return version.toLowerCase().replace(/^(?:version-|v)/, '');
}

function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
