/** The Markdown document and the JSON of a comparison. */
import { plainTranslate, type Translate } from '../../common/errors';
import { fenced } from '../../docs/pages/markup/markdownWriter';
import { numberText, sizeText } from '../../shared/units';
import { code, grouped, kindNames, moreLine, reasonText, shownDocument } from '../check/report';
import type {
  AssetEntry,
  BundleComparison,
  ChangedAsset,
  ComparedLink,
  LostAddress,
  PageEntry,
} from './comparison';
import { differencesText, isAboutOtherSite, comparisonNoteText } from './comparisonTexts';

/** Limits of the lists in the document. The saved JSON lists more. */
const MAX_ENTRIES = 100;
const MAX_EXCERPTS = 50;
const MAX_PLACES = 3;

/**
 * Returns the comparison as a Markdown document: the differences in one line, the two bundles, what needs
 * work, then the rest. Texts of the bundles are in code, so that they are not read as Markdown or HTML.
 */
export function comparisonDocument(
  comparison: BundleComparison,
  translate: Translate = plainTranslate,
): string {
  const sections = [
    `# ${differencesText(comparison, translate)}`,
    ...warnings(comparison, translate),
    figures(comparison, translate),
    lostSection(comparison, translate),
    ...linkSections(comparison, translate),
    movedSection(comparison, translate),
    changedSection(comparison, translate),
    ...pageSections(comparison, translate),
    assetSection(comparison, translate),
    noteSection(comparison, translate),
  ];
  return shownDocument(sections);
}

/** Returns the whole comparison as indented JSON. */
export function comparisonJson(comparison: BundleComparison): string {
  return `${JSON.stringify(comparison, undefined, 2)}\n`;
}

function warnings(comparison: BundleComparison, t: Translate): string[] {
  return comparison.notes
    .filter(isAboutOtherSite)
    .map((note) => `> **${escapeText(comparisonNoteText(note, comparison, t))}**`);
}

function noteSection(comparison: BundleComparison, t: Translate): string {
  const lines = comparison.notes
    .filter((note) => !isAboutOtherSite(note))
    .map((note) => `- ${escapeText(comparisonNoteText(note, comparison, t))}`);
  return lines.length === 0 ? '' : `## ${t('Notes')}\n\n${lines.join('\n')}`;
}

function figures({ before, after, counts }: BundleComparison, t: Translate): string {
  const row = (name: string, old: string, now: string): string => `| ${name} | ${old} | ${now} |`;
  const sum = after.sizeBytes - before.sizeBytes;
  const change = sum === 0 ? '' : ` (${sum > 0 ? '+' : '−'}${sizeText(Math.abs(sum))})`;
  const path = (basePath: string): string => (basePath === '' ? t('none') : cell(basePath));
  const same = t(
    'Unchanged pages: {0}. Unchanged other files: {1}.',
    numberText(counts.unchangedPages),
    numberText(counts.unchangedAssets),
  );
  return [
    [
      `|  | ${cell(before.name)} | ${cell(after.name)} |`,
      '|:--|--:|--:|',
      ...(before.host === undefined && after.host === undefined
        ? []
        : [row(t('Host'), cell(before.host ?? '–'), cell(after.host ?? '–'))]),
      row(t('Base path'), path(before.basePath), path(after.basePath)),
      row(t('Pages'), numberText(before.pages), numberText(after.pages)),
      row(t('Files'), numberText(before.files), numberText(after.files)),
      row(t('Size'), sizeText(before.sizeBytes), sizeText(after.sizeBytes) + change),
    ].join('\n'),
    same,
  ].join('\n\n');
}

function lostSection({ lostAddresses, counts }: BundleComparison, t: Translate): string {
  const reasons: Readonly<Record<NonNullable<LostAddress['because']>, string>> = {
    moved: t('the page moved'),
    redirect: t('the old page led there'),
    similar: t('the most similar page'),
    parent: t('the nearest page above'),
  };
  const lineOf = ({ address, redirect, because, ...lost }: LostAddress): string => {
    const target =
      redirect && because
        ? `${cell(redirect.to)} (${redirect.status}, ${reasons[because]})`
        : t('no good target');
    const from = [
      ...(lost.links === 0
        ? []
        : [
            lost.links === 1
              ? t('1 link, on {0}', cell(lost.linkedFrom[0] ?? ''))
              : t(
                  '{0} links, such as on {1}',
                  numberText(lost.links),
                  cell(lost.linkedFrom[0] ?? ''),
                ),
          ]),
      ...(lost.isInOldSitemap ? [t('the old sitemap')] : []),
    ];
    return `| ${cell(address)} | ${target} | ${from.join(', ')} |`;
  };
  return section(t('Lost URLs'), counts.lostAddresses, [
    t(
      'The new bundle doesn’t serve these URLs, though something still leads to them or their page moved. Redirects save them.',
    ),
    [
      `| ${t('URL')} | ${t('Redirect to')} | ${t('What leads to it')} |`,
      '|:--|:--|:--|',
      ...lostAddresses.slice(0, MAX_ENTRIES).map(lineOf),
    ].join('\n'),
    ...moreLines(counts.lostAddresses, t),
  ]);
}

