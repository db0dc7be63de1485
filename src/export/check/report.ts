import { plainTranslate, type Translate } from '../../common/errors';
import { compareText } from '../../common/text/strings';
import { counted, numberText, secondsText, sizeText } from '../../shared/units';
import {
  isSelfContained,
  type AddressKind,
  type BrokenLink,
  type BrokenReason,
  type BundleReport,
  type NoteCode,
  type OutsideFetch,
  type ReportNote,
} from './reportTypes';

/** Limits of the lists in the document. The saved JSON lists everything. */
const MAX_FILES = 50;
const MAX_PER_FILE = 20;
const MAX_HOSTS = 30;
const MAX_ADDRESSES = 20;
const MAX_PLACES = 3;
const MAX_NOTES = 50;

/**
 * Returns the report as a Markdown document: the result, the figures, then the findings. Texts from the
 * bundle are in code spans, so that they are not read as Markdown or HTML.
 */
export function reportMarkdown(
  report: BundleReport,
  translate: Translate = plainTranslate,
): string {
  const sections = [
    `# ${verdict(report, translate)}`,
    explanation(report, translate),
    figures(report, translate),
    brokenSection(report, translate),
    fetchSection(report, translate),
    linkSection(report, translate),
    noteSection(report, translate),
  ];
  return shownDocument(sections);
}

