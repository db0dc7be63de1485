/** Sentences about a comparison, shared by the tree, the notifications and the document. */
import type { Translate } from '../../common/errors';
import { counted, numberText } from '../../shared/units';
import type { BundleComparison, ComparisonNote } from './comparison';

/**
 * Returns the differences in one line, the most important first: `2 broken links, 12 changed
 * pages`.
 */
export function differencesText({ counts }: BundleComparison, t: Translate): string {
  const part = (count: number, one: string, many: (count: string) => string): string[] =>
    count === 0 ? [] : [counted(count, one, many)];
  const files = counts.changedAssets + counts.addedAssets + counts.removedAssets;
  const parts = [
    ...part(counts.brokenLinks, t('1 broken link'), (many) => t('{0} broken links', many)),
    ...part(counts.lostAddresses, t('1 lost URL'), (many) => t('{0} lost URLs', many)),
    ...part(counts.changedPages, t('1 changed page'), (many) => t('{0} changed pages', many)),
    ...part(counts.removedPages, t('1 removed page'), (many) => t('{0} removed pages', many)),
    ...part(counts.addedPages, t('1 added page'), (many) => t('{0} added pages', many)),
    ...part(counts.movedPages, t('1 moved page'), (many) => t('{0} moved pages', many)),
    ...part(counts.mendedLinks, t('1 mended link'), (many) => t('{0} mended links', many)),
    ...part(files, t('1 changed file'), (many) => t('{0} changed files', many)),
  ];
  return parts.length === 0 ? t('The texts, files and links are the same.') : parts.join(', ');
}

const notes: Readonly<
  Record<ComparisonNote['code'], (t: Translate, note: Required<NoteParts>) => string>
> = {
  'different-hosts': (t, { before, after }) =>
    t('The bundles seem to be of different sites: {0} and {1}.', before, after),
  'different-base-paths': (t, { before, after }) =>
    t('The sites have different base paths, so all URLs differ: {0} and {1}.', before, after),
  'little-in-common': (t, { count }) =>
    t(
      'The bundles seem to be of different sites: they have {0} % of their pages in common.',
      count,
    ),
  'no-pages': (t, { side }) => t('{0} contains no pages.', side),
  unreadable: (t, { count, side, file }) =>
    count === 1
      ? t('1 file of {0} can’t be read: {1}', side, file)
      : t('{0} files of {1} can’t be read, such as {2}', numberText(count), side, file),
  capped: (t, { count }) => t('Differences not listed: {0}', numberText(count)),
};

interface NoteParts {
  readonly before: string;
  readonly after: string;
  readonly side: string;
  readonly file: string;
  readonly count: number;
}

/** Returns the sentence of a note. It contains texts of the bundles unescaped. */
export function comparisonNoteText(
  { code, side, before = '?', after = '?', file = '?', count = 0 }: ComparisonNote,
  comparison: BundleComparison,
  t: Translate,
): string {
  const name = side === undefined ? '?' : comparison[side].name;
  // A site at the root of its host has an empty base path.
  const paths = { before: before || '/', after: after || '/' };
  return notes[code](t, { ...paths, file, count, side: name });
}

/** Returns whether a note says that the two bundles may be of different sites. */
export function isAboutOtherSite({ code }: ComparisonNote): boolean {
  return code === 'different-hosts' || code === 'little-in-common';
}