function linkSections({ links, counts }: BundleComparison, t: Translate): string[] {
  const lineOf = (group: readonly ComparedLink[]): string => {
    const [first] = group;
    if (!first) return '';
    const kind = first.kind === 'link' ? '' : ` (${t(kindNames[first.kind])})`;
    const places = group
      .slice(0, MAX_PLACES)
      .map(({ file, line }) => `${code(file)} ${t('line {0}', line)}`)
      .join(', ');
    const more = group.length - MAX_PLACES;
    const rest = more > 0 ? `, ${t('and {0} more places', more)}` : '';
    return `- ${code(first.address)}${kind}, ${reasonText(first, t, code)}: ${places}${rest}`;
  };
  const list = (title: string, all: readonly ComparedLink[], count: number): string => {
    const groups = [
      ...grouped(all, ({ kind, address, reason }) => `${kind} ${reason} ${address}`).values(),
    ].sort((a, b) => b.length - a.length);
    const lines = groups.slice(0, MAX_ENTRIES).map(lineOf);
    return section(title, count, [[...lines, ...moreLines(groups.length, t)].join('\n')]);
  };
  return [
    list(t('Links that broke'), links.broken, counts.brokenLinks),
    list(t('Links that were mended'), links.mended, counts.mendedLinks),
  ];
}

function movedSection({ pages, counts }: BundleComparison, t: Translate): string {
  const lines = pages.moved
    .slice(0, MAX_ENTRIES)
    .map(({ before, after, similarity, change, isRedirected }) => {
      const same =
        change === 'none'
          ? t('same text')
          : change === 'links'
            ? t('same text with other links')
            : t('{0} % of the text is the same', Math.round(similarity * 100));
      const redirected = isRedirected ? `, ${t('with a redirect in the bundle')}` : '';
      return `- ${code(before)} → ${code(after)}: ${same}${redirected}`;
    });
  return section(t('Moved pages'), counts.movedPages, [
    lines.join('\n'),
    ...moreLines(counts.movedPages, t),
  ]);
}

function changedSection({ pages, counts }: BundleComparison, t: Translate): string {
  const text = pages.changed
    .slice(0, MAX_ENTRIES)
    .map(({ after, title, change, addedLines, removedLines, excerpt }, position) => {
      const kind = change === 'links' ? t('only links') : `+${addedLines} −${removedLines}`;
      const head = `### ${code(after)} (${kind})`;
      const name = title === '' ? [] : [escapeText(title)];
      const isShown = excerpt !== undefined && excerpt !== '' && position < MAX_EXCERPTS;
      return [head, ...name, ...(isShown ? [fenced(excerpt, 'diff')] : [])].join('\n\n');
    });
  return section(t('Changed pages'), counts.changedPages, [
    ...text,
    ...moreLines(counts.changedPages, t),
  ]);
}

function pageSections({ pages, counts }: BundleComparison, t: Translate): string[] {
  const list = (title: string, count: number, entries: readonly PageEntry[]): string =>
    section(title, count, [
      entries
        .slice(0, MAX_ENTRIES)
        .map(
          (page) => `- ${code(page.path)}${page.title === '' ? '' : `: ${escapeText(page.title)}`}`,
        )
        .join('\n'),
      ...moreLines(count, t),
    ]);
  return [
    list(t('Removed pages'), counts.removedPages, pages.removed),
    list(t('Added pages'), counts.addedPages, pages.added),
    list(
      t('Pages that changed only around their text'),
      counts.restyledPages,
      pages.restyled.map(({ after, title }) => ({ path: after, title })),
    ),
  ];
}

function assetSection({ assets, counts }: BundleComparison, t: Translate): string {
  const row = (change: string, path: string, old: string, now: string): string =>
    `| ${change} | ${cell(path)} | ${old} | ${now} |`;
  const one = (change: string, isOld: boolean) => {
    return ({ path, sizeBytes }: AssetEntry): string =>
      row(change, path, isOld ? sizeText(sizeBytes) : '', isOld ? '' : sizeText(sizeBytes));
  };
  const changed = ({ before, after, sizeBefore, sizeAfter }: ChangedAsset): string => {
    const change = before === after ? t('changed') : t('changed, with a new name');
    return row(change, after, sizeText(sizeBefore), sizeText(sizeAfter));
  };
  const rows = [
    ...assets.changed.map(changed),
    ...assets.removed.map(one(t('removed'), true)),
    ...assets.added.map(one(t('added'), false)),
  ];
  const count = counts.changedAssets + counts.removedAssets + counts.addedAssets;
  return section(t('Other files'), count, [
    [
      `| ${t('Change')} | ${t('File')} | ${t('Size before')} | ${t('Size after')} |`,
      '|:--|:--|--:|--:|',
      ...rows.slice(0, MAX_ENTRIES),
    ].join('\n'),
    ...moreLines(count, t),
  ]);
}

function section(title: string, count: number, parts: readonly string[]): string {
  return count === 0 ? '' : [`## ${title} (${numberText(count)})`, ...parts].join('\n\n');
}

function moreLines(count: number, t: Translate): string[] {
  return moreLine(count - MAX_ENTRIES, (left) =>
    t('{0} more. The comparison saved as JSON lists all.', left),
  );
}

/** Returns a text of a bundle as code in a cell of a table. */
function cell(text: string): string {
  return code(text).replaceAll('|', '\\|');
}

/** Returns a text of a bundle as text of a paragraph, without Markdown and HTML. */
function escapeText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|~&]/g, '\\$&');
}