/** Returns the whole report as indented JSON. */
export function reportJson(report: BundleReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** Returns whether a bundle is self-contained, with its figures, as one line. */
export function verdict(report: BundleReport, t: Translate): string {
  if (report.pages === 0) return t('No site: this folder contains no pages');
  const pages = counted(report.pages, t('1 page'), (many) => t('{0} pages', many));
  if (isSelfContained(report)) {
    return t('Self-contained: {0}, no broken links, nothing loaded from other hosts', pages);
  }
  const wrong = [
    counted(report.brokenCount, t('1 broken link'), (many) => t('{0} broken links', many)),
    counted(report.outsideFetchCount, t('1 resource from another host'), (many) =>
      t('{0} resources from other hosts', many),
    ),
  ];
  return failsAirGapped(report)
    ? t('Fails on an air-gapped site: {0}, {1}, {2}', pages, ...wrong)
    : t('Not self-contained: {0}, {1}, {2}', pages, ...wrong);
}

/** Returns whether a bundle needs other hosts although its site can't reach any. */
export function failsAirGapped({ isAirGapped, outsideFetchCount }: BundleReport): boolean {
  return isAirGapped === true && outsideFetchCount > 0;
}

function explanation(report: BundleReport, t: Translate): string {
  if (report.pages === 0) return '';
  if (isSelfContained(report)) {
    return t(
      'Every link leads to a file in the bundle, so the site works on a host without a network.',
    );
  }
  if (failsAirGapped(report)) {
    return t(
      'This site is air-gapped, so resources from other hosts always fail there. Put them into the site, and export it again.',
    );
  }
  if (report.outsideFetchCount === 0) return t('Broken links fail on every host.');
  return report.brokenCount === 0
    ? t('Resources from other hosts are missing without access to those hosts.')
    : t(
        'Broken links fail on every host. Resources from other hosts are missing without access to those hosts.',
      );
}

function figures(report: BundleReport, t: Translate): string {
  const { basePath, durationMs } = report;
  const rows: [string, string][] = [
    [t('Pages'), numberText(report.pages)],
    [t('Files'), numberText(report.files)],
    [t('Size'), sizeText(report.sizeBytes)],
    [t('Links checked'), numberText(report.checkedLinks)],
    [t('Broken'), numberText(report.brokenCount)],
    [t('Loaded from other hosts'), numberText(report.outsideFetchCount)],
    [t('Links to other hosts'), numberText(report.outsideLinks.count)],
    [t('Base path'), basePath === '' ? t('none') : code(basePath).replaceAll('|', '\\|')],
  ];
  if (durationMs !== undefined) rows.push([t('Time'), secondsText(durationMs, t)]);
  const lines = rows.map(([name, value]) => `| ${name} | ${value} |`);
  return ['|  |  |', '|:--|--:|', ...lines].join('\n');
}

function brokenSection(report: BundleReport, t: Translate): string {
  if (report.brokenCount === 0) return '';
  const lineOf = (link: BrokenLink): string => {
    const kind = link.kind === 'link' ? '' : ` (${t(kindNames[link.kind])})`;
    const place = t('Line {0}', link.line);
    return `- ${place}: ${code(link.address)}${kind}: ${reasonText(link, t, code)}`;
  };
  const files = [...grouped(report.broken, ({ file }) => file)];
  const lists = files
    .slice(0, MAX_FILES)
    .flatMap(([file, links]) => [
      `### ${code(file)} (${numberText(links.length)})`,
      [
        ...links.slice(0, MAX_PER_FILE).map(lineOf),
        ...moreLine(links.length - MAX_PER_FILE, (more) =>
          t('{0} more on this page. The report saved as JSON lists all.', more),
        ),
      ].join('\n'),
    ]);
  return [
    `## ${t('Broken links')} (${numberText(report.brokenCount)})`,
    ...lists,
    ...moreLine(files.length - MAX_FILES, (more) =>
      t('{0} more pages. The report saved as JSON lists all.', more),
    ),
  ].join('\n\n');
}

function fetchSection(report: BundleReport, t: Translate): string {
  if (report.outsideFetchCount === 0) return '';
  const lineOf = ([, places]: readonly [string, readonly OutsideFetch[]]): string => {
    const [first] = places;
    if (first === undefined) return '';
    const shown = places
      .slice(0, MAX_PLACES)
      .map(({ file, line }) => `${code(file)} ${t('line {0}', line)}`)
      .join(', ');
    const more = places.length - MAX_PLACES;
    const rest = more > 0 ? `, ${t('and {0} more places', numberText(more))}` : '';
    return `- ${code(first.address)} (${t(kindNames[first.kind])}): ${shown}${rest}`;
  };
  const hosts = [...grouped(report.outsideFetches, ({ host }) => host)].sort(
    ([hostA, a], [hostB, b]) => b.length - a.length || compareText(hostA, hostB),
  );
  const lists = hosts.slice(0, MAX_HOSTS).flatMap(([host, fetches]) => {
    const addresses = [...grouped(fetches, ({ kind, address }) => `${kind} ${address}`)];
    return [
      `### ${code(host)} (${numberText(fetches.length)})`,
      [
        ...addresses.slice(0, MAX_ADDRESSES).map(lineOf),
        ...moreLine(addresses.length - MAX_ADDRESSES, (more) =>
          t('{0} more URLs on this host. The report saved as JSON lists all.', more),
        ),
      ].join('\n'),
    ];
  });
  return [
    `## ${t('Loaded from other hosts')} (${numberText(report.outsideFetchCount)})`,
    ...lists,
    ...moreLine(hosts.length - MAX_HOSTS, (more) =>
      t('{0} more hosts. The report saved as JSON lists all.', more),
    ),
  ].join('\n\n');
}

function linkSection({ outsideLinks }: BundleReport, t: Translate): string {
  if (outsideLinks.count === 0) return '';
  const { byHost } = outsideLinks;
  return [
    `## ${t('Links to other hosts')} (${numberText(outsideLinks.count)})`,
    t('These are only links. Nothing is loaded from these hosts.'),
    [
      ...byHost
        .slice(0, MAX_HOSTS)
        .map(({ host, count }) => `- ${code(host)}: ${numberText(count)}`),
      ...moreLine(byHost.length - MAX_HOSTS, (more) =>
        t('{0} more hosts. The report saved as JSON lists all.', more),
      ),
    ].join('\n'),
  ].join('\n\n');
}

function noteSection({ notes }: BundleReport, t: Translate): string {
  if (notes.length === 0) return '';
  const lineOf = (note: ReportNote): string => {
    const text = noteText(note, t, code);
    if (note.file === undefined) return `- ${text}`;
    const line = note.line === undefined ? '' : ` ${t('line {0}', note.line)}`;
    return `- ${code(note.file === '' ? '/' : note.file)}${line}: ${text}`;
  };
  return [
    `## ${t('Notes')}`,
    [
      ...notes.slice(0, MAX_NOTES).map(lineOf),
      ...moreLine(notes.length - MAX_NOTES, (more) =>
        t('{0} more notes. The report saved as JSON lists all.', more),
      ),
    ].join('\n'),
  ].join('\n\n');
}

/** Returns the last line of a list that was cut, or no line. */
export function moreLine(count: number, sentence: (count: string) => string): string[] {
  return count > 0 ? [`- ${sentence(numberText(count))}`] : [];
}

/** Returns items by their keys, in the order of the first of each. */
export function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Returns a code span whose run of backticks is longer than any in the text. */
export function code(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const needsSpace = line.trim() === '' || /^[ `]|[ `]$/.test(line);
  return needsSpace ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** Quotes text from the bundle safely for the place where it is shown. */
export type Quote = (text: string) => string;

/** English names of the kinds of addresses, for translation. */
export const kindNames = {
  script: 'script',
  style: 'style sheet',
  font: 'font',
  image: 'image',
  media: 'audio or video',
  frame: 'frame',
  object: 'embedded object',
  manifest: 'app manifest',
  fetch: 'loaded by a script',
  import: 'imported module',
  worker: 'worker script',
  beacon: 'beacon',
  form: 'form',
  redirect: 'redirection',
  hint: 'connection or prefetch hint',
  link: 'link',
  sitemap: 'sitemap entry',
} as const satisfies Record<AddressKind, string>;

const reasons: Readonly<Record<BrokenReason, (t: Translate, suggested: string) => string>> = {
  'missing-file': (t, suggested) =>
    suggested === ''
      ? t('the bundle has no such file')
      : t('the bundle has no such file, but it has {0}', suggested),
  'wrong-case': (t, suggested) =>
    t('only {0} exists, which hosts that distinguish upper and lower case don’t find', suggested),
  'missing-anchor': (t, suggested) =>
    suggested === ''
      ? t('the page has no such ID')
      : t('the page has no such ID, but it has {0}', suggested),
  'folder-without-index': (t) => t('the folder has no index.html'),
  'outside-site': (t) => t('it leads out of the site'),
  'local-file': (t) => t('it leads to a file on one machine'),
  'not-an-address': (t) => t('it isn’t a valid URL'),
};

/** Returns why a link is broken, without a capital letter at the start. */
export function reasonText({ reason, suggestion }: BrokenLink, t: Translate, quote: Quote): string {
  return reasons[reason](t, suggestion === undefined ? '' : quote(suggestion));
}

const notes: Readonly<Record<NoteCode, (t: Translate, note: Required<NoteParts>) => string>> = {
  'no-pages': (t) => t('This folder contains no HTML pages.'),
  'no-home-page': (t) => t('The site has no home page (index.html).'),
  'unreadable-script': (t, { detail }) =>
    t('This script can’t be parsed, so what it loads is unknown: {0}', detail),
  'unreadable-file': (t, { detail }) => t('The file can’t be read ({0}).', detail),
  'not-utf8': (t) => t('The file isn’t valid UTF-8, so some links may be wrong.'),
  'too-large': (t) => t('The file is too large and was not read.'),
  'not-followed': (t) => t('This is a symbolic link or a special file, so it was not read.'),
  'extensionless-links': (t, { count }) =>
    t('Links without “.html”, which the host must add: {0}', count),
  'relative-on-404': (t, { count }) =>
    t('Relative links on the 404 page, which break in subfolders: {0}', count),
  'own-host-links': (t, { count, detail }) =>
    t('Links to the public site {0} instead of the bundle: {1}', detail, count),
  'posts-to-site': (t) =>
    t('A form sends data to the site itself, which a static host can’t receive.'),
  'asks-service': (t, { detail }) =>
    t(
      'When a reader asks a question, it goes to the docs service {0}. Without the service, the pages answer.',
      detail,
    ),
  capped: (t, { count }) => t('Findings not listed in this report: {0}', count),
};

interface NoteParts {
  readonly count: string;
  readonly detail: string;
}

/** Returns the sentence of a note, without its place. */
export function noteText(note: ReportNote, t: Translate, quote: Quote): string {
  const { code, count = 0, detail } = note;
  return notes[code](t, {
    count: numberText(count),
    detail: detail === undefined ? '?' : quote(detail),
  });
}

/** Joins the sections of a document, and shows what would control a terminal or hide text. */
export function shownDocument(sections: readonly string[]): string {
  const text = sections.filter((section) => section !== '').join('\n\n');
  return `${withUnseenMarked(text)}\n`;
}

/** Returns a text with a mark for each character that hides text or changes its direction. */
function withUnseenMarked(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd');
}

/** Returns one line without characters that hide text or change its direction. */
export function oneLine(text: string): string {
  return withUnseenMarked(text.replace(/\s+/g, ' '));
}
