import { compareText } from '../../common/compareText';
import { plainTranslate, type Translate } from '../../common/errors';
import { sizeText } from '../sizeText';
import { counted, kindNames, noteText, oneLine, reasonText, type Quote } from './reportTexts';
import {
  isSelfContained,
  type BrokenLink,
  type BundleReport,
  type OutsideFetch,
  type ReportNote,
} from './reportTypes';

/** Something for the Problems panel; lines and columns count from 1. */
export interface Finding {
  readonly line: number;
  readonly column: number;
  readonly endColumn?: number;
  /** Plain text of one line. */
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'information';
}

/** A document is read by people: each list ends where nobody reads on. */
const MAX_FILES = 50;
const MAX_PER_FILE = 20;
const MAX_HOSTS = 30;
const MAX_ADDRESSES = 20;
const MAX_PLACES = 3;
const MAX_NOTES = 50;
const MAX_IN_MESSAGE = 200;

/**
 * The report as a document for people: the verdict, the figures, then what is wrong and where.
 * Whatever comes from the bundle stands in code spans, where nothing of it is Markdown or HTML.
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
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** The whole report, indented, with a line end. */
export function reportJson(report: BundleReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/**
 * What is wrong, by file relative to the site's root, in order: broken links are errors, outside
 * fetches warnings, and what could not be read is information.
 */
export function findingsByFile(
  report: BundleReport,
  translate: Translate = plainTranslate,
): ReadonlyMap<string, readonly Finding[]> {
  const quote: Quote = (text) => `“${shortened(oneLine(text))}”`;
  const byFile = new Map<string, Finding[]>();
  const add = (file: string, finding: Finding): void => {
    const known = byFile.get(file);
    if (known) known.push(finding);
    else byFile.set(file, [finding]);
  };
  for (const link of report.broken) {
    const reason = reasonText(link, translate, quote);
    const message = translate('Broken address {0}: {1}', quote(link.address), reason);
    add(link.file, { ...spanOf(link), message, severity: 'error' });
  }
  for (const fetched of report.outsideFetches) {
    const message = translate(
      'Comes from another host ({0}): {1}',
      translate(kindNames[fetched.kind]),
      shortened(oneLine(fetched.address)),
    );
    add(fetched.file, { ...spanOf(fetched), message, severity: 'warning' });
  }
  for (const note of report.notes) {
    if (note.file === undefined || note.line === undefined) continue;
    const message = noteText(note, translate, quote);
    add(note.file, {
      line: note.line,
      column: note.column ?? 1,
      message,
      severity: 'information',
    });
  }
  for (const findings of byFile.values()) {
    findings.sort((a, b) => a.line - b.line || a.column - b.column);
  }
  return new Map([...byFile].sort(([a], [b]) => compareText(a, b)));
}

function verdict(report: BundleReport, t: Translate): string {
  if (report.pages === 0) return t('No site: there are no pages in this folder');
  const pages = counted(t, report.pages, '1 page', '{0} pages');
  if (isSelfContained(report)) {
    return t('Self-contained: {0}, nothing broken, nothing fetched from outside', pages);
  }
  const wrong = [
    counted(t, report.brokenCount, '1 broken address', '{0} broken addresses'),
    counted(t, report.outsideFetchCount, '1 fetch from outside', '{0} fetches from outside'),
  ];
  return t('Not self-contained: {0}, {1}, {2}', pages, ...wrong);
}

function explanation(report: BundleReport, t: Translate): string {
  if (report.pages === 0) return '';
  if (isSelfContained(report)) {
    return t(
      'Every address leads to a file of the bundle, so the site is whole on a host without any network.',
    );
  }
  if (report.outsideFetchCount === 0) return t('What is broken leads to nothing on any host.');
  return report.brokenCount === 0
    ? t('What is fetched from outside is missing on a host without a way out to it.')
    : t(
        'What is broken leads to nothing on any host. What is fetched from outside is missing on a host without a way out to it.',
      );
}

function figures(report: BundleReport, t: Translate): string {
  const { basePath, durationMs } = report;
  const rows: [string, string | number][] = [
    [t('Pages'), report.pages],
    [t('Files'), report.files],
    [t('Size'), sizeText(report.sizeBytes)],
    [t('Addresses checked'), report.checkedLinks],
    [t('Broken'), report.brokenCount],
    [t('Fetched from outside'), report.outsideFetchCount],
    [t('Links to other hosts'), report.outsideLinks.count],
    [t('Base path'), basePath === '' ? t('none') : code(basePath).replaceAll('|', '\\|')],
  ];
  if (durationMs !== undefined) rows.push([t('Time'), `${(durationMs / 1000).toFixed(1)} s`]);
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
  const lists = capped(files, MAX_FILES).flatMap(([file, links]) => [
    `### ${code(file)} (${links.length})`,
    [
      ...capped(links, MAX_PER_FILE).map(lineOf),
      ...moreLine(
        links.length - MAX_PER_FILE,
        '{0} more on this page; the report saved as JSON has all',
        t,
      ),
    ].join('\n'),
  ]);
  return [
    `## ${t('Broken addresses')} (${report.brokenCount})`,
    ...lists,
    ...moreLine(files.length - MAX_FILES, '{0} more pages; the report saved as JSON has all', t),
  ].join('\n\n');
}

function fetchSection(report: BundleReport, t: Translate): string {
  if (report.outsideFetchCount === 0) return '';
  const lineOf = ([, places]: readonly [string, readonly OutsideFetch[]]): string => {
    const [first] = places;
    if (first === undefined) return '';
    const shown = capped(places, MAX_PLACES)
      .map(({ file, line }) => `${code(file)} ${t('line {0}', line)}`)
      .join(', ');
    const more = places.length - MAX_PLACES;
    const rest = more > 0 ? `, ${t('and {0} more places', more)}` : '';
    return `- ${code(first.address)} (${t(kindNames[first.kind])}): ${shown}${rest}`;
  };
  const hosts = [...grouped(report.outsideFetches, ({ host }) => host)].sort(
    ([hostA, a], [hostB, b]) => b.length - a.length || compareText(hostA, hostB),
  );
  const lists = capped(hosts, MAX_HOSTS).flatMap(([host, fetches]) => {
    const addresses = [...grouped(fetches, ({ kind, address }) => `${kind} ${address}`)];
    return [
      `### ${code(host)} (${fetches.length})`,
      [
        ...capped(addresses, MAX_ADDRESSES).map(lineOf),
        ...moreLine(
          addresses.length - MAX_ADDRESSES,
          '{0} more addresses of this host; the report saved as JSON has all',
          t,
        ),
      ].join('\n'),
    ];
  });
  return [
    `## ${t('Fetched from outside')} (${report.outsideFetchCount})`,
    ...lists,
    ...moreLine(hosts.length - MAX_HOSTS, '{0} more hosts; the report saved as JSON has all', t),
  ].join('\n\n');
}

function linkSection({ outsideLinks }: BundleReport, t: Translate): string {
  if (outsideLinks.count === 0) return '';
  const { byHost } = outsideLinks;
  return [
    `## ${t('Links to other hosts')} (${outsideLinks.count})`,
    t('Nothing is loaded from these; they only lead there.'),
    [
      ...capped(byHost, MAX_HOSTS).map(({ host, count }) => `- ${code(host)}: ${count}`),
      ...moreLine(byHost.length - MAX_HOSTS, '{0} more hosts; the report saved as JSON has all', t),
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
      ...capped(notes, MAX_NOTES).map(lineOf),
      ...moreLine(notes.length - MAX_NOTES, '{0} more notes; the report saved as JSON has all', t),
    ].join('\n'),
  ].join('\n\n');
}

/** The end of a list that was cut, or nothing. */
function moreLine(count: number, sentence: string, t: Translate): string[] {
  return count > 0 ? [`- ${t(sentence, count)}`] : [];
}

function capped<Item>(items: readonly Item[], most: number): readonly Item[] {
  return items.slice(0, most);
}

function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function spanOf({
  line,
  column,
  endColumn,
}: BrokenLink | OutsideFetch): Pick<Finding, 'line' | 'column' | 'endColumn'> {
  return { line, column, ...(endColumn === undefined ? {} : { endColumn }) };
}

/** A code span that its text cannot close: a longer run of backticks than any within. */
function code(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const needsSpace = line.trim() === '' || /^[ `]|[ `]$/.test(line);
  return needsSpace ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

function shortened(text: string): string {
  return text.length > MAX_IN_MESSAGE ? `${text.slice(0, MAX_IN_MESSAGE)}…` : text;
}
